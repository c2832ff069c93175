// `almanac webhook listen` inside this process, until the test ends.

import { onTestFinished } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import type { Clock } from '../../src/model/outside.ts';
import { type Environment, makeFolder, workspaceIn } from './workspace.ts';

export interface Listening {
  readonly url: string;
  /** What it has printed since its first line. */
  readonly printed: () => string;
  readonly warned: () => string;
  /** Interrupts it like Ctrl-C. */
  stop(): Promise<number>;
  /** As when the other end of a pipe is closed. */
  readerGone(): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
}

export async function listen(
  argv: readonly string[],
  environment: Environment,
  clock: Clock,
  extra: Partial<Outside> = {},
): Promise<Listening> {
  const text = { stdout: '', stderr: '' };
  const interruption = new AbortController();
  const reading = new AbortController();
  let ready: () => void = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const output = (stream: 'stdout' | 'stderr') => ({
    isTerminal: false,
    closed: reading.signal,
    width: 80,
    write: (written: string) => {
      text[stream] += written;
      ready();
    },
  });
  const world = { stdout: output('stdout'), stderr: output('stderr'), signal: interruption.signal, clock, ...extra };
  const running = workspaceIn(makeFolder(), environment, world).run('webhook', 'listen', '--port', '0', ...argv);
  await Promise.race([isReady, running]);
  const [first = '', ...rest] = text.stdout.split('\n');
  if (!first.startsWith('{"url"') || rest.length > 1) throw new Error(`not ready: ${JSON.stringify(text)}`);
  const stop = async () => {
    interruption.abort();
    return (await running).code;
  };
  onTestFinished(async () => {
    await stop();
  });
  return {
    url: JSON.parse(first).url,
    printed: () => text.stdout.slice(first.length + 1),
    warned: () => text.stderr,
    stop,
    readerGone: () => reading.abort(),
    ended: running.then(({ code }) => code),
  };
}
