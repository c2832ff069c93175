// The threads of the built program make the entries that the program itself would make, and end when they are told to.

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openParseThreads } from '../../src/adapters/system/parse-threads.ts';
import type { EntrySettings } from '../../src/model/workspace/file-entry.ts';
import type { SourceFile } from '../../src/model/workspace/source-file.ts';
import { entryMaker } from '../../src/validate/entry-maker.ts';
import { schedule } from '../support/engine/loading.ts';

/** What the build puts in its place. */
const startedWith = (filename: string) => vi.stubGlobal('almanacRequire', { main: { filename } });

afterEach(() => vi.unstubAllGlobals());

const file = { path: 'schedules/a.yaml', text: 'schedules:\n  é: { name: "\ud800", at: 08 }\n---\n{' };
const faultless = { path: 'schedules/d.yaml', text: `schedules:\n${schedule('d')}` };
const settings: EntrySettings = { defaults: [], operations: 'core', year: 2026 };
const zero = { path: 'schedules/b.yaml', text: 'a: -0\n' };

it('a program that runs from its sources starts no thread', async () => {
  expect(await openParseThreads(4, settings)).toBeUndefined();
});

describe.runIf(availableParallelism() > 1)('on more than one core', () => {
  it('threads answer in the order in which they were asked, and reject what they were asked when they end', async () => {
    startedWith(resolve('dist/cli.cjs'));
    const pool = await openParseThreads(1, settings);
    expect(pool?.workers).toHaveLength(1);
    const [worker] = pool?.workers ?? [];
    const answers = await Promise.all([worker?.entriesOf([file, zero]), worker?.entriesOf([faultless, file])]);
    const { withEntry } = entryMaker(settings);
    const entryOf = (each: SourceFile) => withEntry(each).entry;
    expect(entryOf(file)?.parsed).toContain('"code":"inexact-number"');
    expect(entryOf(faultless)?.isFaultless).toBe(true);
    expect(answers).toEqual([
      [entryOf(file), undefined],
      [entryOf(faultless), entryOf(file)],
    ]);
    const unanswered = worker?.entriesOf([{ path: 'schedules/c.yaml', text: '- a\n'.repeat(200_000) }]);
    await Promise.all([pool?.close(), expect(unanswered).rejects.toThrow('The thread has ended.')]);
    await expect(worker?.entriesOf([file])).rejects.toThrow('The thread has ended.');
  });

  it('a thread that cannot start rejects', async () => {
    startedWith(resolve('test/cli.cjs'));
    const pool = await openParseThreads(1, settings);
    await expect(pool?.workers[0]?.entriesOf([file])).rejects.toThrow('Cannot find module');
    await pool?.close();
  });
});
