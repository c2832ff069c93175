// The program as a process of its own, which is killed, or falls asleep and wakes up, at one of its effects or at any time.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Trial } from './chaos-trials.ts';
import { killableProgram } from './killable-program.ts';

/** How much faster all clocks run, so that a lease of two minutes is over in two seconds. */
export const clockRate = 60;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** From its first effect. */
  readonly ms: number;
}

export interface ChaosRun {
  /** Rejects when it does not end. */
  readonly ended: Promise<Ended>;
  /** What happened to it first. `competing`: it is still at work, and another run is to start. */
  struckOrEnded(): Promise<'killed' | 'stopped' | 'competing' | 'ended'>;
  wake(): void;
}

/** Far more than a run needs whose network is down again and again. */
const longestMs = 120_000;

export async function startRun(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { how, at }: Pick<Trial, 'how' | 'at'>,
): Promise<ChaosRun> {
  const program = await killableProgram();
  const point = 'point' in at && how !== 'compete' ? { [`${how.toUpperCase()}_AT`]: String(at.point) } : {};
  const env = { PATH: process.env['PATH'] ?? '', CLOCK_RATE: String(clockRate), ...environment, ...point };
  const child = spawn(process.execPath, [program, 'apply', '--auto-approve', '-q'], { cwd: folder, env });
  let stderr = '';
  let startedAt: number | undefined;
  const started = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      startedAt ??= performance.now();
      resolve();
    });
  });
  child.stdout.resume();
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The run did not end within ${longestMs / 1000} s: ${stderr}`));
    }, longestMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stderr, ms: performance.now() - (startedAt ?? performance.now()) });
    });
  });
  ended.catch(() => undefined);
  const over = ended.then(({ signal }) => (signal === 'SIGKILL' ? ('killed' as const) : ('ended' as const)));
  const struck = async (): Promise<'stopped' | 'competing'> => {
    if ('ms' in at) {
      await started;
      await sleep(at.ms);
      if (how === 'compete') return 'competing';
      child.kill(how === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    }
    if (how === 'stop') await untilStopped(child);
    else await over;
    return 'stopped';
  };
  return {
    ended,
    struckOrEnded: () => Promise.race([over, struck()]),
    wake: () => void child.kill('SIGCONT'),
  };
}

/** Never resolves if it ends instead. */
async function untilStopped(child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if (child.pid !== undefined && stateOf(child.pid) === 'T') return;
    await sleep(10);
  }
  await new Promise(() => undefined);
}

/** `T` for a process that is stopped. */
function stateOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[0];
  } catch {
    return undefined;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
