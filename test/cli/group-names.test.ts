// What the name of a user group means, by command and situation.

import { expect, it } from 'vitest';
import { ids } from '../support/emulator/start-emulator.ts';
import { mail } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

type Data = Parameters<Parameters<World['emulator']['edit']>[0]>[0];

const another = '00000000-0000-4000-9000-000000000001';

const rename = ({ userGroups = [] }: Data) => {
  for (const group of userGroups) if (group.id === ids.board) group.name = 'Directors';
};
const remove = ({ userGroups = [], schedules, documents }: Data) => {
  const place = userGroups.findIndex(({ id }) => id === ids.board);
  if (place >= 0) userGroups.splice(place, 1);
  for (const schedule of schedules) schedule.userGroupIds = [];
  for (const document of documents) document.sharedWithGroups = [];
};
const makeAnother = ({ userGroups = [], documents }: Data) => {
  userGroups.push({ id: another, name: 'Board', memberIds: [] });
  for (const document of documents) document.sharedWithGroups = [...(document.sharedWithGroups ?? []), another];
};

const situations: Readonly<Record<string, (data: Data) => void>> = {
  'was renamed': rename,
  'was renamed, and another one has its name': (data) => {
    rename(data);
    makeAnother(data);
  },
  'was deleted and made again': (data) => {
    remove(data);
    makeAnother(data);
  },
};

const askers = ['drift --deep', 'validate --online', 'plan --refresh=deep', 'apply', 'apply --refresh=deep'] as const;
type Told = readonly [code: number, words?: string];

/** By situation: the exit code of each asker, and words that it prints. */
const told: Readonly<Record<string, Readonly<Record<(typeof askers)[number], Told>>>> = {
  'was renamed': {
    'drift --deep': [0, 'is now called `Directors`'],
    'validate --online': [0, 'is now called `Directors`'],
    'plan --refresh=deep': [0, 'is now called `Directors`'],
    apply: [1, 'is called Directors in Omni, and no plan has shown that'],
    'apply --refresh=deep': [0, 'is now called `Directors`'],
  },
  'was renamed, and another one has its name': {
    'drift --deep': [2, `its id is ${another}`],
    'validate --online': [1, `its id is ${another}`],
    'plan --refresh=deep': [0, 'Not sent: A different user group is now called `Board`'],
    apply: [1, 'A different user group is now called `Board`'],
    'apply --refresh=deep': [1, 'A different user group is now called `Board`'],
  },
  'was deleted and made again': {
    'drift --deep': [2, 'a different group has its name'],
    'validate --online': [0, 'a different group has its name'],
    'plan --refresh=deep': [0, 'another group called Board'],
    apply: [1, 'no plan has shown that: - userGroups "Board"'],
    'apply --refresh=deep': [0, 'another group called Board'],
  },
};

it.each(Object.keys(situations).flatMap((situation) => askers.map((asker) => [situation, asker] as const)))(
  'where the group of an applied name %s, %s says so, and what it refuses is not sent',
  async (situation, asker) => {
    const report = mail({ userGroups: ['Board'] });
    const world = await openApplied({ schedules: { a: report } });
    world.emulator.edit((data) => situations[situation]?.(data));
    world.declare({ a: { ...report, subject: 'Two' } });
    world.sent();
    const line = asker.startsWith('apply') ? `${asker} --auto-approve` : asker;
    const { code, stdout, stderr } = await world.run(`${line} -v`);
    const [expected, words = ''] = told[situation]?.[asker] ?? [];
    const output = (stdout + stderr).replace(/\s+/g, ' ');
    expect([code, output]).toEqual([expected, expect.stringContaining(words)]);
    expect(world.sent().length > 0).toBe(asker.startsWith('apply') && code === 0);
    const groups = world.emulator.data().schedules.flatMap(({ userGroupIds = [] }) => userGroupIds);
    if (code !== 0 || situation !== 'was deleted and made again') expect(groups).not.toContain(another);
  },
);
