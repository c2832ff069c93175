// The commands that validating, choosing, reading and doctor advise, those about secrets, what is left over or left to do, and
// the steps that init prints.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  after,
  alone,
  appliedDesk,
  type Desk,
  daily,
  declare,
  idIn,
  journalOf,
  lostCreate,
  lostDelivery,
  newDesk,
  orphaned,
  run,
  secret,
  settled,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';

const empty = () => newDesk({ files: {} });
const many = {
  'schedules/all.yaml': {
    schedules: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `s${at}`,
        { ...weekly, name: `S${at}`, filterConfig: { region: { values: [`r${at}`] } } },
      ]),
    ),
  },
};
const large = () => appliedDesk({ files: many, onTerminal: true });
const listsAddresses = shows('schedules.weekly');

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

run({
  'fmt --check advises the command that formats': {
    from: 'commands/fmt/format.ts: fmt',
    situation: newDesk,
    prints: 'fmt --check',
    after: 'would change: run ',
    then: async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 }),
  },
  'next of an address without runs advises the runs of all': {
    from: 'commands/next/next.ts: next',
    situation: after(newDesk, declare({ weekly, daily: { ...daily, paused: true } })),
    prints: 'next schedules.daily',
    after: 'Without an address, ',
    then: listsAddresses,
  },
  'next of many runs advises those of one time': {
    from: 'commands/next/next-text.ts: next --at',
    situation: () => newDesk({ files: many }),
    prints: 'next --days 60',
    after: '--destination; ',
    then: shows('12 of 12 schedules run at'),
  },
  'next with busy minutes advises those of one minute': {
    from: 'commands/next/next-text.ts: next --timezone',
    situation: newDesk,
    prints: 'next --days 60 --max-per-minute 1',
    after: '',
    then: shows('schedules.daily'),
  },
  'offboard of a pattern advises who, which takes patterns': {
    from: 'commands/offboard/offboard.ts: who',
    situation: newDesk,
    prints: "offboard '*@example.com'",
    after: 'One person leaves at a time; ',
    more: "'*@example.com'",
    then: listsAddresses,
  },
  'schema --workspace of another schema advises the schema of this workspace': {
    from: 'commands/schema/schema.ts: schema --workspace',
    situation: newDesk,
    prints: 'schema plan --workspace',
    after: 'Run ',
    then: shows('"$schema"'),
  },
  'show --format html without a plan advises saving one, which can be shown so': {
    from: 'commands/show/show.ts: plan --out',
    situation: newDesk,
    prints: 'show --format html',
    after: 'name a plan that ',
    more: 'a.plan',
    then: async (_, desk) => expect((await desk.run('show a.plan --format html')).stdout).toContain('<html'),
  },
  'an unknown schedule to choose advises the list of what was applied': {
    from: 'apply/choose/select.ts: state list',
    situation: appliedDesk,
    prints: 'next schedules.something-else',
    after: 'such as `schedules.weekly-sales`; ',
    then: listsAddresses,
  },
  'an unknown dashboard to choose advises the list of documents': {
    from: 'apply/choose/select.ts: documents',
    situation: newDesk,
    prints: 'next --dashboard something-else',
    after: 'such as `12db1a0a`; ',
    then: shows('12db1a0a'),
  },
  'an unknown address of the state advises the list of what it holds': {
    from: 'apply/choose/select.ts: state list',
    situation: appliedDesk,
    prints: 'state list schedules.something-else',
    after: '',
    then: listsAddresses,
  },
  'a folder without a workspace advises init': {
    from: 'commands/base/run.ts: init',
    situation: after(empty, ({ path }) => path),
    prints: 'plan --chdir /proc',
    after: 'or create a workspace with ',
    more: '--chdir new',
    first: ({ write }) => write({ 'new/.keep': '' }),
    then: async (_, desk) => expect((await desk.run('validate --chdir new')).code).toBe(0),
  },
  'state show in a terminal advises what lists and shows': {
    from: 'commands/base/state-text.ts: state list',
    situation: large,
    prints: 'show',
    after: '',
    then: shows('schedules.s11'),
  },
  'a large state advises the command that shows one resource': {
    from: 'commands/base/state-text.ts: state show',
    situation: large,
    prints: 'show',
    after: 'lists them, ',
    fill: () => ({ ADDRESS: 'schedules.s11' }),
    then: shows('name: "S11"'),
  },
  'fold --check advises the command that folds': {
    from: 'commands/fold/fold-report.ts: fold',
    situation: () => newDesk({ files: many }),
    prints: 'fold --check',
    after: '',
    then: async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 }),
  },
  'fold advises a plan, in which nothing changes': {
    from: 'commands/fold/fold-report.ts: plan',
    situation: () => appliedDesk({ files: many }),
    prints: 'fold',
    after: 'Next: ',
    then: shows('No changes.'),
  },
  'documents with a folder that is no id advises the list with ids': {
    from: 'commands/documents/document-parameters.ts: documents --format',
    situation: newDesk,
    prints: 'documents --folder Sales',
    after: '',
    then: shows('"folder"'),
  },
  'a loop with testNow advises the test of one instance': {
    from: 'declare/parse-resources.ts: test',
    situation: () =>
      newDesk({
        files: {
          'schedules/all.yaml': { schedules: { many: { ...weekly, testNow: true, forEach: { a: {}, b: {} } } } },
        },
      }),
    prints: 'validate',
    after: 'Remove testNow. ',
    fill: () => ({ ADDRESS: 'schedules.many.a' }),
    first: declare({ many: { ...weekly, forEach: { a: {}, b: {} } } }),
    then: (_, { emulator }) => expect(emulator.requests().filter(({ method }) => method === 'POST')).toHaveLength(1),
  },
  'a dashboard that nothing knows advises the list of documents': {
    from: 'declare/online.ts: documents',
    situation: after(newDesk, declare({ weekly: { ...weekly, identifier: 'zzzzzzzz' } })),
    prints: 'validate --online',
    after: '',
    then: shows('12db1a0a'),
  },
  'schema at a terminal advises how to print one': {
    from: 'commands/schema/schema.ts: schema',
    situation: () => newDesk({ onTerminal: true }),
    prints: 'schema',
    after: 'Print one with ',
    fill: () => ({ NAME: 'plan' }),
    then: shows('"$schema"'),
  },
  'a workspace without sources advises init': {
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
  'half a replacement advises the apply that deletes the old schedule': {
    from: 'apply/results.ts: apply',
    situation: halfReplaced,
    prints: 'apply --replace schedules.weekly --auto-approve',
    after: 'The next ',
    then: async (_, desk) => {
      expect(desk.emulator.data().schedules).toHaveLength(1);
      await settled(desk);
    },
  },
  'half a replacement advises to clear the old schedule where it was removed in Omni': {
    from: 'apply/results.ts: state orphans --clear',
    situation: halfReplaced,
    prints: 'apply --replace schedules.weekly --auto-approve',
    after: 'If it was removed in Omni by hand: ',
    first: ({ emulator }) => emulator.edit((data) => void data.schedules.shift()),
  },
  'an apply that would leave an orphan advises how to clear it': {
    from: 'plan/block.ts: state orphans --clear',
    situation: after(() => appliedDesk({ files: alone, operations: 'core' }), declare({})),
    prints: 'apply --auto-approve --allow-empty',
    after: 'clear them from the list with ',
    fill: idIn,
    first: ({ run: almanac }) => almanac('apply --auto-approve --allow-empty --allow-orphans'),
    then: (_, desk) => expect(desk.state().orphans).toEqual([]),
  },
  'what leaves with its owner advises the apply that transfers it to the declared one': {
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
  'what leaves with an owner who is declared no longer advises an apply first': {
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
  'offboard --write advises a plan of what it edited': {
    from: 'commands/offboard/offboard-report.ts: plan',
    situation: appliedDesk,
    prints: `offboard ${ana} --to ${bo} --write --offline`,
    after: 'Next: ',
    then: shows('2 to update'),
  },
  'a plan that counts what is stopped advises the status of it': {
    from: 'report/text/words.ts: status',
    situation: stopped,
    prints: 'plan --refresh',
    after: '',
    code: 2,
    then: shows('schedules.weekly'),
  },
  'a plan that counts the findings of other resources advises the plan that lists them': {
    from: 'report/text/words.ts: plan',
    situation: standing,
    prints: 'plan',
    after: '',
    then: shows('warning['),
  },
  'a drift that counts the findings of other resources advises the drift that lists them': {
    from: 'report/text/words.ts: drift',
    situation: standing,
    prints: 'drift',
    after: 'what has not drifted',
    then: shows('warning['),
  },
  'a validation that lists the errors alone advises the one that lists all': {
    from: 'report/text/words.ts: validate',
    situation: after(newDesk, declare({ ...twins, daily: { ...daily, schedule: 'never' } })),
    prints: 'validate',
    after: '',
    code: 1,
    then: shows('warning['),
  },
  'a removed entry of what is declared elsewhere advises to stop tracking it in one environment': {
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
  'drift --write of one instance advises to declare it as it is resolved': {
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
  'doctor advises to validate where a declaration has errors': {
    from: 'commands/doctor/check-workspace.ts: validate',
    situation: after(newDesk, declare({ weekly: { ...weekly, schedule: 'never' } })),
    prints: 'doctor',
    after: '',
    code: 1,
    then: shows('schedules/all.yaml'),
  },
  'doctor advises to set a secret where apply runs': {
    from: 'commands/doctor/check-workspace.ts: apply',
    situation: after(newDesk, declare({ secret })),
    prints: 'doctor',
    after: ' where ',
    first: ({ environment }) => void Object.assign(environment, { HOOK: 'a-secret' }),
    then: succeedsThen,
  },
  'a variable that is not set is to be set where apply runs': {
    from: 'declare/expand/resolve-reference.ts: apply',
    situation: after(newDesk, declare({ secret })),
    prints: 'plan',
    after: ' where ',
    first: ({ environment }) => void Object.assign(environment, { HOOK: 'a-secret' }),
  },
  'a secret in a file is to be replaced by a variable where apply runs': {
    from: 'declare/rules.ts: apply',
    situation: after(
      newDesk,
      declare({ secret: { ...secret, url: 'https://hooks.slack.com/services/T01/B02/a1B2c3D4e5F6' } }),
    ),
    prints: 'validate',
    after: 'set the variable where ',
    first: (desk) => {
      declare({ secret })(desk);
      Object.assign(desk.environment, { HOOK: 'a-secret' });
    },
  },
  'fingerprints of another key advise the apply that takes over': {
    from: 'apply/propose/fingerprint-secrets.ts: apply',
    situation: after(
      () =>
        appliedDesk({
          files: { 'schedules/all.yaml': { schedules: { secret } } },
          environment: { HOOK: 'a-secret', ALMANAC_STATE_KEY: 'a-key' },
        }),
      ({ environment }) => void Object.assign(environment, { ALMANAC_STATE_KEY: 'another-key' }),
    ),
    prints: 'plan',
    after: 'The next ',
    then: async (_, desk, again) => {
      expect(textOf(await again())).not.toContain('ALMANAC_STATE_KEY');
      expect(desk.emulator.requests().filter(({ method }) => method === 'PUT')).toHaveLength(1);
    },
  },
  'doctor advises the list of orphans': {
    from: 'commands/doctor/check-state.ts: state orphans',
    situation: orphaned,
    prints: 'doctor',
    after: 'untracked.',
    then: shows('Weekly sales'),
  },
  'doctor advises the apply that folds a journal': {
    from: 'commands/doctor/check-state.ts: apply',
    situation: after(appliedDesk, (desk) => {
      desk.write({ 'almanac.state.json.journal': journalOf(desk, true) });
    }),
    prints: 'doctor',
    after: 'The next ',
    then: async (_ran, _desk, again) => expect(textOf(await again())).not.toContain('journal'),
  },
  'doctor advises the plan that shows what an apply finds out': {
    from: 'commands/doctor/check-state.ts: plan',
    situation: lostCreate('full'),
    prints: 'doctor',
    after: '',
    then: shows('looks for it in Omni'),
  },
  'doctor advises the plan that shows the command that resolves a change': {
    from: 'commands/doctor/check-state.ts: plan',
    situation: lostCreate('core'),
    prints: 'doctor',
    after: '',
    then: shows('almanac state resolve schedules.weekly --id ID'),
  },
  'doctor advises to record what became of a delivery': {
    from: 'commands/doctor/check-state.ts: state resolve',
    situation: lostDelivery,
    prints: 'doctor',
    after: 'Find out, then ',
    then: async (_, desk) => expect(textOf(await desk.run('doctor'))).not.toContain('Find out'),
  },
});

it.each(['init --yes', 'init --destination email', 'init --destination webhook email'])(
  'the steps that %s prints lead to a plan without changes',
  async (line) => {
    const desk = await newDesk({ files: {}, environment: { npm_command: 'exec' } });
    const [, baseUrl = ''] = /"baseUrl": "([^"]+)"/.exec(desk.read('almanac.yaml')) ?? [];
    rmSync(join(desk.path, 'almanac.yaml'));
    const { stdout } = await desk.run(`${line} --base-url ${baseUrl}`);
    const steps = [...stdout.matchAll(/^ +npx --no -- almanac (.+)$/gm)].map(([, step = '']) => step);
    expect(steps.length).toBeGreaterThan(2);
    for (const step of steps) {
      const ran = await desk.run(step.startsWith('apply') ? `${step} --auto-approve` : step);
      expect(ran.code, `${step}: ${ran.stdout}${ran.stderr}`).toBe(0);
    }
    expect((await desk.run('plan')).stdout).toContain('No changes.');
  },
);
