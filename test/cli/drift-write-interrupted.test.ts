// A signal while `almanac drift --write` writes: no file is changed, and none is left beside them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { openApplied } from '../support/world.ts';

const count = 30;
const preparedInTime = 4;
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

it('a signal while files are written leaves all of them as they were', async () => {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const workspace = await openApplied(Object.fromEntries(indexes.map((index) => [path(index), text(index)])));
  workspace.emulator.edit(({ schedules }) => {
    for (const { fields } of schedules) fields['timezone'] = 'Europe/Paris';
  });

  const ended = new AbortController();
  let prepared = 0;
  const interrupted = workspace.beside({
    signal: ended.signal,
    openWorkspace: async (options) => {
      const opened = await openWorkspace(options);
      const prepare: typeof opened.prepare = (...file) => {
        prepared += 1;
        if (prepared === preparedInTime) ended.abort();
        return opened.prepare(...file);
      };
      return { ...opened, prepare };
    },
  });
  const finished = await interrupted.run('drift', '--write');

  expect(finished.code).not.toBe(0);
  expect(prepared).toBe(preparedInTime);
  for (const index of indexes) expect(readFileSync(join(workspace.path, path(index)), 'utf8')).toBe(text(index));
  expect(readdirSync(join(workspace.path, 'schedules'))).toHaveLength(count);
  expect(finished.stderr).toContain('Interrupted; no file was changed.');

  const again = await workspace.run('drift', '--write');
  expect(again.code, again.stderr).toBe(0);
  expect((await workspace.run('drift')).code).toBe(0);
});
