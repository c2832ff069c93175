// The advised commands to read on, to correct mistakes, and to go on. Going on follows a plan, a trigger, an import or
// a new workspace.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import {
  advised,
  advising,
  after,
  alone,
  appliedDesk,
  type Desk,
  daily,
  declare,
  newDesk,
  type Promised,
  posts,
  secret,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';
import { ids } from '../../support/emulator/start-emulator.ts';

const [ana, bo] = ['ana@example.com', 'bo@example.com'];
const declared = (schedules: object) => ({ files: { 'schedules/all.yaml': { schedules } } });
const named = (count: number, of: (index: number) => object = () => ({})) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, { ...weekly, name: `S${at}`, ...of(at) }]));
const many = declared(named(12, (at) => ({ filterConfig: { region: { values: [`r${at}`] } } })));
const goesThrough = (...lines: readonly string[]): Promised => {
  return async (_ran, desk) => {
    for (const line of lines) expect((await desk.run(line)).code).toBe(0);
  };
};

advising('in a new workspace', newDesk)
  .on('fmt --check', 'fmt', succeedsThen)
  .on('next dashboard:something-else', 'list documents', '12db1a0a')
  .on("offboard '*@example.com'", 'who', 'schedules.weekly')
  .on('list documents --folder Sales', 'list documents --format', '"folder"')
  .on('schema plan --workspace', 'schema --workspace', '"$schema"')
  .on('show --format html', 'plan --out', { more: 'a.plan', then: goesThrough('show a.plan --format html') })
  .on('apply schedules/all.yaml --auto-approve', 'apply', { after: 'Name no source file: ' })
  .on('state show', 'apply', { after: 'The first ', then: succeedsThen })
  .on('plan --chdir /proc', 'init', {
    apart: true,
    more: '--chdir new',
    first: ({ write }) => write({ 'new/.keep': '' }),
    then: goesThrough('validate --chdir new'),
  })
  .on(['plan --format markdown', 'plan --format html'], 'apply --expect', {
    after: 'Digest ',
    fill: (printed) => ({ DIGEST: /Digest \S*([0-9a-f]{64})/.exec(printed)?.[1] ?? '' }),
  })
  .on(`apply --expect ${'a'.repeat(64)} --auto-approve`, 'plan', async (ran, desk) => {
    const [, digest = ''] = /Digest ([0-9a-f]{64})/.exec(textOf(ran)) ?? [];
    expect((await desk.run(`apply --expect ${digest} --auto-approve`)).code).toBe(0);
  });

advising('where two schedules are applied', appliedDesk)
  .on('next schedules.other', 'state list', 'schedules.weekly')
  .on('plan --target schedules.other', 'state list', 'schedules.weekly')
  .on('state list schedules.other', 'state list', 'schedules.weekly')
  .on('state rm schedules.other', 'state list', 'schedules.weekly')
  .on('trigger schedules.other --auto-approve', 'state list', 'schedules.weekly')
  .on('state mv schedules.weekly schedules.daily', 'state show', 'Daily sales')
  .on('state resolve schedules.weekly --retry', 'plan', 'No changes.')
  .on(`state orphans --clear ${ids.ana}`, 'state orphans', 'No orphans')
  .on('show schedules.weekly', 'state show', 'recipients')
  .on('apply schedules.weekly --auto-approve', 'show --resolved', 'recipients:')
  .on(`offboard ${ana} --to ${bo} --write --offline`, 'plan', '2 to update')
  .on('drift', 'drift --deep', (ran) => expect(textOf(ran)).not.toContain('were not compared'));

advising('at a terminal', () => appliedDesk({ ...many, onTerminal: true }))
  .on('next --days 60', 'next --timezone', 'schedules.s11')
  .on('show', 'state list', 'schedules.s11')
  .on('show', 'state show', { fill: () => ({ ADDRESS: 'schedules.s11' }), then: shows('name: "S11"') })
  .on('schema', 'schema', { after: 'Print one with ', fill: () => ({ NAME: 'plan' }), then: shows('"$schema"') })
  .on('next --days 60', 'next --at', '12 of 12 schedules run on');
const alike = { 'schedules/all.yaml': stringify({ schedules: named(3) }, { aliasDuplicateObjects: false }) };
advising('where schedules are alike', () => appliedDesk({ files: alike, onTerminal: true }))
  .on('fold', 'fold', { more: "'schedules.s*'", apart: true, then: succeedsThen })
  .on("fold 'schedules.s*'", 'plan', { apart: true, then: shows('3 to move') });
advising('at a terminal, before an apply', () => newDesk({ onTerminal: true })).on('plan --out a.plan', 'apply');

/** One warning that has been there for long. */
const twins = { weekly, twin: { ...weekly }, daily };
const standing = after(() => appliedDesk(declared(twins)), declare({ ...twins, daily: { ...daily, format: 'png' } }));
advising('where a finding is about another resource', standing)
  .on('plan', 'plan', 'warning[')
  .on('drift', 'drift', { after: 'what has not drifted', then: shows('warning[') });

const wrong = (schedules: object) => after(newDesk, declare(schedules));
advising('where a declaration has errors', wrong({ ...twins, daily: { ...daily, schedule: 'never' } }))
  .on('validate', 'validate', { code: 1, then: shows('warning[') })
  .on('doctor', 'validate', { code: 1, then: shows('schedules/all.yaml') });
advising('where a paused schedule is asked for', wrong({ weekly, daily: { ...daily, paused: true } })).on(
  'next schedules.daily',
  'next',
  { after: 'Without an address, ', then: shows('schedules.weekly') },
);
advising('where a dashboard is unknown', wrong({ weekly: { ...weekly, identifier: 'zzzzzzzz' } })).on(
  'validate --online',
  'list documents',
  '12db1a0a',
);
advising('where a secret is not set', wrong({ secret }))
  .on('doctor', 'apply', {
    first: ({ environment }) => void Object.assign(environment, { HOOK: 'x-y-z' }),
    then: succeedsThen,
  })
  .on('plan', 'apply', { first: ({ environment }) => void Object.assign(environment, { HOOK: 'x-y-z' }) });
const job = { modelId: ids.model, prompt: 'How are sales?' };
const jobs = (aiJobs: object, options: EmulatorOptions = {}) =>
  newDesk({ files: { 'schedules/all.yaml': { aiJobs } }, jobDurationMs: 1_000_000, ...options });
advising('where a job is declared', () => jobs({ job }))
  .on('apply --auto-approve --wait=1', 'ai status', 'QUEUED')
  .on('ai status aiJobs.job', 'apply', succeedsThen);
advising(
  'where a job runs',
  after(
    () => jobs({ job }),
    ({ run }) => run('apply --auto-approve'),
  ),
)
  .on('ai status aiJobs.other', 'state list', 'aiJobs.job')
  .on('ai result aiJobs.job', 'ai status', 'QUEUED');
const paused = after(appliedDesk, ({ emulator }) =>
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.disabledAt = '2026-03-01T00:00:00.000Z';
  }),
);
advising('where schedules are paused in Omni', paused).on(
  'trigger schedules.weekly --auto-approve',
  'status',
  'paused',
);
const stopped = after(appliedDesk, ({ emulator }) =>
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.systemDisabled = { at: '2026-03-01T00:00:00.000Z', reason: 'noAccess' };
  }),
);
advising('where Omni has stopped schedules', stopped).on('plan --refresh', 'status', {
  code: 2,
  then: shows('schedules.weekly'),
});
advising('with operations core', () => appliedDesk({ files: alone, operations: 'core' })).on(
  'trigger schedules.weekly --auto-approve',
  'test',
  { fill: () => ({ ADDRESS: 'schedules.weekly' }), then: (_, desk) => expect(posts(desk)).toBe(2) },
);
advising('where a test delivery is declared', () => appliedDesk(declared({ once: { ...weekly, testNow: true } }))).on(
  'plan --replace schedules.once',
  'test',
  'Omni was asked to deliver schedules.once',
);
const sunk = { staging: { state: { path: 'almanac.state.json' }, deliver: { email: ['qa@example.com'] } } };
const withSinks = () => appliedDesk({ almanac: { environments: sunk } });
advising('where an environment has sinks', withSinks).on(
  'trigger schedules.weekly --env staging --auto-approve',
  'apply --env',
  { apart: true, then: succeedsThen },
);
advising('where an environment with sinks lacks a schedule', after(withSinks, declare({ daily }))).on(
  'trigger schedules.weekly --env staging --auto-approve',
  'apply --env',
  { apart: true, then: (_, desk) => expect(Object.keys(desk.state().resources)).toEqual(['schedules.daily']) },
);

advising(
  'where little has been reviewed',
  after(newDesk, ({ write }) => write({ digests: '', others: 'none\n' })),
)
  .on('apply --expect-changes digests --auto-approve', 'plan', 'create schedules.daily: ')
  .on('apply --expect-changes others --auto-approve', 'plan --format', async ({ stdout }, desk) => {
    const { changes } = JSON.parse(stdout) as { changes: readonly { digest: string }[] };
    desk.write({ digests: changes.map(({ digest }) => `${digest}\n`).join('') });
    expect((await desk.run('apply --expect-changes digests --auto-approve')).code).toBe(0);
  });
const saved = { more: 'b.plan', then: goesThrough('apply b.plan --auto-approve') };
const withPlan = after(newDesk, ({ run }) => run('plan --out a.plan'));
advising('where a plan is saved', withPlan).on('apply a.plan --target schedules.weekly --auto-approve', 'plan', {
  ...saved,
  more: '--target schedules.weekly --out b.plan',
});
advising('where a saved plan is out of date', after(withPlan, declare({ weekly: { ...weekly, name: 'Other' } }))).on(
  'apply a.plan --auto-approve',
  'plan --out',
  saved,
);

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

it.each([
  ['drift schedules.weekly', 'only this resource, write'],
  ['drift --write --deep schedules.weekly', 'follow `--write` directly:'],
])('the command that answers an address in the wrong place works: %s', async (argv, words) => {
  const { run }: Desk = await appliedDesk();
  const refused = await run(argv);
  expect(refused.code).toBe(1);
  expect(await run(advised(textOf(refused), words, 'drift'))).toMatchObject({ code: 0, stderr: '' });
});
