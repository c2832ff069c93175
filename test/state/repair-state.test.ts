// Repairs of the state by hand: what is written, and what is refused because an id would be lost or tracked twice.

import { describe, expect, it, vi } from 'vitest';
import type { Journal, JournalIntent } from '../../src/model/plan/journal.ts';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import {
  clearOrphan,
  dropResources,
  moveResource,
  openAt,
  pushState,
  repairState,
  resolveOpen,
} from '../../src/state/repair-state.ts';
import { makeStore } from '../support/apply/stage.ts';
import { at, schedule, stateOf } from '../support/plan/planning.ts';

const s = 'schedules.s';
const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
const later = '2026-03-02T00:00:00.000Z';

function journalOf(serial: number, outcome: 'applied' | 'none', lineage = 'a-lineage'): Journal {
  const intent: JournalIntent = {
    type: 'intent',
    seq: 1,
    kind: 'request',
    address: s,
    action: 'create',
    attributes: schedule(),
    identifier: '12db1a0a',
    name: 'Weekly sales',
    at,
  };
  const { baseUrl, salt, toolVersion } = stateOf({});
  return {
    header: { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion },
    lines: outcome === 'none' ? [intent] : [intent, { type: 'outcome', seq: 1, status: 'applied', id, at }],
  };
}

describe('state push', () => {
  const pushed = (rest: Partial<State> = {}) => stateOf({}, { serial: 8, ...rest });
  const tracking = pushed({ resources: { [s]: { id, attributes: schedule(), createdAt: at, updatedAt: at } } });

  it('state push accepts a later state and refuses an earlier or a different one, unless it is forced', async () => {
    const store = makeStore(stateOf({}));
    await pushState(store, pushed(), false);
    expect(store.stored.state?.serial).toBe(8);
    await expect(pushState(store, pushed(), false)).rejects.toMatchObject({ code: 'state-conflict' });
    await expect(pushState(store, pushed({ serial: 9, lineage: 'other' }), false)).rejects.toMatchObject({
      code: 'state-conflict',
    });
    await pushState(store, pushed({ serial: 3 }), true);
    expect(store.stored.state?.serial).toBe(3);
  });

  const forgotten: Journal = {
    ...journalOf(7, 'none'),
    lines: [
      { type: 'intent', seq: 1, kind: 'forget', address: s, action: 'forget', at },
      { type: 'outcome', seq: 1, status: 'applied', id, at },
    ],
  };
  it.each<[string, State, Journal, Partial<State>, string]>([
    ['with an id that the pushed state lacks', stateOf({}), journalOf(7, 'applied'), {}, id],
    ['with an orphan that the pushed state lacks', stateOf({ [s]: { id, attributes: schedule() } }), forgotten, {}, id],
    ['with a change whose outcome is open', stateOf({}), journalOf(7, 'none'), { serial: 20 }, s],
    ['of another state than the pushed one', stateOf({}), journalOf(7, 'applied'), { lineage: 'other' }, 'other'],
  ])('state push never drops a journal %s, even when forced', async (_, state, journal, rest, words) => {
    for (const force of [false, true]) {
      const store = makeStore(state, journal);
      await expect(pushState(store, pushed(rest), force)).rejects.toMatchObject({
        code: 'state-conflict',
        message: expect.stringContaining(words),
      });
      expect(store.stored.journal).toBe(journal);
    }
  });

  it.each(['applied', 'none'] as const)(
    'state push accepts a state that holds at least as much as the journal (%s)',
    async (outcome) => {
      const store = makeStore(stateOf({}), journalOf(7, outcome));
      await pushState(store, tracking, false);
      expect(store.stored).toMatchObject({ journal: undefined, state: { resources: { [s]: { id } } } });
    },
  );

  it('state push folds the journal into the state that it continues', async () => {
    const store = makeStore(stateOf({}, { serial: 5 }), journalOf(7, 'applied'));
    await pushState(store, stateOf({}), false);
    expect(store.stored).toMatchObject({ journal: undefined, state: { serial: 8, resources: { [s]: { id } } } });
  });
});

describe('state resolve', () => {
  const open = (action: Unresolved['action'], address = s): Unresolved => ({
    address,
    action,
    since: at,
    identifier: '12db1a0a',
    name: 'Weekly sales',
    attributes: schedule({ subject: 'new' }),
  });
  const resolve = (state: State, resolution: Parameters<typeof resolveOpen>[2], address = s) =>
    resolveOpen(state, openAt(state, address, resolution), resolution, later);

  it('state resolve gives a create or a replace an id that nothing else has', () => {
    const created = resolve(stateOf({}, { unresolved: [open('create')] }), { by: 'id', id });
    expect(created).toMatchObject({ unresolved: [], resources: { [s]: { id, attributes: { subject: 'new' } } } });
    const replaced = resolve(stateOf({ [s]: schedule() }, { unresolved: [open('replace')] }), { by: 'id', id });
    expect(replaced).toMatchObject({ resources: { [s]: { id } }, orphans: [{ id: `id of ${s}` }] });
  });

  it('state resolve refuses the id of an orphan or of a tracked resource, and a missing id', () => {
    const orphans = [{ id, address: s, identifier: '12db1a0a', name: 'Weekly sales', since: at }];
    const state = stateOf({ [s]: schedule() }, { unresolved: [open('replace')], orphans });
    for (const resolution of [{ by: 'id', id }, { by: 'id', id: `id of ${s}` }, { by: 'done' }] as const)
      expect(() => resolve(state, resolution)).toThrow(expect.objectContaining({ code: 'refused' }));
  });

  it('state resolve --retry stops tracking the missing id of a schedule that was to be created again', () => {
    const state = stateOf({ [s]: schedule() }, { unresolved: [open('create')] });
    expect(resolve(state, { by: 'retry' }).resources).toEqual({});
    const replacing = stateOf({ [s]: schedule() }, { unresolved: [open('replace')] });
    expect(resolve(replacing, { by: 'retry' }).resources[s]).toMatchObject({ id: `id of ${s}` });
  });

  it('state resolve accepts --done without an id for a test delivery', () => {
    const state = stateOf({}, { unresolved: [open('run')] });
    expect(() => resolve(state, { by: 'id', id })).toThrow(/creates nothing/);
    expect(resolve(state, { by: 'done' }).resources[s]?.id).toBeUndefined();
  });

  it('state resolve accepts --done with and without an id for an AI job', () => {
    const j = 'aiJobs.j';
    const state = stateOf({}, { unresolved: [open('run', j)] });
    expect(resolve(state, { by: 'id', id }, j).resources[j]).toMatchObject({ id });
    expect(resolve(state, { by: 'done' }, j).resources[j]?.id).toBeUndefined();
  });

  it('state resolve --done keeps the id of an update and stops tracking a deleted schedule', () => {
    const state = (action: 'update' | 'delete') => stateOf({ [s]: schedule() }, { unresolved: [open(action)] });
    expect(resolve(state('update'), { by: 'done' }).resources[s]).toMatchObject({
      id: `id of ${s}`,
      attributes: { subject: 'new' },
      createdAt: at,
      updatedAt: later,
    });
    expect(resolve(state('delete'), { by: 'done' }).resources).toEqual({});
    expect(() => resolve(state('delete'), { by: 'id', id })).toThrow(expect.objectContaining({ code: 'refused' }));
  });
});

it('state resolve --retry of a delete leaves the update open that was open before it', () => {
  const earlier = [schedule({ subject: 'Two' }), schedule({ subject: 'Three' })];
  const open: Unresolved = { address: s, action: 'delete', since: at, earlier };
  const resolved = resolveOpen(stateOf({ [s]: schedule() }, { unresolved: [open] }), open, { by: 'retry' }, later);
  expect(resolved.unresolved).toEqual([
    { address: s, action: 'update', since: at, attributes: earlier[0], earlier: [earlier[1]] },
  ]);
});

describe('state resolve, where a change and a trigger of one address are open', () => {
  const both = (action: 'update' | 'delete' | 'replace') =>
    stateOf(
      { [s]: schedule() },
      {
        unresolved: [
          { address: s, action, since: at },
          { address: s, action: 'trigger', since: later },
        ],
      },
    );
  const closed = (action: 'update' | 'delete' | 'replace', by: 'id' | 'done' | 'retry') =>
    openAt(both(action), s, by === 'id' ? { by, id } : { by }).action;

  it.each(['done', 'retry'] as const)(
    '--%s is refused where it may mean either, with both times and the way out',
    (by) => {
      for (const action of ['update', 'delete'] as const) {
        expect(() => closed(action, by)).toThrow(
          expect.objectContaining({
            code: 'refused',
            message: `--${by} may mean the ${action} of ${s}, sent at ${at}, or its trigger, sent at ${later}: both are unresolved.`,
            hint: expect.stringContaining(`settles the ${action}`),
          }),
        );
      }
      expect(() => closed('replace', 'retry')).toThrow(
        expect.objectContaining({ hint: expect.stringContaining('--done') }),
      );
    },
  );

  it('an answer that only one of the two can have is about that one', () => {
    expect([closed('replace', 'id'), closed('replace', 'done')]).toEqual(['replace', 'trigger']);
  });
});

describe('state mv', () => {
  it('state mv refuses an address with an open change until it is resolved', () => {
    const open = { address: s, action: 'replace', since: at } as const;
    const state = stateOf({ [s]: schedule() }, { unresolved: [open] });
    expect(() => moveResource(state, s, 'schedules.t')).toThrow(/not known/);
    const other = stateOf({ 'schedules.r': schedule() }, { unresolved: [open] });
    expect(() => moveResource(other, 'schedules.r', s)).toThrow(/not known/);
  });

  it('state mv leaves no open change of an instance behind when a whole loop moves', () => {
    const open = { address: 'schedules.a.y', action: 'create', since: at } as const;
    const state = stateOf({ 'schedules.a.x': schedule() }, { unresolved: [open] });
    expect(() => moveResource(state, 'schedules.a', 'schedules.b')).toThrow(/schedules\.a\.y is not known/);
  });

  it('an address that a single resource and a loop share names only the single one in state mv', () => {
    const state = stateOf({ [s]: schedule(), [`${s}.x`]: schedule() });
    const moved = moveResource(state, s, 'schedules.t');
    expect(Object.keys(moved.resources).sort()).toEqual([`${s}.x`, 'schedules.t']);
    expect(Object.keys(dropResources(state, [s]).resources)).toEqual([]);
    expect(Object.keys(dropResources(moved, ['schedules.t']).resources)).toEqual([`${s}.x`]);
  });

  it('state mv refuses an address that could not be declared', () => {
    const state = stateOf({ [s]: schedule() });
    for (const to of ['schedules.', 'schedules.a b', 'schedules.\u001b[31mx', 'dashboards.s', 's'])
      expect(() => moveResource(state, s, to), to).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

it('a repair of the state folds the journal of a dead apply and raises the serial', async () => {
  const orphans = [{ id: 'x', address: s, identifier: 'i', name: 'n', since: at }];
  const store = makeStore(stateOf({}, { orphans }), journalOf(7, 'applied'));
  await repairState(store, 'state orphans', (state) => clearOrphan(state, 'x'));
  expect(store.stored).toMatchObject({
    journal: undefined,
    state: { serial: 9, orphans: [], resources: { [s]: { id } } },
  });
});

it('a repair that breaks off between the state and the journal has written what the journal says, and no more', async () => {
  const store = makeStore(stateOf({}), journalOf(7, 'applied'));
  const commit = vi.fn(async () => {
    throw new Failure('state-unwritable', 'The journal cannot be removed.');
  });
  const breaking = {
    ...store,
    lock: async (...given: readonly [string]) => ({ ...(await store.lock(...given)), commit }),
  };
  await expect(repairState(breaking, 'state rm', (state) => dropResources(state, [s]))).rejects.toThrow('removed');
  expect(commit.mock.calls).toMatchObject([[{ serial: 8, resources: { [s]: { id } } }]]);
});
