// The threads of the built program parse what the program itself would parse, and end when they are told to.

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openParseThreads } from '../../src/adapters/system/parse-threads.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import { textOfParsed } from '../../src/parse/parsed-text.ts';

/** What the build puts in its place. */
const startedWith = (filename: string) => vi.stubGlobal('almanacMain', { filename });

afterEach(() => vi.unstubAllGlobals());

const file = { path: 'schedules/a.yaml', text: 'schedules:\n  é: { name: "\ud800", at: 08 }\n---\n{' };
const zero = { path: 'schedules/b.yaml', text: 'a: -0\n' };

it('a program that runs from its sources starts no thread', async () => {
  expect(await openParseThreads(4)).toBeUndefined();
});

describe.runIf(availableParallelism() > 1)('on more than one core', () => {
  it('threads answer in the order in which they were asked, and reject what they were asked when they end', async () => {
    startedWith(resolve('dist/cli.cjs'));
    const pool = await openParseThreads(1);
    expect(pool?.workers).toHaveLength(1);
    const [worker] = pool?.workers ?? [];
    const answers = await Promise.all([worker?.parse([file, zero]), worker?.parse([zero, file])]);
    const text = textOfParsed(parseSource(file), file);
    expect(text).toContain('"code":"inexact-number"');
    expect(answers).toEqual([
      [text, undefined],
      [undefined, text],
    ]);
    const unanswered = worker?.parse([{ path: 'schedules/c.yaml', text: '- a\n'.repeat(200_000) }]);
    await Promise.all([pool?.close(), expect(unanswered).rejects.toThrow('The thread has ended.')]);
    await expect(worker?.parse([file])).rejects.toThrow('The thread has ended.');
  });

  it('a thread that cannot start rejects', async () => {
    startedWith(resolve('test/cli.cjs'));
    const pool = await openParseThreads(1);
    await expect(pool?.workers[0]?.parse([file])).rejects.toThrow('Cannot find module');
    await pool?.close();
  });
});
