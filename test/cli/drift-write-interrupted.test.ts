// A signal while `almanac drift --write` writes: every file is whole, and the message says which ones are written.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { openApplied } from '../support/world.ts';

const count = 30;
const writtenInTime = 4;
const path = (index: number) => `schedules/s${String(index).padStart(3, '0')}.yaml`;
const text = (index: number) => `schedules:
  s${index}: # ours
    identifier: 12db1a0a
    name: S${index}
    schedule: 0 9 ? * MON *
    timezone: Europe/London
    format: pdf
    destinationType: email
    recipients: [ana@example.com]
    subject: S${index}
`;

it('a signal between two files leaves each of them whole, and the message says which are written', async () => {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const workspace = await openApplied(Object.fromEntries(indexes.map((index) => [path(index), text(index)])));
  workspace.emulator.edit(({ schedules }) => {
    for (const { fields } of schedules) fields['timezone'] = 'Europe/Paris';
  });

  const ended = new AbortController();
  let replaced = 0;
  const interrupted = workspace.beside({
    signal: ended.signal,
    openWorkspace: async (options) => {
      const opened = await openWorkspace(options);
      const replace: typeof opened.replace = async (...file) => {
        await opened.replace(...file);
        replaced += 1;
        if (replaced === writtenInTime) ended.abort();
      };
      return { ...opened, replace };
    },
  });
  const finished = await interrupted.run('drift', '--write');

  expect(finished.code).not.toBe(0);
  const isWritten = indexes.map((index) => {
    const now = readFileSync(join(workspace.path, path(index)), 'utf8');
    const wanted = text(index).replace('Europe/London', 'Europe/Paris');
    expect([text(index), wanted]).toContain(now);
    return now === wanted;
  });
  expect(isWritten.filter(Boolean)).toHaveLength(writtenInTime);
  expect(isWritten.lastIndexOf(true)).toBe(writtenInTime - 1);
  const said = finished.stderr.replace(/\s+/g, ' ');
  expect(said).toContain(`Interrupted; written: ${path(0)}`);
  expect(said).toContain(`Not written: ${path(writtenInTime)}`);
  expect(said).toContain('Every file is whole.');

  const again = await workspace.run('drift', '--write');
  expect(again.code, again.stderr).toBe(0);
  expect((await workspace.run('drift')).code).toBe(0);
});
