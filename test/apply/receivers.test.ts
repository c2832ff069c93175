// Whom an update reaches while it is sent. What it does where Omni has others from the beginning, the transcript
// omni/receivers shows.

import { expect, it } from 'vitest';
import { stateOf } from '../support/apply/declared.ts';
import { apiWith, notesOf, outcomesOf, stage } from '../support/apply/stage.ts';
import { madeId, refusal } from '../support/emulator/service.ts';
import { mail } from '../support/vocabulary.ts';

const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b5';
const board = '00000000-0000-4000-9000-000000000001';
const finance = '00000000-0000-4000-9000-000000000002';

function receiving(declared: object) {
  const applied = mail({ userGroups: ['Board'] });
  const groups = [{ text: 'Board', id: board, name: 'Board' }];
  const made = stage(
    { schedules: { a: declared } },
    { state: stateOf({ 'schedules.a': { id, attributes: applied, groups } }) },
  );
  const { userGroups: _, ...fields } = applied;
  made.service.add(id, fields);
  Object.assign(made.service.data, {
    userGroups: ['Board', 'Finance'].map((name, index) => ({ name, id: [board, finance][index], memberIds: [] })),
  });
  Object.assign(made.service.schedules().get(id) ?? {}, { userGroupIds: [board] });
  return made;
}

it('a group that somebody adds while the change is sent is neither removed nor recorded, and named', async () => {
  const made = receiving(mail({ userGroups: ['Board'], subject: 'Other' }));
  made.service.reach = (point) => {
    if (point === `after PUT ${id}`) made.service.schedules().get(id)?.userGroupIds?.push(finance);
  };
  const applied = await made.apply();
  expect(outcomesOf(applied)).toEqual({ 'schedules.a': 'applied' });
  expect(notesOf(made)).toEqual([
    'In Omni schedules.a also goes to Finance: somebody added these recipients while this apply ran. `almanac drift --deep --target schedules.a` shows them; until a plan has shown them, no update is sent.',
  ]);
  expect(made.service.schedules().get(id)?.userGroupIds).toEqual([board, finance]);
  expect(applied.state?.resources['schedules.a']?.groups).toMatchObject([{ id: board }]);
});

it('an update whose receivers were read before begins with its PUT, and is refused in the words of the service', async () => {
  const made = receiving(mail({ userGroups: ['Board'], subject: 'Other' }));
  made.service.reach = (point) => {
    if (point === `before PUT ${id}`) throw refusal(422);
  };
  const applied = await made.apply();
  expect(made.events.map(({ type }) => type)).toEqual(['started', 'change-started', 'change-ended']);
  expect(applied.document?.results).toMatchObject([
    { status: 'failed', error: { message: 'The service answered 422.' } },
  ]);
});

it('the id that the state has is part of the digest of a change that sends to it', async () => {
  const [one, other] = [
    receiving(mail({ userGroups: ['Board'], subject: 'Other' })),
    receiving(mail({ userGroups: ['Board'], subject: 'Other' })),
  ];
  const forged = other.store.stored.state;
  if (forged === undefined) throw new Error('no state');
  const { 'schedules.a': a } = forged.resources;
  if (a === undefined) throw new Error('not tracked');
  const groups = [{ text: 'Board', id: finance, name: 'Finance' }];
  other.store.stored = { state: { ...forged, resources: { 'schedules.a': { ...a, groups } } }, journal: undefined };
  const [reviewed, planned] = await Promise.all([one.plan(), other.plan()]);
  expect(planned.changes[0]?.digest).not.toBe(reviewed.changes[0]?.digest);
  expect(planned.changes[0]?.groups).toEqual({ Board: finance });
});

it('a schedule that was looked at more than ten minutes before its change is read once more, and left where it differs then', async () => {
  const [a, b, c] = [madeId(1), madeId(2), madeId(3)];
  const names = { a: 'A', b: 'B', c: 'C' };
  const of = (subject: string) =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, mail({ name, subject })]));
  const made = stage({ schedules: of('One') }, { almanac: apiWith({ concurrency: 1 }) });
  await made.apply();
  made.files['schedules/all.yaml'] = { schedules: of('Two') };
  const before = made.service.sent.length;
  made.service.reach = (point) => {
    if (point !== `after PUT ${a}`) return;
    Object.assign(made.service.schedules().get(b)?.fields ?? {}, { timezone: 'Asia/Tokyo' });
    void made.clock.sleep(11 * 60_000, undefined);
  };
  const applied = await made.apply();
  expect(outcomesOf(applied)).toEqual({
    'schedules.a': 'applied',
    'schedules.b': 'skipped refused',
    'schedules.c': 'applied',
  });
  expect(made.service.sent.slice(before)).toEqual([`PUT ${a}`, `PUT ${c}`]);
  expect(made.service.schedules().get(b)?.fields).toMatchObject({ subject: 'One', timezone: 'Asia/Tokyo' });
});

it('a deletion that was looked at more than ten minutes before is sent, whatever somebody changed since then', async () => {
  const [a, b] = [madeId(1), madeId(2)];
  const schedules = { a: mail({ name: 'A' }), b: mail({ name: 'B' }) };
  const made = stage({ schedules }, { almanac: apiWith({ concurrency: 1 }) });
  await made.apply();
  made.files['schedules/all.yaml'] = { schedules: { a: mail({ name: 'A', subject: 'Two' }) } };
  made.service.sent.length = 0;
  let isLater = false;
  made.service.reach = () => {
    if (isLater) return;
    isLater = true;
    for (const id of [a, b]) Object.assign(made.service.schedules().get(id)?.fields ?? {}, { timezone: 'Asia/Tokyo' });
    void made.clock.sleep(11 * 60_000, undefined);
  };
  const applied = await made.apply({ refresh: { depth: 'deep', only: false } });
  expect(outcomesOf(applied)).toMatchObject({ 'schedules.b': 'applied' });
  expect(made.service.sent).toContain(`DELETE ${b}`);
});
