// What somebody changed in Omni since it was applied: whatever the field, the plan shows it as what a change undoes, and an
// apply that nobody looks at leaves it.

import { describe, expect, it } from 'vitest';
import { entityIdOf } from '../../src/emulator/store.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { mail, region, sftp } from '../support/vocabulary.ts';
import { type Fields, openApplied, type World, type WorldOptions } from '../support/world.ts';

const address = 'schedules.a';
const board = 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31';

const people = ['ana@example.com', 'cfo@northpine.example'];

const report = mail({
  name: 'A',
  identifier: '12db1a0a',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  subject: 'One',
  owner: 'bo@example.com',
  recipients: people,
  filterConfig: region('North', 'South'),
});

type Edit = (fields: Fields, schedule: { userGroupIds?: readonly string[]; ownerId?: string | null }) => void;
const set =
  (more: Fields): Edit =>
  (fields) =>
    void Object.assign(fields, more);

/** By the field that differs, with what the plan says of it. */
const edits: Readonly<Record<string, Edit>> = {
  schedule: set({ schedule: '0 7 ? * TUE *' }),
  timezone: set({ timezone: 'Asia/Tokyo' }),
  filterConfig: set({ filterConfig: region('North') }),
  format: set({ format: 'xlsx' }),
  conditionType: set({ conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' }),
  recipients: set({ recipients: ['ana@example.com'] }),
  url: (fields) => {
    const { recipients: _, subject: __, ...rest } = fields;
    for (const name of ['recipients', 'subject']) delete (fields as Record<string, unknown>)[name];
    Object.assign(fields, rest, { destinationType: 'webhook', url: 'https://hooks.example.com/x' });
  },
  userGroups: (_, schedule) => void Object.assign(schedule, { userGroupIds: [board] }),
  paused: (_, schedule) => void Object.assign(schedule, { disabledAt: '2026-03-01T00:00:00.000Z' }),
  owner: (_, schedule) => void Object.assign(schedule, { ownerId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b' }),
};
const fields = Object.keys(edits);

const answering = (isYes: boolean): WorldOptions => ({ outside: { asker: () => async () => (isYes ? 'yes' : 'no') } });

async function changed(field: string, options: WorldOptions = {}, declared: object = report): Promise<World> {
  const world = await openApplied({ schedules: { a: declared } }, options);
  world.change('A', edits[field] as Edit);
  return world;
}

const inOmni = ({ emulator }: World) => {
  const [schedule] = emulator.data().schedules.filter(({ fields: { name } }) => name === 'A');
  return structuredClone({ ...schedule, updatedAt: '' });
};

const two = { ...report, subject: 'Two' };

const edited = (text: string) => text.replace(/\s+/g, ' ');

/** What becomes of a change of a field, by what is done next. */
const ways: Readonly<Record<string, (field: string) => Promise<void>>> = {
  'an update that nobody confirms leaves it, in the same words, and plan and state keep showing it': async (field) => {
    const world = await changed(field);
    world.declare({ a: two });
    const before = inOmni(world);
    const ran = await world.run('apply', '--auto-approve');
    expect(ran.code, ran.stderr).toBe(1);
    const said = edited(ran.stdout + ran.stderr);
    expect(said).toContain(
      `This change would undo what somebody changed in ${address} in Omni, and no plan has shown that: `,
    );
    expect(said).toContain(`To undo it, run \`almanac apply --refresh --target ${address}\``);
    expect(said).toContain(`run \`almanac drift --deep --write --target ${address}\` in a branch`);
    expect(said).toContain(field);
    expect(world.sent()).toEqual([]);
    expect(inOmni(world)).toEqual(before);
    expect((await world.drift('--deep')).code).toBe(2);
  },
  'an update that a person confirms undoes it, and the plan shows both values': async (field) => {
    const world = await changed(field, answering(true));
    world.declare({ a: two });
    const ran = await world.run('apply');
    expect(ran.code, ran.stderr).toBe(0);
    expect(edited(ran.stdout)).toContain('Changed outside of Almanac');
    expect(ran.stdout).toContain(field);
    await world.expectQuiet();
  },
  'an apply with --refresh undoes it without being asked': async (field) => {
    const world = await changed(field);
    world.declare({ a: two });
    expect((await world.run('apply', '--auto-approve', '--refresh', '--target', address)).code).toBe(0);
    await world.expectQuiet();
  },
  'a review that showed it lets an apply undo it, and one that did not leaves it': async (field) => {
    const world = await changed(field);
    world.declare({ a: two });
    const list = ({ changes }: PlanDocument) => changes.map(({ digest }) => digest).join('\n');
    world.write({ 'offline.txt': list(await world.plan()), 'seen.txt': list(await world.plan('--refresh=deep')) });
    expect((await world.run('apply', '--auto-approve', '--expect-changes', 'offline.txt')).code).toBe(1);
    expect(world.sent()).toEqual([]);
    expect((await world.run('apply', '--auto-approve', '--expect-changes', 'seen.txt')).code).toBe(0);
    await world.expectQuiet();
  },
  'a saved plan made with a look undoes it, and one made without stops before anything is sent': async (field) => {
    const world = await changed(field);
    world.declare({ a: two });
    await world.run('plan', '--out', 'offline.json');
    await world.run('plan', '--refresh=deep', '--out', 'seen.json');
    const stopped = await world.run('apply', 'offline.json', '--auto-approve');
    expect(stopped.stderr).toContain('error[blocked]');
    expect(world.sent()).toEqual([]);
    const ran = await world.run('apply', 'seen.json', '--auto-approve');
    expect(ran.code, ran.stderr).toBe(0);
    await world.expectQuiet();
  },
  'a replacement that nobody confirms leaves it': async (field) => {
    const world = await changed(field);
    const { code, stdout } = await world.run('apply', '--auto-approve', '--replace', address);
    expect(code).toBe(1);
    expect(world.sent()).toEqual([]);
    const undoing = `apply --refresh=deep --target ${address}`;
    expect(edited(stdout)).toContain(`To undo it, run \`almanac ${undoing}\``);
    expect((await world.run(...undoing.split(' '), '--auto-approve')).code).toBe(0);
    await world.expectQuiet();
  },
};

it.each(pairsOf(fields, Object.keys(ways)))('after somebody changed %s in Omni, %s', async (field, way) => {
  await ways[way]?.(field);
});

const ofContent = fields.filter((field) => field !== 'paused');

describe.each(ofContent)('a change of %s by somebody in Omni while it is paused', (field) => {
  it(`a resume that nobody confirms leaves a change of ${field}`, async () => {
    const world = await changed(field, {}, { ...report, paused: true });
    world.declare({ a: report });
    expect((await world.run('apply', '--auto-approve')).code).toBe(1);
    expect(world.sent()).toEqual([]);
  });
});

describe.each(ofContent.filter((field) => !['schedule', 'timezone'].includes(field)))(
  'a delivery at once after somebody changed %s',
  (field) => {
    it(`a trigger that nobody confirms is not sent after a change of ${field}, and one by hand says it`, async () => {
      const world = await changed(field);
      const ran = await world.run('trigger', address, '--auto-approve');
      expect(ran.code).toBe(1);
      expect(ran.stdout.replace(/\s+/g, ' ')).toContain('Somebody changed it in Omni, and no plan has shown that: ');
      expect(world.sent()).toEqual([]);
      const asked = await world.beside({ asker: () => async () => 'yes' }).run('trigger', address);
      expect(asked.stderr).toContain('somebody changed it in Omni');
      expect(world.sent()).toHaveLength(1);
    });
  },
);

it('a schedule that somebody moved to another dashboard in Omni is not changed unseen, and a refresh moves it back', async () => {
  const world = await openApplied({ schedules: { a: report } });
  world.change('A', set({ identifier: '7ae01c55' }));
  world.declare({ a: two });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain('The state and Omni disagree about an id.');
  expect(world.sent()).toEqual([]);
  expect((await world.run('apply', '--auto-approve', '--refresh')).code).toBe(0);
  await world.expectQuiet();
});

it('a rotated secret undoes nothing that somebody changed in Omni', async () => {
  const feed = sftp({ name: 'A' });
  const world = await openApplied({ schedules: { a: feed } }, { environment: { SFTP_PASSWORD: 'old-password-1' } });
  world.change('A', edits['schedule'] as Edit);
  const environment = { OMNI_API_TOKEN: world.organizationKey, SFTP_PASSWORD: 'new-password-2' };
  const { code, stdout } = await world.beside({}, environment).run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(edited(stdout)).toContain('would undo what somebody changed');
  expect(world.sent()).toEqual([]);
});

it('an update that is sent again after a lost answer undoes nothing that somebody changed in Omni', async () => {
  const world = await openApplied({ schedules: { a: report } });
  const state = world.state();
  const attributes = { ...state.resources[address]?.attributes, subject: 'Two' };
  const lost = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes };
  world.write({ 'almanac.state.json': { ...state, serial: state.serial + 1, unresolved: [lost] } });
  world.declare({ a: two });
  world.change('A', edits['timezone'] as Edit);
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(edited(stdout)).toContain('would undo what somebody changed');
  expect(world.sent()).toEqual([]);
});

it('a schedule whose name is under ignoreChanges is updated under the name that Omni has', async () => {
  const ignored = { ...report, lifecycle: { ignoreChanges: ['name'] } };
  const world = await openApplied({ schedules: { a: ignored } });
  world.change('A', set({ name: 'Of the sales team' }));
  world.declare({ a: { ...ignored, subject: 'Two' } });
  const { code, stderr } = await world.run('apply', '--auto-approve');
  expect(code, stderr).toBe(0);
  const [schedule] = world.emulator.data().schedules;
  expect(schedule?.fields).toMatchObject({ name: 'Of the sales team', subject: 'Two' });
  await world.expectQuiet();
});

it('a report of one tile that somebody made one of the whole dashboard is left by an apply that nobody confirms', async () => {
  const tile = { ...report, queryIdentifierMapKey: '1' };
  const world = await openApplied({ schedules: { a: tile } });
  world.change('A', (fields) => void delete (fields as Record<string, unknown>)['queryIdentifierMapKey']);
  world.declare({ a: { ...tile, subject: 'Two' } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain('no plan has shown that: - queryIdentifierMapKey "1".');
  expect(world.sent()).toEqual([]);
});

describe.each(fields.filter((field) => field !== 'owner'))('an adoption of what has another %s in Omni', (field) => {
  it(`an adoption sends nothing, says that ${field} differs, and the next plan shows it`, async () => {
    const world = await changed(field);
    const id = world.idOf(address);
    await world.run('state', 'rm', address);
    world.write({ 'schedules/adopt.yaml': { adopt: [{ to: address, id }] } });
    const before = inOmni(world);
    const { code, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('warning[adopted-as-is]');
    expect(stderr.replace(/\s+/g, ' ')).toContain(field);
    expect(world.sent()).toEqual([]);
    expect(inOmni(world)).toEqual(before);
    expect((await world.plan()).changes).toMatchObject([{ address, action: 'update' }]);
    await world.run('apply', '--auto-approve');
    await world.expectQuiet();
  });
});

it('status --retry delivers nothing again that somebody changed in Omni, unless a person confirms it', async () => {
  const world = await openApplied({ schedules: { a: report } }, { faults: [{ fault: 'run-error', at: 1 }] });
  await world.pass(8 * 24 * 60 * 60_000);
  world.change('A', edits['recipients'] as Edit);
  const { code, stdout, stderr } = await world.run('status', '--retry', 'failed', '--auto-approve');
  expect(code).not.toBe(0);
  expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('Somebody changed it in Omni, and no plan has shown that: ');
  expect(world.sent()).toEqual([]);
});

it('of a change that is left, the only receiver is not taken off, which the result says, and no request is counted', async () => {
  const alone = { ...report, recipients: ['ana@example.com'] };
  const world = await openApplied({ schedules: { a: alone } });
  world.change('A', edits['timezone'] as Edit);
  world.declare({ a: { ...alone, recipients: ['bo@example.com'] } });
  const { code, stdout } = await world.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stdout).toContain('Plan: 1 left.');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    '(update) skipped This change would undo what somebody changed in schedules.a in Omni, and no plan has shown that: timezone "Europe/London" -> "Asia/Tokyo". ana@example.com still receives it: Omni does not remove the last receiver.',
  );
  expect(stdout).toContain('Applied 0 changes, 1 skipped.');
  expect(stdout).not.toMatch(/requests? for the changes/);
  expect(world.sent()).toEqual([]);
});

it('a schedule that somebody deleted in Omni is not created again by an apply that nobody confirms', async () => {
  const world = await openApplied({ schedules: { a: report, b: { ...report, name: 'B' } } });
  world.emulator.edit((data) => void data.schedules.splice(0, 1));
  world.declare({ a: two, b: { ...report, name: 'B' } });
  const ran = await world.run('apply', '--auto-approve');
  expect(ran.code).toBe(1);
  expect(ran.stdout.replace(/\s+/g, ' ')).toContain(
    `Somebody deleted ${address} in Omni, and this change would create it again. To undo it, run \`almanac apply --refresh --target ${address}\`; to keep it, remove its declaration.`,
  );
  expect(world.sent()).toEqual([]);
  expect((await world.run('apply', '--auto-approve', '--refresh')).code).toBe(0);
  await world.expectQuiet();
});

it('after a question that was open for more than two minutes, what somebody changed meanwhile is shown, and asked again', async () => {
  const questions: string[] = [];
  const world: World = await openApplied(
    { schedules: { a: report } },
    {
      outside: {
        asker: () => async (question) => {
          questions.push(question);
          if (questions.length > 1) return 'no';
          world.change('A', edits['timezone'] as Edit);
          await world.pass(3 * 60_000);
          return 'yes';
        },
      },
    },
  );
  world.declare({ a: two });
  const { code, stdout, stderr } = await world.run('apply');
  expect(questions).toHaveLength(2);
  expect(code).toBe(1);
  expect(stderr).toContain('Somebody changed Omni while the question was open');
  expect(stdout.split('Changed outside of Almanac')).toHaveLength(2);
  expect(world.sent()).toEqual([]);
});

it('after a question that was open for more than two minutes, nothing is asked again where nothing changed', async () => {
  let questions = 0;
  const world: World = await openApplied(
    { schedules: { a: report } },
    {
      outside: {
        asker: () => async () => {
          questions += 1;
          await world.pass(3 * 60_000);
          return 'yes';
        },
      },
    },
  );
  world.declare({ a: two });
  expect((await world.run('apply')).code).toBe(0);
  expect(questions).toBe(1);
});

describe('a change of a dashboard’s filter', () => {
  const follower = mail({ name: 'A', identifier: '7ae01c55', recipients: ['ana@example.com'], subject: 'A' });
  const filtered = (...values: string[]) => ({
    dashboards: { health: { identifier: '7ae01c55', filters: { customer: { values } } } },
  });

  async function following(): Promise<World> {
    const world = await openApplied({ schedules: { a: follower }, ...filtered('North Pine') });
    world.declare({ a: follower }, filtered('South Oak'));
    return world;
  }

  const giveDashboard = ({ emulator }: World, value: string) =>
    emulator.edit((data) => {
      const document = data.documents.find(({ identifier }) => identifier === '7ae01c55');
      Object.assign(document?.dashboard?.filters['customer'] ?? {}, { values: [value] });
    });

  /** Somebody gave the dashboard another value since it was applied. */
  async function changedMeanwhile(options: WorldOptions = {}, applied = ['North Pine']): Promise<World> {
    const world = await openApplied({ schedules: { a: follower }, ...filtered(...applied) }, options);
    giveDashboard(world, 'East Elm');
    world.declare({ a: follower }, filtered('South Oak'));
    return world;
  }

  it('a value that somebody gave a dashboard is shown with both values, and left by an apply that nobody confirms', async () => {
    const world = await changedMeanwhile();
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'This change would undo what somebody changed in dashboards.health in Omni, and no plan has shown that: - filters.customer.values "North Pine", + filters.customer.values "East Elm". To undo it, run `almanac apply --refresh --target dashboards.health`; to keep it, run `almanac drift --deep --write --target dashboards.health` in a branch.',
    );
    expect(stdout).toContain('Plan: 1 left.');
    expect(world.sent()).toEqual([]);
    expect((await world.run('apply', '--refresh', '--target', 'dashboards.health', '--auto-approve')).code).toBe(0);
    expect(world.sent()).toEqual([expect.stringContaining('PATCH')]);
    await world.expectQuiet();
  });

  it('a person who confirms it undoes a value that somebody gave a dashboard, and dangers judge it from that value', async () => {
    const world = await changedMeanwhile(answering(true), []);
    const open = { customer: { values: [] }, region: { values: ['Europe'] } };
    world.declare({ a: follower }, { dashboards: { health: { identifier: '7ae01c55', filters: open } } });
    expect((await world.plan()).dangers).toEqual([]);
    const { code, stdout } = await world.run('apply');
    expect(code).toBe(0);
    expect(stdout).toContain('Changed outside of Almanac');
    expect(stdout.split('Almanac will do')[0]).toContain('was `["East Elm"]`');
    await world.expectQuiet();
  });

  it('a review that showed a value that somebody gave a dashboard lets an apply undo it, and one that did not leaves it', async () => {
    const world = await changedMeanwhile();
    const list = ({ changes }: PlanDocument) => changes.map(({ digest }) => digest).join('\n');
    world.write({ 'offline.txt': list(await world.plan()), 'seen.txt': list(await world.plan('--refresh')) });
    expect((await world.run('apply', '--auto-approve', '--expect-changes', 'offline.txt')).code).toBe(1);
    expect(world.sent()).toEqual([]);
    expect((await world.run('apply', '--auto-approve', '--expect-changes', 'seen.txt')).code).toBe(0);
    await world.expectQuiet();
  });

  it('a value that somebody gave a dashboard while the question was open is shown, and asked again', async () => {
    const questions: string[] = [];
    const world: World = await changedMeanwhile({
      outside: {
        asker: () => async (question) => {
          questions.push(question);
          if (questions.length > 1) return 'no';
          giveDashboard(world, 'West Ash');
          await world.pass(3 * 60_000);
          return 'yes';
        },
      },
    });
    const { code, stdout } = await world.run('apply');
    expect(code).toBe(1);
    expect(questions).toHaveLength(2);
    expect(stdout).toContain('West Ash');
    expect(world.sent()).toEqual([]);
  });

  const underNewName = {
    dashboards: { health: { identifier: 'health', filters: { customer: { values: ['South Oak'] } } } },
  };

  /** The dashboard is called health now, and a group gets the report that follows it. */
  async function renamed(): Promise<World> {
    const world = await openApplied({ schedules: { a: follower }, ...filtered('North Pine') });
    world.change('A', edits['userGroups'] as Edit);
    world.rename('7ae01c55', 'health');
    return world;
  }

  it('a filter is changed where those who follow it go to whom the state says, which is read and not planned', async () => {
    const world = await following();
    world.change('A', edits['timezone'] as Edit);
    expect((await world.run('apply', '--auto-approve')).code).toBe(0);
    expect(world.sent()).toEqual([expect.stringContaining('PATCH')]);
  });

  const showsOthers = `This change makes ${address} show different rows`;

  it.each<[string, () => Promise<World>, string]>([
    [
      'somebody added a group in Omni to a report that follows it',
      async () => {
        const world = await following();
        world.change('A', edits['userGroups'] as Edit);
        return world;
      },
      `${showsOthers}, and somebody changed its recipients in Omni, which no plan has shown: + userGroups "Board".`,
    ],
    [
      'the report that follows it only gets another address in the files',
      async () => {
        const world = await following();
        world.change('A', edits['userGroups'] as Edit);
        world.declare({ b: follower }, { ...filtered('South Oak'), moved: [{ from: address, to: 'schedules.b' }] });
        return world;
      },
      showsOthers,
    ],
    [
      'the dashboard has a new name and a report that is declared by the former one has another group',
      async () => {
        const world = await renamed();
        world.declare({ a: follower }, underNewName);
        return world;
      },
      showsOthers,
    ],
    [
      'the report to be taken off it goes to a webhook and is left',
      async () => {
        const { recipients: _, subject: __, ...rest } = follower;
        const hook = { ...rest, destinationType: 'webhook', url: 'https://hooks.example.com/x' };
        const world = await openApplied({ schedules: { a: hook }, ...filtered('North Pine') });
        const own = { ...hook, filterConfig: { customer: { values: ['North Pine'] } } };
        world.declare({ a: own }, filtered('South Oak'));
        world.change('A', edits['timezone'] as Edit);
        return world;
      },
      `Not started: the change of ${address}, which has to come first, was not made.`,
    ],
  ])('a change of a filter is not sent where %s', async (_, prepared, words) => {
    const world = await prepared();
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(world.sent()).toEqual([]);
  });

  it('a filter that a lost request may have changed is left as well, though it is declared as the state has it', async () => {
    const world = await openApplied({ schedules: { a: follower }, ...filtered('North Pine') });
    const state = JSON.parse(world.read('almanac.state.json'));
    const { filters } = filtered('South Oak').dashboards.health;
    const lost = { address: 'dashboards.health', action: 'update', since: '2026-11-28T00:00:00.000Z' };
    state.unresolved = [{ ...lost, attributes: { identifier: '7ae01c55', filters } }];
    world.write({ 'almanac.state.json': JSON.stringify({ ...state, serial: state.serial + 1 }) });
    world.change('A', edits['userGroups'] as Edit);
    expect((await world.run('apply', '--auto-approve')).code).toBe(1);
    expect(world.sent()).toEqual([]);
  });

  it('a filter that changes waits for the change that takes a report off it, and is not sent where that was not made', async () => {
    const world = await openApplied({ schedules: { a: follower }, ...filtered('North Pine') });
    const own = { ...follower, filterConfig: { customer: { values: ['North Pine'] } } };
    world.declare({ a: own }, filtered('South Oak'));
    world.change('A', edits['userGroups'] as Edit);
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `Not started: the change of ${address}, which has to come first, was not made.`,
    );
    expect(world.sent()).toEqual([]);
    expect((await world.run('apply', '--auto-approve', '--refresh')).code).toBe(0);
    expect(world.sent().map((line) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'PATCH']);
    await world.expectQuiet();
  });

  it('a filter that changes under the new name of a dashboard waits for the deletion of a report that follows it', async () => {
    const world = await renamed();
    world.declare({}, underNewName);
    const { code, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stderr).toBe(0);
    expect(world.sent().map((line) => line.split(' ')[0])).toEqual(['DELETE', 'PATCH']);
    await world.expectQuiet();
  });

  it('a filter that changes under a new name that a look has seen waits for a report that leaves the dashboard', async () => {
    const world = await renamed();
    world.declare({ a: { ...follower, identifier: '12db1a0a' } }, underNewName);
    const { code, stderr } = await world.run('apply', '--auto-approve', '--refresh=deep');
    expect(code, stderr).toBe(0);
    expect(world.sent().map((line) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'PATCH']);
    await world.expectQuiet();
  });

  it('a filter that is declared for another dashboard is left as one that may have been renamed, until the group is gone', async () => {
    const world = await openApplied({ schedules: { a: follower }, ...filtered('North Pine') });
    world.change('A', edits['userGroups'] as Edit);
    const sales = { identifier: '12db1a0a', filters: { region: { values: ['Asia'] } } };
    world.declare({ a: follower }, { dashboards: { health: sales } });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `This change makes ${address} show different rows if 7ae01c55 is called 12db1a0a now, and somebody changed its recipients in Omni`,
    );
    expect(world.sent()).toEqual([]);
    expect((await world.run('apply', '--auto-approve', '--refresh=deep', '--target', address)).code).toBe(0);
    expect((await world.run('apply', '--auto-approve')).code).toBe(0);
    await world.expectQuiet();
  });
});

describe('a state that somebody edited after a review', () => {
  /** Reviewed: a new subject. Then somebody changes Omni, and the state to fit. */
  async function reviewed(edit: Edit, resource: object): Promise<World> {
    const world = await openApplied({ schedules: { a: report } });
    world.declare({ a: two });
    const digests = (await world.plan()).changes.map(({ digest }) => digest);
    world.write({ 'reviewed.txt': digests.join('\n') });
    world.change('A', edit);
    const state = JSON.parse(world.read('almanac.state.json'));
    state.serial += 1;
    Object.assign(state.resources[address], resource);
    world.write({ 'almanac.state.json': JSON.stringify(state) });
    world.sent();
    return world;
  }

  it.each<[string, Edit, object]>([
    [
      'the id of a dashboard does not make another one the same',
      set({ identifier: '3f9c2b71' }),
      { entityId: entityIdOf({ identifier: '3f9c2b71' }) },
    ],
    ['nor does the id of a dashboard that has none recorded', set({ identifier: '3f9c2b71' }), {}],
  ])('nothing is sent that the reviewed digest does not hold: %s', async (_, edit, resource) => {
    const world = await reviewed(edit, resource);
    const ran = await world.run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
    expect(ran.code, ran.stdout + ran.stderr).toBe(1);
    expect(world.sent()).toEqual([]);
  });

  it('a resume that was reviewed is refused where the state makes another dashboard the same', async () => {
    const world = await openApplied({ schedules: { a: { ...report, paused: true } } });
    world.declare({ a: report });
    world.write({ 'reviewed.txt': (await world.plan()).changes.map(({ digest }) => digest).join('\n') });
    world.change('A', set({ identifier: '3f9c2b71' }));
    const state = JSON.parse(world.read('almanac.state.json'));
    state.resources[address].entityId = entityIdOf({ identifier: '3f9c2b71' });
    world.write({ 'almanac.state.json': JSON.stringify(state) });
    world.sent();
    expect(await world.run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt')).toMatchObject({ code: 1 });
    expect(world.sent()).toEqual([]);
  });
});

describe('the dangers of a change that is left', () => {
  it('nobody is said to be removed, added or shown different rows by a change of which nothing is sent', async () => {
    const world = await changed('timezone');
    world.declare({ a: { ...report, recipients: [...people, 'new@northpine.example'], filterConfig: {} } });
    expect((await world.plan()).dangers).not.toEqual([]);
    const { stdout } = await world.run('apply', '--auto-approve');
    expect(stdout).toContain('Not sent: This change would undo what somebody changed');
    expect(stdout).not.toContain('Look at this first');
    expect(world.sent()).toEqual([]);
  });

  it('the pause and the removal that are sent of a change that is left are said, and nothing else of it', async () => {
    const world = await changed('timezone');
    world.declare({ a: { ...report, paused: true, recipients: ['ana@example.com', 'new@northpine.example'] } });
    const { stdout } = await world.run('apply', '--auto-approve');
    const [first = ''] = stdout.split('Almanac will do');
    expect(first).toContain('1 schedule is paused');
    expect(first).toContain('1 recipient is removed');
    expect(first).not.toContain('new@northpine.example');
    expect(world.sent().map((line) => line.split('/').at(-1))).toEqual(['pause', 'remove-recipients']);
  });
});
