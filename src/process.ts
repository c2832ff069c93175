// The process: signals, exit code, and the adapters that make the ports real. Heavy ones are imported when a command asks
// for them.

import { setFlagsFromString } from 'node:v8';
import type { Outside } from './commands/base/world.ts';
import { leaveTerminal, standardOutput, systemClock, systemRandomness } from './files/system.ts';
import { main } from './main.ts';
import type { StartProgram } from './model/outside.ts';
import { Failure } from './model/workspace/failure.ts';
import { version } from './version.ts';

const interruption = new AbortController();
const hungUp = 129;
/** The signals that came, in their order, by exit code: when, in milliseconds. */
const arrivals = new Map<number, number>();
/** Nobody presses Ctrl-C twice in this time. `timeout` and npm send a signal to the process and to its group. */
const sentTwiceMs = 500;

/**
 * A signal that comes again ends the process at once; the journal holds what was started. A terminal that closes sends its own
 * twice, and a runner that wants an end asks in one way and then in another.
 */
function onSignal(exitCode: number): void {
  const now = systemClock.monotonic();
  const before = arrivals.get(exitCode);
  if (before === undefined) arrivals.set(exitCode, now);
  else if (exitCode !== hungUp && now - before > sentTwiceMs) process.exit(exitCode);
  interruption.abort();
}

async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads a line, Ctrl-C is a key and no signal.
  terminal.on('SIGINT', () => onSignal(130));
  const closed = new Promise<undefined>((resolve) => {
    terminal.on('close', () => resolve(undefined));
    const lose = () => {
      leaveTerminal();
      resolve(undefined);
    };
    // The terminal is gone.
    terminal.on('error', lose);
    process.stdin.on('error', lose);
  });
  const answered = terminal.question(question, { signal: interruption.signal }).catch(() => undefined);
  try {
    const answer = await Promise.race([answered, closed]);
    // After Ctrl-D the cursor is still behind the question.
    if (answer === undefined && !interruption.signal.aborted) process.stderr.write('\n');
    return answer;
  } finally {
    terminal.close();
  }
}

const environment = (name: string): string | undefined => process.env[name];

/** Others say which Node they behave like, and their own version beside it. */
function runtimeOf({ bun, deno, node }: NodeJS.ProcessVersions): Outside['runtime'] {
  if (bun !== undefined) return { name: 'Bun', version: bun };
  return deno === undefined ? { name: 'Node', version: node } : { name: 'Deno', version: deno };
}

const outside: Outside = {
  version,
  node: process.versions.node,
  runtime: runtimeOf(process.versions),
  zoneRelease: process.versions['tz'],
  cwd: process.cwd(),
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  environment,
  variables: process.env,
  startProgram,
  stdout: standardOutput('stdout'),
  stderr: standardOutput('stderr'),
  asker: () => (process.stdin.isTTY ? ask : undefined),
  clock: systemClock,
  randomness: systemRandomness,
  signal: interruption.signal,
  openWorkspace: async (options) => (await import('./files/fs-workspace.ts')).openWorkspace(options),
  openState: async (options) => (await import('./state/file/file-state.ts')).openFileState(options),
  openSharedState: async (options) => {
    const { openSharedState } = await import('./state/log/log-store.ts');
    return openSharedState({ ...options, clock: systemClock, environment: process.env });
  },
  openCheckout: async (root, signal) => {
    const { openCheckout } = await import('./state/git/checkout.ts');
    return openCheckout({ root, environment: process.env, signal });
  },
  openProgress: async (options) => (await import('./files/progress-file.ts')).openProgressFile(options),
  openDataFile: (path, within) => ({
    read: async () => (await import('./files/fs-workspace.ts')).readDataFile(path, within),
    write: async (text) => (await import('./files/fs-workspace.ts')).writeDataFile(path, text, within),
  }),
  openOutput: async (folder) => (await import('./files/growing-file.ts')).openOutput(folder),
  isFolder: async (path) => (await import('./files/fs-workspace.ts')).isFolder(path),
  foldersIn: async (path) => (await import('./files/paths.ts')).foldersIn(path),
  placeInRepository: async (folder) => (await import('./files/paths.ts')).placeInRepository(folder),
  connect: async (settings) => {
    const { connectHttpApi } = await import('./omni/http-api.ts');
    return connectHttpApi({ ...settings, clock: systemClock, version, environment: process.env });
  },
  openReceiver: async (options) => (await import('./http/receiver.ts')).openReceiver(options),
  readBytes: async (path) => (await import('./files/fs-workspace.ts')).readBytes(path),
};

/** Meanwhile the process itself has these variables too, because git and locks ask it; nothing else runs beside. */
async function startProgram(...[args, { cwd, env, onStdout, onStderr }]: Parameters<StartProgram>): Promise<number> {
  if (interruption.signal.aborted)
    throw new Failure('interrupted', 'The job was stopped, so nothing more was started.');
  const output = (write: (text: string) => void) => ({ write, isTerminal: false, width: 80 });
  const before = process.env;
  process.env = { ...env };
  try {
    const given = { cwd, variables: env, stdout: output(onStdout), stderr: output(onStderr), asker: () => undefined };
    return await main(args, { ...outside, ...given });
  } finally {
    process.env = before;
  }
}

/**
 * Node 20 optimizes functions so early that a plan of 1,000 changes spends two fifths of its time on that. Later Nodes wait
 * by themselves, and have no such setting.
 */
function optimizeLater(): void {
  if (outside.runtime.name === 'Node' && outside.node.startsWith('20.'))
    setFlagsFromString('--interrupt-budget=1000000');
}

/** `argv` without node and script. Returns the exit code. */
export async function runProcess(argv: readonly string[]): Promise<number> {
  optimizeLater();
  process.on('SIGINT', () => onSignal(130));
  process.on('SIGTERM', () => onSignal(143));
  process.on('SIGHUP', () => {
    leaveTerminal();
    onSignal(hungUp);
  });
  const exitCode = await main(argv, outside);
  const [first = exitCode] = arrivals.keys();
  return first;
}
