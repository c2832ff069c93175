// Random weeks of a schedule and a routine: declarations change, a sink comes and goes, what exists is adopted, and people
// change and remove things in Omni. After each update, every field that the state newly records was in a request of that
// apply, and the user groups and the owner that it records are those of Omni.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StateResource } from '../../src/model/plan/state.ts';
import { kindAt } from '../../src/model/values/address.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { pointerSegments } from '../../src/model/values/pointer.ts';
import { diffAttributes } from '../../src/plan/difference.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { runs } from '../support/runs/runs.ts';
import { mail, routine } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const people = { 'ana@example.com': ids.ana, 'bo@example.com': ids.bo } as const;
type Person = keyof typeof people;
const groups = { Board: ids.board, 'Sales team': ids.salesTeam } as const;
const groupNames = Object.keys(groups) as readonly (keyof typeof groups)[];
const models = [ids.model, '770e8400-e29b-41d4-a716-446655440003'] as const;

const person = fc.constantFrom<Person>('ana@example.com', 'bo@example.com');
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const number = fc.nat({ max: 1 });

const scheduleFields = fc.record({
  subject: number,
  recipients: fc.subarray(['ana@example.com', 'bo@example.com'], { minLength: 1 }),
  userGroups: perhaps(fc.subarray([...groupNames])),
  owner: perhaps(person),
  paused: perhaps(fc.boolean()),
  status: perhaps(fc.constantFrom('shipped', 'returned')),
});
const routineFields = fc.record({
  modelId: fc.constantFrom(...models),
  branchId: perhaps(fc.constant(ids.branch)),
  topicName: perhaps(fc.constantFrom('order_items', 'customers')),
  owner: person,
  prompt: number,
  description: perhaps(number),
  recipients: fc.subarray(['ana@example.com', 'bo@example.com'], { minLength: 1 }),
});

/** What somebody does in Omni before an apply. */
const edit = fc.constantFrom('no group', 'other owner', 'other subject', 'no person', 'running', 'other prompt');

const episode = fc.record({
  schedule: scheduleFields,
  routine: routineFields,
  sunk: fc.boolean(),
  edits: fc.array(edit, { maxLength: 2 }),
  look: fc.constantFrom<readonly string[]>([], [], ['--refresh'], ['--refresh=deep']),
  refreshed: fc.boolean(),
});
type Episode = typeof episode extends fc.Arbitrary<infer T> ? T : never;

const week = fc.record({
  /** What is there before the first apply, and is adopted by it. */
  there: perhaps(fc.record({ schedule: scheduleFields, routine: routineFields })),
  episodes: fc.array(episode, { minLength: 2, maxLength: 5 }),
});
type Week = typeof week extends fc.Arbitrary<infer T> ? T : never;

const schedule = { name: 'Weekly sales', identifier: '12db1a0a' };

function declaredSchedule({ subject, recipients, status, ...rest }: Episode['schedule']): JsonObject {
  const filterConfig = status === undefined ? undefined : { order_status: { values: [status] } };
  return mail({ ...schedule, subject: `Subject ${subject}`, recipients, filterConfig, ...rest });
}

function declaredRoutine({ prompt, description, recipients, ...rest }: Episode['routine']): JsonObject {
  return routine({
    ...rest,
    // The other model has no branches.
    branchId: rest.modelId === ids.model ? rest.branchId : undefined,
    prompt: `Prompt ${prompt}`,
    description: description === undefined ? undefined : `Description ${description}`,
    destination: { type: 'email', recipientEmails: recipients },
  });
}

async function makeByHand(world: World, there: Week['there'] & object): Promise<JsonObject[]> {
  const { owner: _, userGroups = [], paused = false, ...fields } = declaredSchedule(there.schedule);
  const { id } = (await world.send('POST', '/v1/schedules', fields)).body;
  world.emulator.edit(({ schedules }) => {
    for (const each of schedules)
      each.userGroupIds = (userGroups as (keyof typeof groups)[]).map((name) => groups[name]);
  });
  if (paused) await world.send('PUT', `/v1/schedules/${id}/pause`);
  const { owner, ...body } = declaredRoutine(there.routine);
  const made = (await world.send('POST', `/v1/ai/routines?userId=${people[owner as Person]}`, body)).body;
  return [
    { to: 'schedules.s', id },
    { to: 'routines.r', id: made.id },
  ];
}

function editInOmni({ emulator }: World, edits: Episode['edits']): void {
  emulator.edit(({ schedules, routines = [] }) => {
    for (const made of schedules) {
      if (edits.includes('no group')) made.userGroupIds = [];
      if (edits.includes('other owner')) made.ownerId = ids.cleo;
      if (edits.includes('other subject')) made.fields['subject'] = 'As in Omni';
      if (edits.includes('no person')) made.fields['recipients'] = ['ana@example.com'];
      if (edits.includes('running')) delete made.disabledAt;
    }
    for (const made of routines) if (edits.includes('other prompt')) made.fields['prompt'] = 'As in Omni';
  });
}

type Sent = ReturnType<World['emulator']['requests']>;

/** The fields that requests for this id have held. */
function fieldsIn(requests: Sent, id: string): ReadonlySet<string> {
  const names = requests.flatMap(({ method, path, body, status }) => {
    if (method === 'GET' || !path.includes(id)) return [];
    // Omni refuses these where it is so already.
    if (/\/(pause|resume)$/.test(path)) return ['paused'];
    if (path.endsWith('/transfer-ownership')) return ['owner'];
    return status < 300 && !path.endsWith('-recipients') ? Object.keys(body as JsonObject) : [];
  });
  return new Set(names);
}

interface Updated {
  readonly address: string;
  /** Nothing where it is adopted: nobody knows what Omni has. */
  readonly before: JsonObject;
  readonly after: StateResource;
  readonly sent: Sent;
}

/** What only the state holds. */
const notSent: readonly string[] = ['accept', 'lifecycle', 'meta'];
/** What says which routine an adopted one is, the groups that it had already, and who owns it already, Omni says itself. */
const compared: readonly string[] = ['modelId', 'branchId', 'topicName', 'userGroups', 'owner'];

function expectSent({ emulator }: World, { address, before, after: { id = '', attributes }, sent }: Updated): void {
  const kind = kindAt(address);
  const recorded = diffAttributes(kind, before, attributes);
  const fieldOf = ({ path }: (typeof recorded)[number]) => pointerSegments(path)[0] ?? '';
  const held = fieldsIn(sent, id);
  const isProven = (field: string) => held.has(field) || notSent.includes(field) || compared.includes(field);
  const missing = recorded.filter(({ op }) => op !== 'remove').map(fieldOf);
  expect(
    missing.filter((field) => !isProven(field)),
    `recorded of ${address} and not sent`,
  ).toEqual([]);
  const { schedules, routines = [] } = emulator.data();
  const [schedule] = schedules.filter((each) => each.id === id);
  const [made] = routines.filter((each) => each.id === id);
  for (const each of recorded.filter((one) => schedule !== undefined && fieldOf(one) === 'userGroups')) {
    const group = groups[(each.after ?? each.before) as keyof typeof groups];
    expect(schedule?.userGroupIds?.includes(group) ?? false).toBe(each.op === 'add');
  }
  const { owner } = attributes;
  if (schedule !== undefined && owner !== undefined) expect(schedule.ownerId).toBe(people[owner as Person]);
  if (made === undefined) return;
  expect(made.ownerId).toBe(people[attributes['owner'] as Person]);
  const { modelId, branchId, topicName } = attributes;
  // Omni chooses a topic where none is declared.
  const there = { modelId, branchId, ...(topicName === undefined ? {} : { topicName }) };
  expect({ branchId: undefined, ...made.fields }).toMatchObject(there);
}

async function play({ there, episodes }: Week): Promise<void> {
  const world = await openWorld({}, { isKept: true });
  try {
    world.emulator.edit(({ documents, models: all }) => {
      for (const document of documents) document.sharedWithGroups = Object.values(groups);
      const [first] = all;
      if (first !== undefined) all.push({ ...first, id: models[1], branches: [] });
    });
    const adopt = there === undefined ? [] : await makeByHand(world, there);
    let tracked: ReadonlySet<string> = new Set();
    for (const [index, given] of episodes.entries())
      tracked = await apply(world, index === 0 && there !== undefined ? adopting(given, there) : given, adopt, tracked);
  } finally {
    await world.close();
  }
}

/** An entry of adopt is refused in an environment with a sink, and where it names a routine of another member or model. */
function adopting(given: Episode, { routine: { owner, modelId } }: Week['there'] & object): Episode {
  return { ...given, sunk: false, routine: { ...given.routine, owner, modelId } };
}

/** What is tracked afterwards. */
async function apply(
  world: World,
  given: Episode,
  adopt: readonly JsonObject[],
  tracked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const deliver = given.sunk ? { email: ['qa@example.com'] } : undefined;
  world.write({
    'almanac.yaml': {
      api: { baseUrl: world.baseUrl, operations: 'full', rateLimit: 0 },
      safety: { maxDeletePercent: 100 },
      environments: { staging: { state: { path: 'almanac.state.json' }, deliver } },
    },
    'schedules/all.yaml': {
      schedules: { s: declaredSchedule(given.schedule) },
      routines: { r: declaredRoutine(given.routine) },
      adopt,
    },
  });
  editInOmni(world, given.edits);
  const env = ['--env', 'staging'];
  if (given.refreshed) await world.run('apply', '--auto-approve', '--refresh-only', '--refresh=deep', ...env);
  const start = world.emulator.requests().length;
  const planned = new Map((await world.plan(...given.look, ...env)).changes.map((change) => [change.address, change]));
  const { code, stdout, stderr } = await world.run(
    'apply',
    '--auto-approve',
    '--format',
    'json',
    ...given.look,
    ...env,
  );
  const { results = [] } = JSON.parse(stdout) as { results?: { address: string; status: string }[] };
  expect(stdout + stderr).not.toContain('bug in almanac');
  // Nothing fails here but what goes to somebody whom no plan has shown.
  if (code !== 0) expect(stdout + stderr).toMatch(/no plan has shown|delivers elsewhere in Omni/);
  const { resources } = world.state();
  for (const { address, status } of results) {
    const change = planned.get(address);
    const resource = resources[address];
    if (status !== 'applied' || change?.action !== 'update' || resource === undefined) continue;
    if (recordsOnly.has(change.reason)) continue;
    const before = tracked.has(address) ? (change.before ?? {}) : {};
    expectSent(world, { address, before, after: resource, sent: world.emulator.requests().slice(start) });
  }
  return new Set(Object.keys(resources));
}

/** What these record was seen in Omni, or is of no concern to it. */
const recordsOnly: ReadonlySet<string> = new Set(['as-declared', 'state-only']);

it('every field that the state newly records after an update was in a request', { timeout: 600_000 }, async () => {
  await fc.assert(fc.asyncProperty(week, play), { numRuns: runs(100) });
});
