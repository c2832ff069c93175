// The commands that are advised about what is left over or left to do: half a replacement, an owner, findings that are
// counted instead of listed.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  after,
  appliedDesk,
  type Desk,
  daily,
  declare,
  newDesk,
  run,
  settled,
  shows,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';

const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
const [ana, bo] = ['ana@example.com', 'bo@example.com'];
const owners = ({ emulator }: Desk) => emulator.data().schedules.map(({ ownerId }) => ownerId);
/** A replacement of which the delete fails, however often it is sent. */
const halfReplaced = async () => {
  const faults = Array.from(
    { length: 5 },
    (_, at) => ({ fault: '503', on: 'DELETE /v1/schedules', at: at + 1 }) as const,
  );
  const desk = await appliedDesk({ files: alone, faults });
  declare({ weekly: { ...weekly, name: 'Monday sales' } })(desk);
  return desk;
};
const stopped = after(appliedDesk, ({ emulator }) =>
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules)
      Object.assign(schedule, { systemDisabled: { at: '2026-03-01T00:00:00.000Z', reason: 'failing' } });
  }),
);
/** One warning that has been there for long. */
const twins = { weekly, twin: { ...weekly }, daily };
const standing = after(
  () => appliedDesk({ files: { 'schedules/all.yaml': { schedules: twins } } }),
  declare({ ...twins, daily: { ...daily, format: 'png' } }),
);

run([
  [
    'schema at a terminal advises how to print one',
    {
      from: 'commands/schema/schema.ts: schema',
      situation: () => newDesk({ onTerminal: true }),
      prints: 'schema',
      after: 'Print one with ',
      fill: () => ({ NAME: 'plan' }),
      then: shows('"$schema"'),
    },
  ],
  [
    'a workspace without sources advises init',
    {
      from: 'declare/load/sources.ts: init',
      situation: after(
        () => newDesk({ files: { 'new/.keep': '', 'almanac.state.json': '' } }),
        ({ path }) => rmSync(join(path, 'almanac.yaml')),
      ),
      prints: 'validate',
      after: 'or create a workspace with ',
      more: '--chdir new',
      then: async (_, desk) => expect((await desk.run('validate --chdir new')).code).toBe(0),
    },
  ],
  [
    'half a replacement advises the apply that deletes the old schedule',
    {
      from: 'apply/results.ts: apply',
      situation: halfReplaced,
      prints: 'apply --replace schedules.weekly --auto-approve',
      after: 'The next ',
      then: async (ran, desk, again) => {
        expect(desk.emulator.data().schedules).toHaveLength(1);
        await settled(ran, desk, again);
      },
    },
  ],
  [
    'half a replacement advises to clear the old schedule where it was removed in Omni',
    {
      from: 'apply/results.ts: state orphans --clear',
      situation: halfReplaced,
      prints: 'apply --replace schedules.weekly --auto-approve',
      after: 'If it was removed in Omni by hand: ',
      first: ({ emulator }) => emulator.edit((data) => void data.schedules.shift()),
      then: settled,
    },
  ],
  [
    'an apply that would leave an orphan advises how to clear it',
    {
      from: 'plan/block.ts: state orphans --clear',
      situation: after(() => appliedDesk({ files: alone, operations: 'core' }), declare({})),
      prints: 'apply --auto-approve --allow-empty',
      after: 'clear them from the list with ',
      fill: (printed) => ({ ID: /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(printed)?.[0] ?? '' }),
      first: ({ run: almanac }) => almanac('apply --auto-approve --allow-empty --allow-orphans'),
      then: (_, desk) => expect(desk.state().orphans).toEqual([]),
    },
  ],
  [
    'what leaves with its owner advises the apply that transfers it to the declared one',
    {
      from: 'commands/offboard/owned-schedules.ts: apply --refresh',
      situation: after(
        () => appliedDesk({ files: { 'schedules/all.yaml': { schedules: { weekly: { ...weekly, owner: bo } } } } }),
        ({ emulator }) =>
          emulator.edit(({ schedules }) => {
            for (const schedule of schedules) schedule.ownerId = ids.ana;
          }),
      ),
      prints: `offboard ${ana} --to ${bo} --apply --auto-approve`,
      after: 'The file names another owner. ',
      then: (_, desk) => expect(owners(desk)).toEqual([ids.bo]),
    },
  ],
  [
    'what leaves with an owner who is declared no longer advises an apply first',
    {
      from: 'commands/offboard/owned-schedules.ts: apply',
      situation: after(
        () => appliedDesk({ files: { 'schedules/all.yaml': { schedules: { weekly: { ...weekly, owner: ana } } } } }),
        declare({ weekly }),
      ),
      prints: `offboard ${ana} --to ${bo} --apply --auto-approve`,
      after: 'The file named an owner until the last apply. Run ',
      then: async (_ran, desk, again) => {
        await again();
        expect(owners(desk)).toEqual([ids.bo]);
      },
    },
  ],
  [
    'offboard --write advises a plan of what it edited',
    {
      from: 'commands/offboard/offboard-report.ts: plan',
      situation: appliedDesk,
      prints: `offboard ${ana} --to ${bo} --write --offline`,
      after: 'Next: ',
      then: shows('2 to update'),
    },
  ],
  [
    'a plan that counts what is stopped advises the status of it',
    {
      from: 'report/text/words.ts: status',
      situation: stopped,
      prints: 'plan --refresh',
      after: '',
      code: 2,
      then: shows('schedules.weekly'),
    },
  ],
  [
    'a plan that counts the findings of other resources advises the plan that lists them',
    {
      from: 'report/text/words.ts: plan',
      situation: standing,
      prints: 'plan',
      after: '',
      then: shows('warning['),
    },
  ],
  [
    'a drift that counts the findings of other resources advises the drift that lists them',
    {
      from: 'report/text/words.ts: drift',
      situation: standing,
      prints: 'drift',
      after: 'what has not drifted',
      then: shows('warning['),
    },
  ],
  [
    'a validation that lists the errors alone advises the one that lists all',
    {
      from: 'report/text/words.ts: validate',
      situation: after(newDesk, declare({ ...twins, daily: { ...daily, schedule: 'never' } })),
      prints: 'validate',
      after: '',
      code: 1,
      then: shows('warning['),
    },
  ],
  [
    'a removed entry of what is declared elsewhere advises to stop tracking it in one environment',
    {
      from: 'declare/rules/moved-and-adopted.ts: state rm',
      situation: after(
        () => appliedDesk({ almanac: { environments: { staging: { state: { path: 'almanac.state.json' } } } } }),
        declare(
          { weekly: { ...weekly, in: ['production'] }, daily },
          { removed: [{ from: 'schedules.weekly', keep: true }] },
        ),
      ),
      prints: 'validate',
      after: 'To stop tracking it where it no longer exists: ',
      fill: () => ({ NAME: 'staging' }),
      then: (_, desk) => expect(Object.keys(desk.state().resources)).toEqual(['schedules.daily']),
    },
  ],
  [
    'drift --write of one instance advises to declare it as it is resolved',
    {
      from: 'commands/drift/not-editable.ts: show --resolved',
      situation: after(
        () =>
          appliedDesk({
            files: {
              'schedules/all.yaml': {
                schedules: {
                  many: { ...weekly, name: 'Sales ${each.name}', forEach: { a: { name: 'A' }, b: { name: 'B' } } },
                },
              },
            },
          }),
        ({ emulator }) =>
          emulator.edit(({ schedules: [first] }) => Object.assign(first?.fields ?? {}, { schedule: '0 8 ? * TUE *' })),
      ),
      prints: 'drift --write',
      after: 'outside of the loop: ',
      then: shows('recipients:'),
    },
  ],
]);
