// Reads objects of a repository through one process of `git cat-file --batch`, one after the other.

import { spawn } from 'node:child_process';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Environment } from '../host.ts';

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** The length of an id, as it is inside trees. */
  readonly idBytes: 20 | 32;
}

/** An object by its id, or by the name of a reference of our own; undefined if it is not there. */
export type GetObject = (name: string) => Promise<GitObject | undefined>;

export interface ReaderOptions {
  readonly repository: string;
  readonly environment: Environment;
}

const isName = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|refs\/almanac\/[a-z]+)$/;

/** Of one object, which is more than a state has; a small branch can hold objects that are far larger. */
const mostBytes = 64_000_000;
const mostInAll = 256_000_000;

/** Calls `use` with a way to read objects, which ends with it. Calls of it must not overlap. */
export async function withObjects<T>(
  { repository, environment }: ReaderOptions,
  use: (get: GetObject) => Promise<T>,
): Promise<T> {
  const args = ['--git-dir', repository, 'cat-file', '--batch'];
  const child = spawn('git', args, {
    cwd: repository,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let error: unknown;
  const ended = new Promise<void>((resolve) => {
    child.on('error', (why) => {
      error = why;
      resolve();
    });
    child.on('close', () => resolve());
  });
  child.stdin.on('error', () => undefined);
  const output = child.stdout[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let total = 0;
  const more = async (): Promise<void> => {
    const { value, done } = await output.next();
    if (done) throw error ?? new Error('git cat-file ended before it answered.');
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
  };
  const take = async (length: number): Promise<Buffer> => {
    if (rest.length < length) {
      const parts = [rest];
      let have = rest.length;
      while (have < length) {
        rest = Buffer.alloc(0);
        await more();
        parts.push(rest);
        have += rest.length;
      }
      rest = Buffer.concat(parts);
    }
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  const line = async (): Promise<string> => {
    let end = rest.indexOf(0x0a);
    while (end < 0) {
      await more();
      end = rest.indexOf(0x0a);
    }
    return (await take(end + 1)).toString('latin1', 0, end);
  };

  try {
    return await use(async (name) => {
      if (!isName.test(name)) return undefined;
      child.stdin.write(`${name}\n`);
      const [id = '', type = '', size = ''] = (await line()).split(' ');
      if (type === 'missing' || size === '') return undefined;
      total += Number(size);
      if (Number(size) > mostBytes || total > mostInAll) throw tooLarge();
      const bytes = await take(Number(size) + 1);
      return { id, type, bytes: bytes.subarray(0, -1), idBytes: id.length === 64 ? 32 : 20 };
    });
  } finally {
    child.stdin.end();
    child.kill();
    await ended;
  }
}

function tooLarge(): Failure {
  return new Failure('state-unreadable', 'The state branch holds more than Almanac reads.', {
    hint: 'No Almanac wrote so much. Restore the last good commit of the branch.',
  });
}
