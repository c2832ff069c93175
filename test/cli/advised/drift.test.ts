// The commands that a look at Omni advises: what others changed, what nobody declared, and what an import leaves to do.

import { expect, it } from 'vitest';
import {
  type Advice,
  advised,
  after,
  appliedDesk,
  both,
  type Desk,
  daily,
  declare,
  gone,
  newDesk,
  run,
  shows,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

/** Somebody swaps a recipient, which only a deep look shows, or the time, which every look shows. */
const swaps = {
  deep: { argv: 'drift --deep', field: 'recipients', value: ['spy@evil.example'] },
  list: { argv: 'drift', field: 'schedule', value: '0 8 ? * TUE *' },
} as const;
const edited = (field: string, value: unknown, rest: object = {}) =>
  after(
    () => appliedDesk(rest),
    ({ emulator }) =>
      emulator.edit(({ schedules: [, found] }) => Object.assign(found?.fields ?? {}, { [field]: value })),
  );
const oneGone = after(appliedDesk, gone);
/** Schedules that somebody made in Omni. */
const untracked = after(appliedDesk, async (desk) => {
  declare({})(desk);
  desk.write({ 'almanac.state.json': { ...desk.state(), resources: {} } });
});
const oneUntracked = after(appliedDesk, (desk) => {
  declare({ daily })(desk);
  return desk.run('state rm schedules.weekly');
});
const isUndone: NonNullable<Advice['then']> = async (_, desk) => {
  expect(desk.emulator.data().schedules[1]?.fields).toMatchObject({
    recipients: ['ana@example.com'],
    schedule: weekly.schedule,
  });
  expect((await desk.run('drift --deep')).code).toBe(0);
};
const settledDeeply: NonNullable<Advice['then']> = async (_, desk) => {
  expect(textOf(await desk.run('plan --refresh=deep'))).toContain('No changes.');
  expect((await desk.run('drift --deep')).code).toBe(0);
};
const changesSince = ({ emulator }: Desk) => emulator.requests().filter(({ method }) => method !== 'GET').length;

const staging = { state: { path: 'staging.json' } };
/** Applied in one of the environments, and changed there. */
const editedInStaging = after(
  () => newDesk({ almanac: { environments: { staging } } }),
  async ({ run: almanac, emulator }) => {
    await almanac('apply --env staging --auto-approve');
    emulator.edit(({ schedules: [, found] }) =>
      Object.assign(found?.fields ?? {}, { [swaps.list.field]: swaps.list.value }),
    );
  },
);

run({
  'drift of an environment advises a deep look at that environment': {
    from: 'commands/drift/drift-report.ts: drift --deep',
    situation: editedInStaging,
    prints: 'drift --env staging',
    after: 'not compared; ',
    code: 2,
    then: shows('schedules.weekly'),
  },
  'a refusal in an environment advises the list of that environment': {
    from: 'state/repair-state.ts: state list',
    situation: editedInStaging,
    prints: 'state rm schedules.other --env staging',
    after: '',
    then: shows('schedules.weekly'),
  },
  'drift at the list advises a deep look, which compares the details': {
    from: 'commands/drift/drift-report.ts: drift --deep',
    situation: appliedDesk,
    prints: 'drift',
    after: 'not compared; ',
    then: (ran) => expect(textOf(ran)).not.toContain('not compared'),
  },
  'drift says of apply --refresh-only that the next apply undoes the change, and it does': {
    from: 'commands/drift/drift-report.ts: apply --refresh-only',
    situation: edited('schedule', swaps.list.value),
    prints: 'drift',
    after: '',
    then: async (ran, desk, again) => {
      expect(desk.emulator.data().schedules[1]?.fields).toMatchObject({ schedule: swaps.list.value });
      await desk.run('apply --auto-approve');
      await isUndone(ran, desk, again);
    },
  },
  'a plan of the state alone advises to keep what others changed first': {
    from: 'report/plan/plan-text.ts: drift --deep --write',
    situation: edited('schedule', swaps.list.value),
    prints: 'plan --refresh-only',
    after: 'To keep what others changed, run ',
    then: async (_, desk) => {
      expect(desk.read('schedules/all.yaml')).toContain(swaps.list.value);
      expect((await desk.run('apply --refresh-only --auto-approve')).code).toBe(0);
      expect(textOf(await desk.run('plan'))).toContain('No changes.');
    },
  },
  'drift --write of a schedule that is gone advises making it again': {
    from: 'commands/drift/drift-goals.ts: apply --refresh',
    situation: oneGone,
    prints: 'drift --write',
    after: 'or make it again with ',
    then: settledDeeply,
  },
  'status of a schedule that is gone advises a plan that says so': {
    from: 'commands/status/status-report.ts: plan --refresh',
    situation: oneGone,
    prints: 'status',
    after: 'Not listed by Omni, though it was applied: ',
    then: shows('schedules.weekly will be created'),
  },
  'an update of a schedule that is gone advises a plan of what exists': {
    from: 'service/http/operations.ts: plan --refresh',
    situation: after(oneGone, declare({ weekly: { ...weekly, format: 'png' }, daily })),
    prints: 'apply --auto-approve',
    after: '',
    then: async (_, desk) => {
      expect((await desk.run('apply --refresh --auto-approve')).code).toBe(0);
      expect((await desk.run('drift --deep')).code).toBe(0);
    },
  },
  'a plan that counts untracked schedules advises the list of them': {
    from: 'report/plan/danger-report.ts: drift --untracked',
    situation: oneUntracked,
    prints: 'drift',
    after: 'untracked; ',
    then: shows('almanac import --identifier 12db1a0a'),
  },
  'the list of untracked schedules advises the import of their dashboard': {
    from: 'commands/drift/drift-report.ts: import --identifier',
    situation: untracked,
    prints: 'drift --untracked',
    after: '',
    then: async (_, desk) => {
      expect((await desk.run('apply --auto-approve')).code).toBe(0);
      expect(textOf(await desk.run('drift --untracked'))).not.toContain('almanac import');
    },
  },
  'an import advises the plan of what will be adopted': {
    from: 'commands/base/import-text.ts: plan',
    situation: untracked,
    prints: 'import --identifier 12db1a0a',
    after: '',
    then: shows('2 to adopt'),
  },
  'an import advises the apply that adopts, which changes nothing in Omni': {
    from: 'commands/base/import-text.ts: apply',
    situation: untracked,
    prints: 'import --identifier 12db1a0a',
    after: 'what will be adopted; ',
    then: async (ran, desk, again) => {
      expect(changesSince(desk)).toBe(2);
      await settledDeeply(ran, desk, again);
    },
  },
  'an import advises fmt --prune, which removes its entries once they are applied': {
    from: 'commands/base/import-text.ts: fmt --prune',
    situation: untracked,
    prints: 'import --identifier 12db1a0a',
    after: '',
    first: ({ run: almanac }) => almanac('apply --auto-approve'),
    then: async (ran, desk, again) => {
      expect(textOf(ran)).toContain('Removed 2');
      await settledDeeply(ran, desk, again);
    },
  },
  'an import of one environment advises --write-state, which does all of it at once': {
    from: 'commands/base/import-text.ts: import --write-state',
    situation: untracked,
    prints: 'import --identifier 12db1a0a',
    after: 'With one environment, ',
    more: '--force',
    then: settledDeeply,
  },
  'an import while a create is unresolved advises the apply that finds out': {
    from: 'commands/import/import-schedules.ts: apply',
    situation: after(
      () => newDesk({ files: both, faults: [{ fault: 'drop-after', on: 'POST /v1/schedules', at: 1 }] }),
      ({ run: almanac }) => almanac('apply --auto-approve'),
    ),
    prints: 'import',
    after: 'Run ',
    then: async (_ran, _desk, again) => expect((await again()).code).toBe(0),
  },
  'drift of an environment advises what undoes a change in that environment, in text and in Markdown': {
    from: 'commands/drift/drift-report.ts: apply --refresh',
    situation: editedInStaging,
    prints: ['drift --env staging', 'drift --env staging --format markdown'],
    after: '',
    then: async (_, desk) => {
      expect(desk.emulator.data().schedules[1]?.fields).toMatchObject({ schedule: weekly.schedule });
      expect((await desk.run('drift --deep --env staging')).code).toBe(0);
    },
  },
  ...Object.fromEntries(
    Object.entries(swaps).flatMap(([look, { argv, field, value }]): [string, Advice][] => [
      [
        `drift after a look at ${look} advises what undoes a change, in text and in Markdown`,
        {
          from: 'commands/drift/drift-report.ts: apply --refresh',
          situation: edited(field, value),
          prints: [argv, `${argv} --format markdown`],
          after: '',
          then: isUndone,
        },
      ],
      ...['text', 'markdown'].map((format): [string, Advice] => [
        `drift --write after a look at ${look} in ${format} advises the apply that records what was kept, and sends nothing`,
        {
          from: 'commands/drift/drift-report.ts: apply --refresh',
          situation: edited(field, value),
          prints: `${argv} --write --format ${format}`,
          after: 'commit it',
          then: async (ran, desk, again) => {
            expect(desk.read('schedules/all.yaml')).toContain(String(value));
            expect(changesSince(desk)).toBe(2);
            await settledDeeply(ran, desk, again);
          },
        },
      ]),
    ]),
  ),
});

it.each([
  ['drift schedules.weekly', 'only this resource, write'],
  ['drift --write --deep schedules.weekly', 'follow `--write` directly:'],
])('the command that answers an address in the wrong place works: %s', async (argv, words) => {
  const { run: almanac } = await appliedDesk();
  const refused = await almanac(argv);
  expect(refused.code).toBe(1);
  expect(await almanac(advised(textOf(refused), words, 'drift'))).toMatchObject({ code: 0, stderr: '' });
});
