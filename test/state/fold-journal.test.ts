// How a journal changes its state, whether the apply ended or died.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { foldJournal } from '../../src/state/fold-journal.ts';
import { parseState, renderState } from '../../src/state/format/parse-state.ts';
import { at, kindOf, stateOf } from '../support/apply/declared.ts';
import { runs } from '../support/runs/runs.ts';

const begun = '2026-03-01T00:00:00.000Z';
const ended = '2026-03-01T00:00:01.000Z';
const { lineage, serial, baseUrl, salt } = stateOf({});
const header: JournalHeader = { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion: '0.2.0' };
const s = 'schedules.s';
const j = 'aiJobs.j';
const attributes: JsonObject = { identifier: '12db1a0a', name: 'New' };

type Line = JournalIntent | JournalOutcome;
type Intent = Omit<JournalIntent, 'type' | 'seq' | 'at'>;
type Outcome = Omit<JournalOutcome, 'type' | 'seq' | 'at'>;
type Pair = readonly [Intent, Outcome?];

/** Pairs of an intent and its outcome, or an intent alone. */
function linesOf(...pairs: readonly Pair[]): Line[] {
  return pairs.flatMap(([intent, outcome], seq) => [
    { type: 'intent', seq, ...intent, at: begun } as const,
    ...(outcome === undefined ? [] : [{ type: 'outcome', seq, ...outcome, at: ended } as const]),
  ]);
}

/** A change of the schedule, and what became of it. */
const change = (action: Intent['action'], outcome?: Outcome, more: Partial<Intent> = {}): Pair => [
  { kind: kindOf(action), address: s, action, attributes, ...more },
  outcome,
];
const done = (rest: Partial<Outcome> = {}): Outcome => ({ status: 'applied', ...rest });

const old = { attributes: { identifier: '12db1a0a', name: 'Old' } };
const tracking = (id: string, rest: object = {}) => stateOf({ [s]: { id, ...old, ...rest } });
const fold = (state: State | undefined, lines: readonly Line[], over: Partial<JournalHeader> = {}) =>
  foldJournal(state, { header: { ...header, ...over }, lines }, 'almanac.state.json');
const orphan = (id: string, address = s) => ({ id, address, identifier: '12db1a0a', name: 'Old', since: ended });
const outputs = { delivererRoleArn: 'arn', externalId: 'x' };
const fresh = { attributes, createdAt: ended, updatedAt: ended };

describe('an outcome', () => {
  it.each<[string, State, readonly Pair[], State['resources'], State['orphans']?]>([
    [
      'a create tracks the new schedule with its outputs',
      stateOf({}),
      [change('create', done({ id: 'new', outputs }))],
      { [s]: { id: 'new', outputs, ...fresh } },
    ],
    [
      'a replace tracks the new schedule and lists the old one as an orphan',
      tracking('old', { outputs: { externalId: 'old' } }),
      [change('replace', done({ id: 'new' }))],
      { [s]: { id: 'new', ...fresh } },
      [orphan('old')],
    ],
    [
      'an update keeps the id, the outputs and the creation date',
      tracking('old', { outputs }),
      [change('update', done())],
      { [s]: { id: 'old', outputs, ...fresh, createdAt: at } },
    ],
    [
      'a forget lists the schedule as an orphan',
      tracking('old'),
      [change('forget', done({ id: 'old' }))],
      {},
      [orphan('old')],
    ],
    ['a forget lists nothing that was released', tracking('old'), [change('forget', done(), { kind: 'release' })], {}],
    [
      'a forget lists nothing that only ran, and neither jobs nor dashboards',
      stateOf({ [s]: old, [j]: { id: 'job' }, 'dashboards.d': {} }),
      [s, j, 'dashboards.d'].map((address) => change('forget', done(), { address })),
      {},
    ],
    ['a delete leaves nothing in the state', tracking('old'), [change('delete', done())], {}],
    [
      'an adoption tracks the id, which is no longer an orphan',
      stateOf({}, { orphans: [orphan('id-1'), orphan('id-2')] }),
      [change('adopt', done({ id: 'id-1' }))],
      { [s]: { id: 'id-1', ...fresh, adopted: true, unsent: true } },
      [orphan('id-2')],
    ],
    [
      'an update of another text keeps since when it is due, and that it was adopted',
      tracking('old', { adopted: true, retimedAt: at }),
      [change('update', done())],
      { [s]: { id: 'old', ...fresh, adopted: true, createdAt: at, retimedAt: at } },
    ],
    ...([{ schedule: '0 9 * * ? *' }, { timezone: 'UTC' }, { paused: true }] as const).map(
      (timed): [string, State, readonly Pair[], State['resources']] => [
        `an update of ${Object.keys(timed).join()} records when its due time moved`,
        tracking('old', { attributes: { schedule: '0 8 * * ? *', timezone: 'Asia/Tokyo' } }),
        [change('update', done(), { attributes: { schedule: '0 8 * * ? *', timezone: 'Asia/Tokyo', ...timed } })],
        {
          [s]: {
            ...{ id: 'old', attributes: { schedule: '0 8 * * ? *', timezone: 'Asia/Tokyo', ...timed } },
            ...{ createdAt: at, retimedAt: ended, updatedAt: ended },
          },
        },
      ],
    ),
    [
      'an update that only spells its time otherwise moves nothing',
      tracking('old', { attributes: { schedule: '00 08 * * ? *', timezone: 'US/Pacific' } }),
      [change('update', done(), { attributes: { schedule: '0 8 * * ? *', timezone: 'America/Los_Angeles' } })],
      {
        [s]: {
          ...{ id: 'old', attributes: { schedule: '0 8 * * ? *', timezone: 'America/Los_Angeles' } },
          ...{ createdAt: at, updatedAt: ended },
        },
      },
    ],
    [
      'a run is recorded, with the id of an AI job and without one for a test delivery',
      stateOf({ [j]: { id: 'old job', outputs: { omniChatUrl: 'old' } } }),
      [change('run', done()), change('run', done({ id: 'job' }), { address: j })],
      { [s]: fresh, [j]: { id: 'job', ...fresh } },
    ],
  ])('of %s', (_, state, pairs, resources, orphans = []) => {
    const folded = fold(state, linesOf(...pairs));
    expect(folded).toEqual({ ...state, serial: 8, toolVersion: '0.2.0', resources, orphans });
  });

  it('that failed changes nothing, not even the serial', () => {
    const state = tracking('old');
    for (const action of ['create', 'replace', 'update', 'run', 'delete'] as const)
      expect(fold(state, linesOf(change(action, { status: 'failed' })))).toEqual(state);
    expect(fold(state, [])).toEqual(state);
  });

  it('that resolves an open change closes it', () => {
    const open = { address: s, action: 'create', since: at } as const;
    const state = stateOf({}, { unresolved: [open, { ...open, address: 'schedules.t' }] });
    const folded = fold(state, linesOf(change('create', done({ id: 'new' }))));
    expect(folded?.unresolved).toEqual([{ ...open, address: 'schedules.t' }]);
  });
});

describe('an intent of which nobody knows the outcome', () => {
  it.each([
    ['without an outcome', undefined],
    ['with an unknown outcome', { status: 'unknown' }],
  ] as const)('an intent %s is unresolved, with everything needed to find it', (_, outcome) => {
    const state = tracking('old');
    const found = { identifier: '12db1a0a', name: 'New' };
    const folded = fold(state, linesOf(change('replace', outcome, found)));
    expect(folded?.resources).toEqual(state.resources);
    expect(folded?.unresolved).toEqual([{ address: s, action: 'replace', ...found, since: begun, attributes }]);
    expect(folded?.serial).toBe(8);
  });

  it('an intent without an outcome is not unresolved if it sends no request', () => {
    const state = tracking('old');
    for (const action of ['forget', 'adopt', 'move'] as const)
      expect(fold(state, linesOf(change(action)))).toEqual(state);
    expect(fold(state, linesOf(change('update', undefined, { kind: 'record' })))).toEqual(state);
  });
});

describe('moves', () => {
  const moves = [
    change('move', done(), { address: 'schedules.a', previousAddress: 'schedules.b' }),
    change('move', done(), { address: 'schedules.b', previousAddress: 'schedules.a' }),
  ];
  const state = stateOf({ 'schedules.a': { id: 'A' }, 'schedules.b': { id: 'B' } });

  it('moves in a journal can swap two resources', () => {
    const folded = fold(state, linesOf(...moves));
    expect(folded?.resources).toMatchObject({
      'schedules.a': { id: 'B', createdAt: at, updatedAt: begun },
      'schedules.b': { id: 'A' },
    });
  });

  it('moves in a journal come before other changes of the moved resource', () => {
    const folded = fold(state, linesOf(...moves, change('replace', done({ id: 'C' }), { address: 'schedules.a' })));
    expect(folded?.resources).toMatchObject({ 'schedules.a': { id: 'C' }, 'schedules.b': { id: 'A' } });
    expect(folded?.orphans).toMatchObject([{ id: 'B', address: 'schedules.a' }]);
  });

  it('all moves of a journal are done, or none', () => {
    // As an apply writes them: the outcomes after all the intents.
    const lines = linesOf(...moves).sort((a, b) => Number(a.type === 'outcome') - Number(b.type === 'outcome'));
    for (let count = 0; count < lines.length; count++) expect(fold(state, lines.slice(0, count))).toEqual(state);
  });
});

describe('an id that is known already', () => {
  const other = 'schedules.other';
  const created = (address: string, id: string) =>
    change('create', done({ id }), { address, identifier: '12db1a0a', name: 'New' });
  const lost = [{ address: s, action: 'create', identifier: '12db1a0a', name: 'New', attributes, since: begun }];

  it.each<[string, State]>([
    ['of a tracked resource', stateOf({ [other]: { id: 'same' } })],
    ['of an orphan', stateOf({}, { orphans: [orphan('same', other)] })],
  ])('%s, as the answer to a create, says nothing: the outcome is not known', (_, state) => {
    const folded = fold(state, linesOf(created(s, 'same')));
    expect(folded).toMatchObject({ resources: state.resources, orphans: state.orphans, unresolved: lost });
  });

  it('of another create of this run, as the answer to a create, says nothing: the outcome is not known', () => {
    const folded = fold(stateOf({}), linesOf(created(other, 'same'), created(s, 'same')));
    expect(Object.keys(folded?.resources ?? {})).toEqual([other]);
    expect(folded).toMatchObject({ resources: { [other]: { id: 'same' } }, unresolved: lost });
  });
});

it('whatever a journal says, the state that comes of it can be read by the next command', () => {
  const address = fc.constantFrom('schedules.a', 'schedules.b', 'schedules.c', 'aiJobs.j', 'dashboards.d');
  const id = fc.constantFrom('1', '2', '3', '4');
  const action = fc.constantFrom('create', 'update', 'replace', 'delete', 'forget', 'adopt', 'run') as fc.Arbitrary<
    JournalIntent['action']
  >;
  const pair = fc.tuple(
    fc.tuple(address, action).map(([address, action]) => ({ kind: kindOf(action), address, action, attributes })),
    fc.option(fc.record({ status: fc.constantFrom('applied', 'failed', 'unknown'), id } as const), { nil: undefined }),
  ) as fc.Arbitrary<readonly [Intent, Outcome | undefined]>;
  const tracked = fc.uniqueArray(fc.tuple(address, id), { selector: ([, each]) => each, maxLength: 3 });
  fc.assert(
    fc.property(tracked, fc.array(pair, { maxLength: 8 }), (resources, pairs) => {
      const state = stateOf(Object.fromEntries(resources.map(([key, each]) => [key, { id: each }])));
      const folded = fold(state, linesOf(...pairs)) as State;
      expect(parseState(renderState(folded), 'state')).toEqual(folded);
    }),
    { numRuns: runs(2000) },
  );
});

it('a journal that was folded is known as folded, whatever it says of different resources', () => {
  const action = fc.constantFrom('create', 'update', 'replace', 'delete', 'adopt', 'run', 'trigger') as fc.Arbitrary<
    JournalIntent['action']
  >;
  const status = fc.option(fc.constantFrom('applied', 'failed', 'unknown' as const), { nil: undefined });
  const isTracked = fc.boolean();
  fc.assert(
    fc.property(fc.array(fc.tuple(action, status, isTracked), { maxLength: 6 }), (entries) => {
      const addresses = entries.map(([of], index) => `${of === 'run' ? 'aiJobs' : 'schedules'}.r${index}`);
      const tracked = addresses.flatMap((address, index) => (entries[index]?.[2] ? [[address, { id: address }]] : []));
      const pairs = entries.map(([action, status], index): Pair => {
        const id = action === 'update' || action === 'delete' ? undefined : `new-${index}`;
        const intent = { kind: kindOf(action), address: addresses[index] ?? '', action, attributes };
        return [intent, status && { status, id: status === 'applied' ? id : undefined }];
      });
      const folded = fold(stateOf(Object.fromEntries(tracked)), linesOf(...pairs));
      expect(fold(folded, linesOf(...pairs), folded?.serial === serial ? { serial: serial - 1 } : {})).toBe(folded);
    }),
    { numRuns: runs(2000) },
  );
});

describe('the header', () => {
  const lines = linesOf(change('create', done({ id: 'new' })));

  it('the header of a journal starts a state where there was none', () => {
    const folded = fold(undefined, lines, { serial: 0 });
    expect(folded).toMatchObject({
      version: 2,
      lineage: 'a-lineage',
      serial: 1,
      baseUrl: header.baseUrl,
      salt: header.salt,
      toolVersion: '0.2.0',
    });
  });

  it('a journal leaves the commit of the state as it is, because nobody knows whether the run was complete', () => {
    const commit = '9fceb02d0ae598e95dc970b74767f19372d61af8';
    expect(fold(stateOf({}, { commit }), lines)).toMatchObject({ serial: 8, commit });
    expect(fold(stateOf({}), lines)).not.toHaveProperty('commit');
  });

  it('the checkout of a killed run is recorded once it has changed something', () => {
    const before = stateOf({}, { checkout: 'earlier', names: { sales: 'Sales', board: 'Board' } });
    const seen = { checkout: 'later', names: { sales: 'Sales overview' } };
    const names = { sales: 'Sales overview', board: 'Board' };
    const folded = fold(before, lines, seen);
    expect(folded).toMatchObject({ checkout: 'later', names });
    expect(fold(before, lines)).toMatchObject({ checkout: 'earlier' });
    expect(fold(before, [], seen)).toBe(before);
  });

  it('a journal of another organization is refused, whatever its serial is', () => {
    for (const serial of [6, 7]) {
      expect(() => fold(stateOf({}), lines, { serial, baseUrl: 'https://other.omniapp.co/api' })).toThrow(
        expect.objectContaining({ code: 'state-conflict', message: expect.stringContaining('other.omniapp.co') }),
      );
    }
  });

  it('the header of a journal starts no state if nothing was done', () => {
    const failed = linesOf(change('create', { status: 'failed' }));
    for (const each of [[], failed]) expect(fold(undefined, each, { serial: 0 })).toBeUndefined();
  });

  it('a journal with a serial below that of the state was already folded', () => {
    const state = tracking('new');
    expect(fold(state, lines, { serial: 6 })).toBe(state);
    expect(foldJournal(state, undefined, 'x')).toBe(state);
  });

  it.each([
    ['a serial above that of the state, because an older state was put back', { serial: 8 }, /serial 8.*has 7/],
    ['another lineage', { lineage: 'other' }, /lineage is other.*a-lineage/],
  ])('a journal with %s is refused, and the refusal names the way out', (_, over, words) => {
    expect(() => fold(stateOf({}), lines, over)).toThrow(
      expect.objectContaining({
        code: 'state-conflict',
        message: expect.stringMatching(words),
        hint: expect.stringContaining('keep it'),
      }),
    );
  });

  it('a journal that continues a deleted state is refused', () => {
    expect(() => fold(undefined, lines)).toThrow(expect.objectContaining({ code: 'state-conflict' }));
  });
});

describe('a routine', () => {
  const r = 'routines.r';
  const routine = { modelId: 'm', name: 'Monday', owner: 'bo@example.com' };
  const posted: Intent = {
    ...{ kind: 'request', address: r, action: 'replace', attributes: routine },
    ...{ identifier: 'm', name: 'Monday', madeBy: 'bo', replaced: 'old' },
  };
  const applied = () =>
    stateOf({ [r]: { id: 'old', attributes: { ...routine, owner: 'ana@example.com' }, madeBy: 'ana' } });

  it('a routine is tracked with the member for whom it was made, and what it replaces is left with that of its own', () => {
    const { resources, orphans } = fold(applied(), linesOf([posted, done({ id: 'new' })])) ?? stateOf({});
    expect(resources[r]).toMatchObject({ id: 'new', madeBy: 'bo' });
    const left = { id: 'old', address: r, identifier: 'm', name: 'Monday', replaced: true, madeBy: 'ana' };
    expect(orphans).toMatchObject([left]);
  });

  it('a routine keeps its member where an update names none', () => {
    const attributes = { ...routine, name: 'Tuesday' };
    const update: Intent = { kind: 'request', address: r, action: 'update', attributes };
    expect(fold(applied(), linesOf([update, done()]))?.resources[r]).toMatchObject({ id: 'old', madeBy: 'ana' });
  });

  it('a routine is looked for in the list of the member for whom it was sent', () => {
    const existing = { 'routines of ana': ['a'], 'routines of bo': ['b'], m: ['c'] };
    const { unresolved = [] } = fold(applied(), linesOf([posted]), { existing }) ?? {};
    expect(unresolved).toMatchObject([{ address: r, identifier: 'm', name: 'Monday', madeBy: 'bo', existing: ['b'] }]);
  });
});
