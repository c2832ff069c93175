// The trouble of one resource stops that resource: in a world of twenty changes over three dashboards with one trouble, nineteen are
// as declared, nothing was sent for the one, and the result names it and the way on.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import type { State } from '../../src/model/plan/state.ts';
import { someOf } from '../support/runs/runs.ts';
import { aiJob, dashboard, mail, region, routine } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const dashboards = ['12db1a0a', '3f9c2b71', '7ae01c55'];
const owner = 'ana@example.com';
const eve = 'eve@northpine.example';

type Declared = Record<string, Record<string, unknown>>;

const report = (index: number, more: object = {}) =>
  mail({
    name: `S${index}`,
    identifier: dashboards[index % 3],
    recipients: [owner, eve],
    ...(index === 3 ? { filterConfig: region('North') } : {}),
    ...more,
  });

const names = Array.from({ length: 16 }, (_, index) => index);

/** Sixteen schedules, two routines, a dashboard and an AI job. */
const before = (): { schedules: Declared; routines: Declared; dashboards: Declared; aiJobs: Declared } => ({
  schedules: Object.fromEntries(names.map((index) => [`s${index}`, report(index)])),
  routines: { r0: routine({ name: 'R0', owner }), r1: routine({ name: 'R1', owner }) },
  dashboards: { d: dashboard({ identifier: '7ae01c55', filters: { region: { values: ['Asia'] } } }) },
  aiJobs: { j: aiJob() },
});

/** Twelve updates, a pause, a receiver who leaves, two deletions, two routines and an AI job that change, a create, and a dashboard's filter. */
const after = () => {
  const { schedules, routines, dashboards: filtered, aiJobs } = before();
  for (const index of names) schedules[`s${index}`] = report(index, { subject: 'Two' });
  schedules['s12'] = report(12, { paused: true });
  schedules['s13'] = report(13, { recipients: [owner] });
  delete schedules['s14'];
  delete schedules['s15'];
  schedules['new'] = report(16);
  for (const [key, each] of Object.entries(routines)) routines[key] = { ...each, prompt: 'Two' };
  filtered['d'] = dashboard({ identifier: '7ae01c55', filters: { region: { values: ['Europe'] } } });
  aiJobs['j'] = aiJob({ prompt: 'Two' });
  return { schedules, routines, dashboards: filtered, aiJobs };
};

type Files = ReturnType<typeof after> & { adopt?: readonly object[] };

interface Trouble {
  /** The resource that has it. */
  readonly at: string;
  /** It befalls the world after the first apply, or the files. */
  readonly befalls: (world: World, files: Files) => void;
  /** In the result of the resource. */
  readonly says: readonly string[];
  /** What depends on it waits, and says for what. */
  readonly waits?: readonly string[];
}

const rename = (name: string, more: object) => (world: World) =>
  world.change(name, (fields) => void Object.assign(fields, more));

const editState = (world: World, edit: (state: State) => object) => {
  const state = world.state();
  world.write({ 'almanac.state.json': { ...state, serial: state.serial + 1, ...edit(state) } });
};

function answering(world: World, path: string, status: number, body: string): void {
  const server = world.emulator.server as Server;
  const [listener] = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || !request.url?.endsWith(path)) return listener?.(request, response);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

const editFilters = (world: World, dashboardId: string, edit: (filters: Record<string, unknown>) => void) =>
  world.emulator.edit(({ documents }) =>
    edit(documents.find(({ identifier }) => identifier === dashboardId)?.dashboard?.filters ?? {}),
  );

const editRoutine = (world: World, name: string, more: object) =>
  world.emulator.edit(
    ({ routines = [] }) =>
      void Object.assign(routines.find(({ fields }) => fields['name'] === name)?.fields ?? {}, more),
  );

const details = (status: number, body: string) => (world: World) =>
  answering(world, `/v1/schedules/${world.idOf('schedules.s0')}`, status, body);

const changed =
  (key: string, more: object) =>
  (_: World, { schedules }: Files) => {
    schedules[key] = { ...schedules[key], ...more };
  };

/** The reports that show the dashboard with its filter. */
const followers = ['schedules.s11', 'schedules.s2', 'schedules.s5', 'schedules.s8'];

const disagree = 'The state and Omni disagree about an id.';

const troubles: Readonly<Record<string, Trouble>> = {
  'renamed in Omni': {
    at: 'schedules.s0',
    befalls: rename('S0', { name: 'Other' }),
    says: [disagree, 'the state has "S0"', 'Omni lists "Other"', 'almanac apply --refresh-only --target schedules.s0'],
  },
  'a pause of what was renamed': {
    at: 'schedules.s12',
    befalls: rename('S12', { name: 'Other' }),
    says: [disagree, 'Omni lists "Other"'],
  },
  'a deletion of what was renamed': {
    at: 'schedules.s15',
    befalls: rename('S15', { name: 'Other' }),
    says: [disagree, 'Omni lists "Other"'],
  },
  'moved to another dashboard': {
    at: 'schedules.s0',
    befalls: rename('S0', { identifier: '3f9c2b71' }),
    says: [disagree, 'on the dashboard 3f9c2b71'],
  },
  'an id of another schedule': {
    at: 'schedules.s0',
    befalls: (world) => {
      const id = world.makeByHand(mail({ name: 'Payroll', identifier: '3f9c2b71' }));
      editState(world, ({ resources }) => ({
        resources: { ...resources, 'schedules.s0': { ...resources['schedules.s0'], id } },
      }));
    },
    says: [disagree, 'Omni lists "Payroll"'],
  },
  'deleted and made again in Omni': {
    at: 'schedules.s0',
    befalls: (world) =>
      world.change('S0', (_, schedule) => void Object.assign(schedule, { id: '00000000-0000-4000-8000-00000000aaaa' })),
    says: ['Somebody deleted schedules.s0 in Omni', '--refresh --target schedules.s0'],
  },
  'a group that nobody knows': {
    at: 'schedules.s0',
    befalls: changed('s0', { userGroups: ['Bord'] }),
    says: ['No user group called `Bord`', 'give it access to the dashboard'],
  },
  'an owner whom nobody knows': {
    at: 'schedules.s0',
    befalls: changed('s0', { owner: 'nobody@example.com' }),
    says: ['Nobody in the organization has the address nobody@example.com', 'Write the address'],
  },
  'a routine whose owner is nobody': {
    at: 'routines.new',
    befalls: (_, { routines }) => {
      routines['new'] = routine({ name: 'New', owner: 'nobody@example.com' });
    },
    says: ['Nobody in the organization has the address nobody@example.com'],
  },
  'a routine of a model that is gone': {
    at: 'routines.new',
    befalls: (_, { routines }) => {
      routines['new'] = routine({ name: 'New', owner, modelId: '00000000-0000-4000-8000-000000000009' });
    },
    says: [''],
  },
  'a filter that is gone from the dashboard': {
    at: 'schedules.s3',
    befalls: (world) => editFilters(world, '12db1a0a', (filters) => void delete filters['region']),
    says: ['no longer has the filter `region`'],
  },
  'a filter that compares another type now': {
    at: 'schedules.s3',
    befalls: (world) =>
      editFilters(world, '12db1a0a', (filters) => {
        filters['region'] = { ...(filters['region'] as object), type: 'number' };
      }),
    says: ['`filterConfig.region` has the type `string`'],
  },
  'a filter of a dashboard that is gone': {
    at: 'dashboards.d',
    befalls: (world) => editFilters(world, '7ae01c55', (filters) => void delete filters['region']),
    says: ['region'],
    waits: followers,
  },
  'a filter of a dashboard that somebody changed': {
    at: 'dashboards.d',
    befalls: (world) =>
      editFilters(world, '7ae01c55', (filters) => {
        filters['region'] = { ...(filters['region'] as object), values: ['Africa'] };
      }),
    says: ['would undo what somebody changed', '--refresh --target dashboards.d'],
    waits: followers,
  },
  'a routine that somebody renamed': {
    at: 'routines.r0',
    befalls: (world) => editRoutine(world, 'R0', { name: 'Other' }),
    says: ['Omni lists "Other"'],
  },
  'a routine whose prompt somebody changed': {
    at: 'routines.r0',
    befalls: (world) => editRoutine(world, 'R0', { prompt: 'Other' }),
    says: ['would undo what somebody changed', '--refresh --target routines.r0'],
  },
  'a routine that somebody deleted': {
    at: 'routines.r0',
    befalls: (world) =>
      world.emulator.edit((data) => {
        data.routines = data.routines?.filter(({ fields }) => fields['name'] !== 'R0') ?? [];
      }),
    says: ['Somebody deleted routines.r0 in Omni', '--refresh --target routines.r0'],
  },
  'a routine that gets a model that is gone': {
    at: 'routines.r0',
    befalls: (_, { routines }) => {
      routines['r0'] = { ...routines['r0'], modelId: '00000000-0000-4000-8000-000000000009' };
    },
    says: ['00000000-0000-4000-8000-000000000009'],
  },
  'an AI job of a model that is gone': {
    at: 'aiJobs.j',
    befalls: (_, { aiJobs }) => {
      aiJobs['j'] = aiJob({ prompt: 'Two', modelId: '00000000-0000-4000-8000-000000000009' });
    },
    says: ['00000000-0000-4000-8000-000000000009'],
  },
  'a report on a dashboard that is not there': {
    at: 'schedules.new',
    befalls: changed('new', { identifier: 'zzzzzzzz' }),
    says: ['zzzzzzzz'],
  },
  'details that may not be read': {
    at: 'schedules.s0',
    befalls: details(403, '{"detail":"no"}'),
    says: ['cannot tell what became of `schedules.s0`'],
  },
  'details that are nonsense': {
    at: 'schedules.s0',
    befalls: details(200, '<html>'),
    says: ['cannot tell what became of `schedules.s0`'],
  },
  'a time that somebody changed': {
    at: 'schedules.s0',
    befalls: rename('S0', { schedule: '0 7 ? * TUE *' }),
    says: ['would undo what somebody changed', '--refresh --target schedules.s0'],
  },
  'a create that is open and that nobody can settle': {
    at: 'schedules.new',
    befalls: (world) => {
      const { resources } = world.state();
      const existing = Object.values(resources).flatMap(({ id }) => id ?? []);
      world.makeByHand(report(16));
      world.makeByHand(report(16));
      const open = { address: 'schedules.new', action: 'create', since: '2026-03-01T00:00:00.000Z', existing };
      editState(world, () => ({ unresolved: [{ ...open, attributes: report(16) }] }));
    },
    says: ['and its answer was lost', 'almanac state resolve schedules.new --id ID'],
  },
  'an adoption of what is not there': {
    at: 'schedules.taken',
    befalls: (_, files) => {
      files.schedules['taken'] = report(17);
      files.adopt = [{ to: 'schedules.taken', id: '00000000-0000-4000-8000-00000000bbbb' }];
    },
    says: ['Omni has no schedule with the id', 'Copy the id'],
  },
  'an adoption of what is on another dashboard': {
    at: 'schedules.taken',
    befalls: (world, files) => {
      files.schedules['taken'] = report(17);
      files.adopt = [{ to: 'schedules.taken', id: world.makeByHand(report(18)) }];
    },
    says: ['is declared on a different dashboard', 'Copy the id'],
  },
};

it.each(someOf(Object.keys(troubles), 1))('of twenty changes, only the one with %s is not made', async (name) => {
  const trouble = troubles[name];
  if (trouble === undefined) throw new Error(name);
  const world = await openWorld(before(), { config: { safety: { maxDeletePercent: 20 } } });
  await world.apply();
  const files: Files = after();
  trouble.befalls(world, files);
  world.write({ 'schedules/all.yaml': files });
  const id = world.state().resources[trouble.at]?.id;
  world.sent();
  const ran = await world.run('apply', '--auto-approve', '--format', 'json');
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  const { results } = JSON.parse(ran.stdout) as ApplyDocument;
  const troubled = results.filter(({ status }) => status !== 'applied');
  const { waits = [] } = trouble;
  expect(troubled.map(({ address }) => address).sort()).toEqual([trouble.at, ...waits].sort());
  for (const { address, error } of troubled)
    if (waits.includes(address)) expect(error?.message).toContain('dashboard 7ae01c55');
  const { error } = troubled.find(({ address }) => address === trouble.at) ?? {};
  const said = [error?.message, error?.hint].join(' ');
  for (const words of trouble.says) expect(said).toContain(words);
  const sent = world.sent();
  if (id !== undefined) expect(sent.filter((line) => line.includes(id))).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(20);
  const open = (await world.plan()).changes.filter(({ requests }) => requests > 0).map(({ address }) => address);
  expect(open.filter((each) => each !== trouble.at && !waits.includes(each))).toEqual([]);
});

it('ids that disagree in more than safety.maxDeletePercent of those that were looked at stop all twenty changes', async () => {
  const world = await openWorld(before(), { config: { safety: { maxDeletePercent: 20 } } });
  await world.apply();
  for (const index of [0, 1, 2, 3, 4, 5]) rename(`S${index}`, { name: `Other ${index}` })(world);
  world.write({ 'schedules/all.yaml': after() });
  world.sent();
  const { code, stderr } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stderr).toContain('error[blocked]: The state and Omni disagree about 6 ids.');
  expect(world.sent()).toEqual([]);
});

it.each([['--fail-fast'], ['--expect']])('with %s, one change that is left leaves all', async (option) => {
  const world = await openWorld(before());
  await world.apply();
  rename('S0', { name: 'Other' })(world);
  world.write({ 'schedules/all.yaml': after() });
  const { digest } = await world.plan();
  world.sent();
  const given = option === '--expect' ? [option, digest] : [option];
  const { code, stderr } = await world.run('apply', '--auto-approve', ...given);
  expect(code).toBe(1);
  expect(stderr).toContain('error[blocked]: The state and Omni disagree about an id.');
  expect(world.sent()).toEqual([]);
});
