// The commands that a look at Omni advises: what others changed, what is gone, what nobody declared, and what an import
// leaves to do.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  advising,
  after,
  appliedDesk,
  both,
  type Desk,
  daily,
  declare,
  gone,
  newDesk,
  type Promised,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';

/** Somebody swaps a recipient, which only a deep look shows, or the time, which every look shows. */
const changes = {
  deep: { drift: 'drift --deep', field: 'recipients', value: ['spy@evil.example'] },
  list: { drift: 'drift', field: 'schedule', value: '0 8 ? * TUE *' },
} as const;
const changing = (field: string, value: unknown) => (desk: Desk) =>
  desk.emulator.edit(({ schedules: [, found] }) => Object.assign(found?.fields ?? {}, { [field]: value }));
const edited = (field: string, value: unknown) => after(appliedDesk, changing(field, value));
const { field, value } = changes.list;
const isThere = (desk: Desk, fields: object) => expect(desk.emulator.data().schedules[1]?.fields).toMatchObject(fields);
const settledDeeply: Promised = async (_, desk) => {
  expect(textOf(await desk.run('plan --refresh=deep'))).toContain('No changes.');
  expect((await desk.run('drift --deep')).code).toBe(0);
};
const isUndone: Promised = async (ran, desk, again) => {
  isThere(desk, { recipients: ['ana@example.com'], schedule: weekly.schedule });
  await settledDeeply(ran, desk, again);
};
const isKept: Promised = async (ran, desk, again) => {
  expect(desk.emulator.requests().filter(({ method }) => method !== 'GET')).toHaveLength(2);
  await settledDeeply(ran, desk, again);
};

for (const [look, { drift, field, value }] of Object.entries(changes))
  advising(`where a look at ${look} shows what others changed`, edited(field, value))
    .on([drift, `${drift} --format markdown`], 'apply --refresh', isUndone)
    .on(`${drift} --write`, 'apply --refresh', { after: 'commit it', then: isKept })
    .on(`${drift} --write --format markdown`, 'apply --refresh', { after: 'commit it', then: isKept });
advising(
  'where others changed an environment',
  after(
    () => newDesk({ almanac: { environments: { staging: { state: { path: 'staging.json' } } } } }),
    async (desk) => {
      await desk.run('apply --env staging --auto-approve');
      changing(field, value)(desk);
    },
  ),
)
  .on('drift --env staging', 'drift --deep', { code: 2, then: shows('schedules.weekly') })
  .on('state rm schedules.other --env staging', 'state list', 'schedules.weekly')
  .on(['drift --env staging', 'drift --env staging --format markdown'], 'apply --refresh', async (_, desk) => {
    isThere(desk, { schedule: weekly.schedule });
    expect((await desk.run('drift --deep --env staging')).code).toBe(0);
  });
const loop = { ...weekly, name: 'Sales ${each.name}', forEach: { a: { name: 'A' }, b: { name: 'B' } } };
advising(
  'where others changed one instance of a loop',
  after(() => appliedDesk({ files: { 'schedules/all.yaml': { schedules: { loop } } } }), changing(field, value)),
).on('drift --write', 'show --resolved', 'recipients:');

const oneGone = after(appliedDesk, gone);
advising('where a schedule is gone from Omni', oneGone)
  .on('drift --write', 'apply --refresh', { after: 'or create the resource again with ', then: settledDeeply })
  .on(['status', 'status --format markdown'], 'plan --refresh', 'create schedules.weekly: ');
advising(
  'where a schedule to update is gone',
  after(oneGone, declare({ weekly: { ...weekly, format: 'png' }, daily })),
).on('apply --auto-approve', 'apply --refresh', { after: 'To undo it, run ', then: settledDeeply });

advising(
  'where one schedule is untracked',
  after(appliedDesk, (desk) => {
    declare({ daily })(desk);
    return desk.run('state rm schedules.weekly');
  }),
).on('drift', 'drift --untracked', 'almanac import --identifier 12db1a0a');
const importing = 'import --identifier 12db1a0a';
advising(
  'where schedules that somebody made in Omni are untracked',
  after(appliedDesk, (desk) => {
    declare({})(desk);
    desk.write({ 'almanac.state.json': { ...desk.state(), resources: {} } });
  }),
)
  .on('drift --untracked', 'import --identifier', async (_, desk) => {
    expect((await desk.run('apply --auto-approve')).code).toBe(0);
    expect(textOf(await desk.run('drift --untracked'))).not.toContain('almanac import');
  })
  .on(importing, 'apply', isKept)
  .on(importing, 'fmt --prune', {
    first: ({ run }) => run('apply --auto-approve'),
    then: async (ran, desk, again) => {
      expect(textOf(ran)).toContain('Removed 2');
      await settledDeeply(ran, desk, again);
    },
  })
  .on(importing, 'import --write-state', {
    apart: true,
    // Instead of what the first one wrote.
    first: ({ path }) => rmSync(join(path, 'schedules'), { recursive: true }),
    then: settledDeeply,
  });
advising(
  'where a create is unresolved',
  after(
    () => newDesk({ files: both, faults: [{ fault: 'drop-after', on: 'POST /v1/schedules', at: 1 }] }),
    ({ run }) => run('apply --auto-approve'),
  ),
).on('import', 'apply', succeedsThen);

const [ana, bo] = ['ana@example.com', 'bo@example.com'];
const owned = (owner: string) =>
  appliedDesk({ files: { 'schedules/all.yaml': { schedules: { weekly: { ...weekly, owner } } } } });
const isOfBo = (desk: Desk) => expect(desk.emulator.data().schedules.map(({ ownerId }) => ownerId)).toEqual([ids.bo]);
const leaving = `offboard ${ana} --to ${bo} --apply --auto-approve`;
advising(
  'where the file names another owner',
  after(
    () => owned(bo),
    ({ emulator }) =>
      emulator.edit(({ schedules }) => {
        for (const schedule of schedules) schedule.ownerId = ids.ana;
      }),
  ),
).on(leaving, 'apply --refresh', (_, desk) => isOfBo(desk));
