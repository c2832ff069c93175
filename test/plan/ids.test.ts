// The form of ids, for every place that takes one: what is refused, with which sentence, and what makes any form right.

import { expect, test } from 'vitest';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const routine = (more: object = {}, destination: object = { type: 'email', recipientEmails: ['ana@example.com'] }) => ({
  ...{ modelId: '770e8400-e29b-41d4-a716-446655440002', name: 'Numbers', prompt: 'How many?' },
  ...{ schedule: '0 9 ? * MON *', timezone: 'UTC', destination, ...more },
});
const job = (more: object) => ({ modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'How many?', ...more });

/** The places of ids, each with a declaration that has one there and what its hint names. */
const places: Readonly<Record<string, { readonly declare: (id: string) => object; readonly names: string }>> = {
  'schedules owner': { declare: (owner) => ({ schedules: { a: mail({ owner }) } }), names: 'e-mail address' },
  'schedules userId': { declare: (userId) => ({ schedules: { a: mail({ userId }) } }), names: 'almanac list people' },
  'schedules userGroups': {
    declare: (id) => ({ schedules: { a: mail({ userGroups: [`id:${id}`] }) } }),
    names: 'almanac list groups',
  },
  'routines modelId': {
    declare: (modelId) => ({ routines: { a: routine({ modelId }) } }),
    names: 'almanac list models',
  },
  'routines branchId': {
    declare: (branchId) => ({ routines: { a: routine({ branchId }) } }),
    names: 'almanac list models',
  },
  'routines owner': { declare: (owner) => ({ routines: { a: routine({ owner }) } }), names: 'e-mail address' },
  'routines userGroupIds': {
    declare: (id) => ({ routines: { a: routine({}, { type: 'email', userGroupIds: [id] }) } }),
    names: 'almanac list groups',
  },
  'aiJobs modelId': { declare: (modelId) => ({ aiJobs: { a: job({ modelId }) } }), names: 'almanac list models' },
  'aiJobs conversationId': {
    declare: (conversationId) => ({ aiJobs: { a: job({ conversationId }) } }),
    names: 'conversation in Omni',
  },
};

const wrong: Readonly<Record<string, string>> = {
  '987fcdeb': 'is a part of a UUID',
  '987fcdeb-51a2': 'is a part of a UUID',
  '987fcdeb-51a2-43d7-9b56-254415f6789': 'is a part of a UUID',
  '12': 'is a number',
  '1234567': 'is a number',
  Ana: 'is a name',
  ana_smith: 'is a name',
  'Ana-Smith': 'is a part of a UUID, or a name',
  a123456789012345678901234: 'is a name, or a part of an id',
};

const cases = Object.entries(places).flatMap(([place, { declare, names }]) =>
  Object.entries(wrong).map(([id, words]) => ({ place, id, words, names, declared: declare(id) })),
);

test.each(cases)('$place: `$id` $words, which validate and plan refuse', async ({ id, words, names, declared }) => {
  const world = await openWorld(JSON.stringify(declared));
  for (const command of ['validate', 'plan']) {
    const { code, stdout, stderr } = await world.run(command);
    const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    expect(code, text).toBe(1);
    expect(text).toContain('error[invalid-id]');
    expect(text).toContain(`\`${id}\` ${words}`);
    expect(text).toContain(names);
  }
});

test.each(cases.filter(({ id }) => ['987fcdeb', '12', 'Ana'].includes(id)))(
  '$place: `$id` $words, which no look of validate --online lets pass',
  async ({ id, declared }) => {
    const world = await openWorld(JSON.stringify(declared));
    const { code, stdout } = await world.run('validate', '--online');
    expect(code, stdout).toBe(1);
    expect(stdout).toMatch(/error\[(?:invalid-id|unknown-model|owner-unknown)\]/);
    expect(stdout).toContain(id);
  },
);

test.each(Object.entries(places))('%s: a UUID is right, and the short form no error', async (_, { declare }) => {
  for (const id of ['987fcdeb-51a2-43d7-9b56-254415f67890', 'VRyUNQ7i', 'abcdef', 'Zp3mK0aaZp3mK0aaZp3mK0aa']) {
    const world = await openWorld(JSON.stringify(declare(id)));
    expect(await world.run('validate'), id).toMatchObject({ code: 0 });
  }
});

test('a state in git is not read by validate, which warns, and the plan refuses', async () => {
  const files = JSON.stringify({ schedules: { a: mail({ owner: 'Ana' }) } });
  const config = { state: { backend: 'postgres' } };
  const place = makeMemoryPlace('git branch almanac-state of origin');
  const outside = { openSharedState: async () => place.open() };
  const world = await openWorld(files, { config, outside });
  const { code, stdout } = await world.run('validate');
  expect(code).toBe(0);
  expect(stdout).toContain('warning[short-id]');
  const plan = await world.run('plan');
  expect(plan.code).toBe(1);
  expect(plan.stdout + plan.stderr).toContain('error[invalid-id]');
});

test('an id in any form is right once the state has it', async () => {
  const declared = JSON.stringify({ aiJobs: { a: job({ modelId: 'Mod3lAbc' }) } });
  const world = await openWorld(declared.replace('Mod3lAbc', '770e8400-e29b-41d4-a716-446655440002'));
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  const path = 'almanac.state.json';
  world.write({ [path]: world.read(path).replaceAll('770e8400-e29b-41d4-a716-446655440002', 'mo-1') });
  world.write({ 'schedules/all.yaml': declared.replace('Mod3lAbc', 'mo-1') });
  expect((await world.run('validate')).stdout).toContain('No errors');
  world.write({ 'schedules/all.yaml': declared.replace('Mod3lAbc', 'mo-2') });
  expect((await world.run('validate')).stdout).toContain('error[invalid-id]');
});
