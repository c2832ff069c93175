// What takes away goes alone where the rest of its change is left: by the kind of what is taken away, and by the trouble that
// leaves the rest. A name that means no group takes nobody off.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { pairsOf } from '../support/runs/runs.ts';
import { dashboard, inOneLine, mail, region, routine, sales, slack } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const address = 'schedules.a';
const [board, team] = ['a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31', 'b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567'];
const third = 'c38e6f91-2d5a-4b7c-ae4d-95b1d2f30678';
const [ana, eve] = ['ana@example.com', 'eve@northpine.example'];

const report = mail({
  name: 'A',
  recipients: [ana, eve],
  userGroups: ['Board', 'Sales team'],
  filterConfig: region('North'),
});
const other = mail({ name: 'B' });

/** What the files take away, with the request and the words for it. */
const takings = {
  receiver: { to: { recipients: [ana] }, sent: 'remove-recipients', words: `taken off: ${eve}` },
  group: { to: { userGroups: ['Board'] }, sent: 'remove-recipients', words: 'taken off: Sales team' },
  pause: { to: { paused: true }, sent: 'pause', words: 'paused' },
};
type Taking = keyof typeof takings;

/** Both groups have access to the dashboard. */
async function openApplied(schedules: object): Promise<World> {
  const world = await openWorld({ schedules });
  world.emulator.edit(({ documents }) => {
    const found = documents.find(({ identifier }) => identifier === sales);
    Object.assign(found ?? {}, { sharedWithGroups: [board, team] });
  });
  await world.apply();
  world.sent();
  return world;
}

/** Answers GET requests whose path ends so before the service sees them. */
function refusing({ emulator }: World, path: string, status: number, body: string): void {
  const server = emulator.server as Server;
  const [listener] = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || !request.url?.endsWith(path)) return listener?.(request, response);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

const ofSales = (edit: (filters: Record<string, unknown>) => void) => (world: World) =>
  world.emulator.edit(({ documents }) => {
    const filters: Record<string, unknown> =
      documents.find(({ identifier }) => identifier === sales)?.dashboard?.filters ?? {};
    edit(filters);
  });

/** What leaves the rest of the change, by what it changes too, what happened in Omni, and what the result says. */
const troubles: Readonly<
  Record<
    string,
    {
      readonly and?: object;
      readonly happens?: (world: World) => void;
      readonly says: string;
      /** The taking that waits for it: the groups of a list in which a name means no group. */
      readonly stays?: Taking;
    }
  >
> = {
  'a time that somebody changed': {
    happens: (world) => world.change('A', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' })),
    says: 'this change would undo what somebody changed',
  },
  'an owner whom nobody knows': {
    and: { owner: 'nobody@example.com' },
    says: 'nobody in the organization has the address',
  },
  'a filter that is gone from its dashboard': {
    happens: ofSales((filters) => void delete filters['region']),
    says: 'its dashboard no longer has the filter `region`',
  },
  'a filter that compares another type now': {
    happens: ofSales((filters) =>
      Object.assign(filters, { region: { ...(filters['region'] as object), type: 'number' } }),
    ),
    says: '`filterConfig.region` has the type `string`',
  },
  'a group that nobody knows': {
    and: { userGroups: ['Board', 'Sales team', 'Bord'] },
    says: 'no user group called `Bord` has access to the dashboard',
    stays: 'group',
  },
  'a receiver whom somebody added': {
    happens: (world) =>
      world.change('A', (fields) => void Object.assign(fields, { recipients: [ana, eve, 'joe@example.com'] })),
    says: 'this change would undo what somebody changed',
  },
  'a group that somebody added': {
    happens: (world) => {
      world.emulator.edit(({ userGroups }) => void userGroups?.push({ id: third, name: 'Third', memberIds: [] }));
      world.change('A', (_, schedule) => void Object.assign(schedule, { userGroupIds: [board, team, third] }));
    },
    says: 'this change would undo what somebody changed',
  },
  'a format that somebody changed': {
    happens: (world) => world.change('A', (fields) => void Object.assign(fields, { format: 'xlsx' })),
    says: 'this change would undo what somebody changed',
  },
  'a page of details that is nonsense': {
    happens: (world) => refusing(world, `/v1/schedules/${world.idOf(address)}`, 200, '<html>'),
    says: 'Almanac cannot tell what became of',
  },
  'a page of details that answers 403': {
    happens: (world) => refusing(world, `/v1/schedules/${world.idOf(address)}`, 403, '{"detail":"no"}'),
    says: 'Almanac cannot tell what became of',
  },
};

const pairs = pairsOf(Object.keys(takings) as Taking[], Object.keys(troubles));

it.each(pairs.filter(([taking, trouble]) => troubles[trouble]?.stays !== taking))(
  'a %s that the files take away goes alone where the rest is left because of %s',
  async (taking, trouble) => {
    const { to, sent, words } = takings[taking];
    const { and = {}, happens, says } = troubles[trouble] ?? { says: '' };
    const world = await openApplied({ a: report, b: other });
    happens?.(world);
    world.declare({ a: { ...report, subject: 'Two', ...and, ...to }, b: { ...other, subject: 'Two' } });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    const said = inOneLine(stdout);
    expect(said).toContain(`Sent in part: ${words}; the rest is left, because ${says}`);
    expect(said).not.toContain('Not sent');
    const ofA = world.sent().filter((line) => line.includes(world.idOf(address)));
    expect(ofA.map((line) => line.split('/').at(-1))).toEqual([sent]);
  },
);

/** The troubles that are about no receiver. */
const ofOthers = [
  'a time that somebody changed',
  'a format that somebody changed',
  'an owner whom nobody knows',
  'a filter that is gone from its dashboard',
  'a filter that compares another type now',
  'a page of details that is nonsense',
  'a page of details that answers 403',
];

it.each(ofOthers)(
  'what a line that has ended pauses is paused where the rest is left because of %s',
  async (trouble) => {
    const { and = {}, happens } = troubles[trouble] ?? {};
    const safety = {
      internalDomains: ['example.com'],
      rows: { filters: ['region'], allow: 'tenants.csv', ended: 'pause' },
    };
    const { userGroups: _, ...mailed } = report;
    const files = {
      schedules: { a: mailed },
      'tenants.csv': 'shows,receiver,until\nNorth,northpine.example,2026-03-05\n',
    };
    const world = await openWorld(files, { config: { safety } });
    await world.apply();
    world.until(10, 0);
    happens?.(world);
    world.declare({ a: { ...mailed, subject: 'Two', ...and } });
    world.sent();
    const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stderr).toBe(1);
    expect(inOneLine(stdout)).toContain('Sent in part: paused; the rest is left, because ');
    expect(world.sent()).toEqual([expect.stringMatching(/\/pause$/)]);
  },
);

const groupsIn = ({ emulator }: World) =>
  emulator.data().schedules.find(({ fields }) => fields['name'] === 'A')?.userGroupIds;
const peopleIn = ({ emulator }: World) =>
  emulator.data().schedules.find(({ fields }) => fields['name'] === 'A')?.fields['recipients'];

it('a misspelled group takes nobody off, and holds back nobody who is taken off the recipients', async () => {
  const world = await openApplied({ a: report });
  world.declare({ a: { ...report, userGroups: ['Bord'], recipients: [ana] } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(groupsIn(world)).toEqual([board, team]);
  expect(peopleIn(world)).toEqual([ana]);
  expect(inOneLine(stdout)).toContain(
    `Sent in part: taken off: ${eve}; the rest is left, because no user group called \`Bord\` has access to the dashboard 12db1a0a.`,
  );
});

it('a change of nothing but a misspelled group sends nothing, and is called not sent', async () => {
  const world = await openApplied({ a: report });
  world.declare({ a: { ...report, userGroups: ['Bord'] } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent()).toEqual([]);
  expect(inOneLine(stdout)).toContain('Not sent: No user group called `Bord` has access');
  world.declare({ a: { ...report, userGroups: ['Board'] } });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  expect(groupsIn(world)).toEqual([board]);
  await world.expectQuiet();
});

it.each(Object.keys(troubles))('a deletion goes whatever the schedule has of its own: %s', async (trouble) => {
  const world = await openApplied({ a: report, b: other });
  const id = world.idOf(address);
  troubles[trouble]?.happens?.(world);
  world.declare({ b: other });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  expect(world.sent()).toEqual([`DELETE /api/v1/schedules/${id}`]);
});

it('a pause waits for nothing: it is sent where the filters of its dashboard could not be set', async () => {
  const world = await openWorld({ schedules: { a: report } }, { faults: [{ fault: '500', on: 'PATCH' }] });
  world.declare({ a: { ...report, userGroups: undefined } });
  await world.apply();
  world.sent();
  const paused = { ...report, userGroups: undefined, subject: 'Two', paused: true };
  world.declare({ a: paused }, { dashboards: { d: dashboard({ filters: region('Asia') }) } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent().filter((line) => !line.startsWith('PATCH'))).toEqual([expect.stringMatching(/\/pause$/)]);
  expect(inOneLine(stdout)).toContain(
    `Sent in part: paused; the rest is left, because the filters of its dashboard ${sales} could not be set.`,
  );
});

it.each(ofOthers)(
  'a channel in Slack stays until the rest is sent, because only that takes it off: %s',
  async (trouble) => {
    const { and = {}, happens, says = '' } = troubles[trouble] ?? {};
    const posted = { name: 'A', filterConfig: region('North') };
    const world = await openApplied({ a: slack(posted) });
    happens?.(world);
    world.declare({ a: slack({ ...posted, ...and, recipients: 'C9876543210' }) });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(world.sent()).toEqual([]);
    expect(inOneLine(stdout).toLowerCase()).toContain(`not sent: ${says.toLowerCase()}`);
  },
);

const summary = (more: object = {}) =>
  routine({
    name: 'R',
    owner: ana,
    destination: { type: 'email', recipientEmails: [ana, eve, 'bo@example.com'], userGroupIds: [board] },
    ...more,
  });

/** What leaves a change of a routine, by what happened in Omni. */
const ofRoutines: Readonly<Record<string, { readonly happens: object; readonly stay: object }>> = {
  'a time that somebody changed': {
    happens: { schedule: '0 7 ? * TUE *' },
    stay: { recipientEmails: [ana, 'bo@example.com'], userGroupIds: [board] },
  },
  'a prompt that somebody changed': {
    happens: { prompt: 'Other' },
    stay: { recipientEmails: [ana, 'bo@example.com'], userGroupIds: [board] },
  },
  'a receiver whom somebody added': {
    happens: { destination: { type: 'email', recipientEmails: [ana, eve, 'joe@example.com'], userGroupIds: [] } },
    stay: { recipientEmails: [ana, 'joe@example.com'], userGroupIds: [] },
  },
};

it.each(Object.keys(ofRoutines))(
  'a receiver of a routine is taken off alone where the rest is left because of %s',
  async (why) => {
    const { happens, stay } = ofRoutines[why] ?? { happens: {}, stay: {} };
    const world = await openWorld({ routines: { r: summary() } });
    await world.apply();
    world.emulator.edit(({ routines }) => void Object.assign(routines?.[0]?.fields ?? {}, happens));
    const before = structuredClone(world.emulator.data().routines?.[0]?.fields);
    const destination = { type: 'email', recipientEmails: [ana, 'bo@example.com'], userGroupIds: [board] };
    world.write({ 'schedules/all.yaml': { routines: { r: summary({ destination, description: 'Two' }) } } });
    world.sent();
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(inOneLine(stdout)).toContain(
      `Sent in part: taken off: ${eve}; the rest is left, because this change would undo`,
    );
    expect(world.sent()).toEqual([expect.stringMatching(/^PATCH .*\/routines\//)]);
    const left = { ...before, destination: { type: 'email', ...stay } };
    expect(world.emulator.data().routines?.[0]?.fields).toEqual(left);
    expect((await world.drift('--deep')).code).toBe(2);
    expect(await world.run('apply', '--auto-approve', '--refresh')).toMatchObject({ code: 0 });
    await world.expectQuiet();
  },
);

it('the last receiver of a routine is not taken off alone', async () => {
  const to = (...recipientEmails: readonly string[]) => ({ destination: { type: 'email', recipientEmails } });
  const world = await openWorld({ routines: { r: summary(to(eve)) } });
  await world.apply();
  world.emulator.edit(({ routines }) => void Object.assign(routines?.[0]?.fields ?? {}, { prompt: 'Other' }));
  world.write({ 'schedules/all.yaml': { routines: { r: summary(to(ana)) } } });
  world.sent();
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(inOneLine(stdout)).toContain(`${eve} still receives it: Omni does not remove the last receiver.`);
  expect(world.sent()).toEqual([]);
});

it('nothing is taken away where the id is not proven, whatever else leaves the change', async () => {
  const world = await openApplied({ a: report });
  world.change('A', (fields) => void Object.assign(fields, { name: 'Payroll' }));
  world.declare({
    a: { ...report, recipients: [ana], userGroups: ['Bord'], owner: 'nobody@example.com', paused: true },
  });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(world.sent()).toEqual([]);
  expect(inOneLine(stdout)).toContain('Not sent: The state and Omni disagree about an id.');
});

it('JSON says what is sent of a change that is left, and why the rest is not', async () => {
  const world = await openApplied({ a: report });
  world.change('A', (fields) => void Object.assign(fields, { schedule: '0 7 ? * TUE *' }));
  world.declare({ a: { ...report, recipients: [ana], paused: true } });
  const { stdout } = await world.run('apply', '--auto-approve', '--format', 'json');
  const said = `Sent in part: paused; taken off: ${eve}; the rest is left, because this change would undo`;
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ address, status: 'failed', error: { code: 'refused', message: expect.stringContaining(said) } }],
  });
});
