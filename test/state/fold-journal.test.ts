// How a journal changes the state that it started from, whether the apply ended or died.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../../src/model/plan/journal.ts';
import type { State, StateResource } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { foldJournal } from '../../src/state/fold-journal.ts';
import { parseJournal, parseState, renderJournalLine, renderState } from '../../src/state/format/parse-state.ts';
import { runs } from '../support/runs/runs.ts';

const before = '2026-01-01T00:00:00.000Z';
const begun = '2026-03-01T00:00:00.000Z';
const ended = '2026-03-01T00:00:01.000Z';
const header: JournalHeader = {
  type: 'header',
  version: 2,
  lineage: 'a-lineage',
  serial: 7,
  baseUrl: 'https://acme.omniapp.co/api',
  salt: 'c2FsdA==',
  toolVersion: '0.2.0',
};
const s = 'schedules.s';
const attributes: JsonObject = { identifier: '12db1a0a', name: 'New' };

type Line = JournalIntent | JournalOutcome;
type Intent = Omit<JournalIntent, 'type' | 'seq' | 'at'>;
type Outcome = Omit<JournalOutcome, 'type' | 'seq' | 'at'>;

/** Pairs of an intent and its outcome, or an intent alone. */
function linesOf(...pairs: readonly (readonly [Intent, (Outcome | undefined)?])[]): Line[] {
  return pairs.flatMap(([intent, outcome], seq) => [
    { type: 'intent', seq, ...intent, at: begun } as const,
    ...(outcome === undefined ? [] : [{ type: 'outcome', seq, ...outcome, at: ended } as const]),
  ]);
}

function stateOf(resources: Readonly<Record<string, Partial<StateResource>>>, rest: Partial<State> = {}): State {
  const full = Object.entries(resources).map(([address, resource]) => [
    address,
    { attributes: { identifier: '12db1a0a', name: 'Old' }, createdAt: before, updatedAt: before, ...resource },
  ]);
  const { lineage, serial, baseUrl, salt } = header;
  return {
    version: 2,
    lineage,
    serial,
    baseUrl,
    salt,
    toolVersion: '0.1.0',
    resources: Object.fromEntries(full),
    orphans: [],
    unresolved: [],
    ...rest,
  };
}

const fold = (state: State | undefined, lines: readonly Line[], over: Partial<JournalHeader> = {}) =>
  foldJournal(state, { header: { ...header, ...over }, lines }, 'almanac.state.json');

const orphan = (id: string, address = s) => ({ id, address, identifier: '12db1a0a', name: 'Old', since: ended });

describe('an outcome', () => {
  it('the outcome of a create tracks the new schedule with its outputs', () => {
    const outputs = { delivererRoleArn: 'arn', externalId: 'x' };
    const folded = fold(
      stateOf({}),
      linesOf([
        { address: s, action: 'create', attributes },
        { status: 'applied', id: 'new', outputs },
      ]),
    );
    expect(folded).toEqual({
      ...stateOf({}),
      serial: 8,
      toolVersion: '0.2.0',
      resources: { [s]: { id: 'new', attributes, outputs, createdAt: ended, updatedAt: ended } },
    });
  });

  it('the outcome of a replace tracks the new schedule and lists the old one as an orphan', () => {
    const folded = fold(
      stateOf({ [s]: { id: 'old', outputs: { externalId: 'old' } } }),
      linesOf([
        { address: s, action: 'replace', attributes },
        { status: 'applied', id: 'new' },
      ]),
    );
    expect(folded?.resources[s]).toEqual({ id: 'new', attributes, createdAt: ended, updatedAt: ended });
    expect(folded?.orphans).toEqual([orphan('old')]);
  });

  it('the outcome of an update keeps the id, the outputs and the creation date', () => {
    const folded = fold(
      stateOf({ [s]: { id: 'old', outputs: { externalId: 'x' } } }),
      linesOf([{ address: s, action: 'update', attributes }, { status: 'applied' }]),
    );
    expect(folded?.resources[s]).toEqual({
      id: 'old',
      attributes,
      outputs: { externalId: 'x' },
      createdAt: before,
      updatedAt: ended,
    });
  });

  it('the outcome of a forget lists the schedule as an orphan, unless it was released or only ran', () => {
    const forget: Intent = { address: s, action: 'forget' };
    expect(fold(stateOf({ [s]: { id: 'old' } }), linesOf([forget, { status: 'applied', id: 'old' }]))).toMatchObject({
      resources: {},
      orphans: [orphan('old')],
    });
    expect(
      fold(stateOf({ [s]: { id: 'old' } }), linesOf([{ ...forget, release: true }, { status: 'applied' }])),
    ).toMatchObject({ resources: {}, orphans: [] });
    expect(fold(stateOf({ [s]: {} }), linesOf([forget, { status: 'applied' }]))).toMatchObject({
      resources: {},
      orphans: [],
    });
    const job = { 'aiJobs.j': { id: 'job' }, 'dashboards.d': {} };
    const both = linesOf(
      [{ address: 'aiJobs.j', action: 'forget' }, { status: 'applied' }],
      [{ address: 'dashboards.d', action: 'forget' }, { status: 'applied' }],
    );
    expect(fold(stateOf(job), both)).toMatchObject({ resources: {}, orphans: [] });
  });

  it('the outcome of a delete leaves nothing in the state', () => {
    expect(
      fold(stateOf({ [s]: { id: 'old' } }), linesOf([{ address: s, action: 'delete' }, { status: 'applied' }])),
    ).toMatchObject({ resources: {}, orphans: [] });
  });

  it('the outcome of an adoption tracks the id, which is no longer an orphan', () => {
    const state = stateOf({}, { orphans: [orphan('id-1'), orphan('id-2')] });
    const folded = fold(
      state,
      linesOf([
        { address: s, action: 'adopt', attributes },
        { status: 'applied', id: 'id-1' },
      ]),
    );
    expect(folded?.resources[s]).toMatchObject({ id: 'id-1', attributes });
    expect(folded?.orphans).toEqual([orphan('id-2')]);
  });

  it('the outcome of a run is recorded, with the id of an AI job and without one for a test delivery', () => {
    const folded = fold(
      stateOf({ 'aiJobs.j': { id: 'old job', outputs: { omniChatUrl: 'old' } } }),
      linesOf(
        [{ address: s, action: 'run', attributes }, { status: 'applied' }],
        [
          { address: 'aiJobs.j', action: 'run', attributes },
          { status: 'applied', id: 'job' },
        ],
      ),
    );
    expect(folded?.resources[s]).toEqual({ attributes, createdAt: ended, updatedAt: ended });
    expect(folded?.resources['aiJobs.j']).toEqual({ id: 'job', attributes, createdAt: ended, updatedAt: ended });
    expect(folded?.orphans).toEqual([]);
  });

  it('a failed outcome changes nothing, not even the serial', () => {
    const state = stateOf({ [s]: { id: 'old' } });
    for (const action of ['create', 'replace', 'update', 'run', 'delete'] as const) {
      expect(fold(state, linesOf([{ address: s, action, attributes }, { status: 'failed' }]))).toEqual(state);
    }
    expect(fold(state, [])).toEqual(state);
  });

  it('an outcome that resolves an open change closes it', () => {
    const open = { address: s, action: 'create', since: before } as const;
    const folded = fold(
      stateOf({}, { unresolved: [open, { ...open, address: 'schedules.t' }] }),
      linesOf([
        { address: s, action: 'create', attributes },
        { status: 'applied', id: 'new' },
      ]),
    );
    expect(folded?.unresolved).toEqual([{ ...open, address: 'schedules.t' }]);
  });
});

describe('an intent of which nobody knows the outcome', () => {
  it.each([
    ['without an outcome', undefined],
    ['with an unknown outcome', { status: 'unknown' }],
  ] as const)('an intent %s is unresolved, with everything needed to find it', (_, outcome) => {
    const state = stateOf({ [s]: { id: 'old' } });
    const folded = fold(
      state,
      linesOf([{ address: s, action: 'replace', attributes, identifier: '12db1a0a', name: 'New' }, outcome]),
    );
    expect(folded?.resources).toEqual(state.resources);
    expect(folded?.unresolved).toEqual([
      { address: s, action: 'replace', identifier: '12db1a0a', name: 'New', since: begun, attributes },
    ]);
    expect(folded?.serial).toBe(8);
  });

  it('a schedule that an open request may have paused counts as paused until a change of it is done', () => {
    const state = stateOf({ [s]: { id: 'old' } });
    const update = { address: s, action: 'update', attributes } as const;
    const pause = { ...update, attributes: { ...attributes, paused: true } };
    const lost = fold(state, linesOf([pause], [update]));
    expect(lost?.unresolved).toMatchObject([{ attributes: { paused: true } }]);
    const repeated = { ...header, serial: lost?.serial ?? 0 };
    const lostAgain = fold(lost, linesOf([update]), repeated);
    expect(lostAgain?.unresolved).toMatchObject([{ attributes: { paused: true } }]);
    const done = fold(lost, linesOf([update, { status: 'applied' }]), repeated);
    expect([done?.unresolved, done?.resources[s]?.attributes]).toEqual([[], attributes]);
  });

  it('an adoption that broke off between its pause and its update keeps its id', () => {
    const pause = { address: s, action: 'update', attributes: { ...attributes, paused: true }, ahead: true } as const;
    const folded = fold(stateOf({}), linesOf([pause, { status: 'applied', id: 'theirs' }]));
    expect(folded?.resources[s]).toMatchObject({ id: 'theirs', attributes: { paused: true } });
  });

  it('an intent without an outcome is not unresolved if it sends no request', () => {
    const state = stateOf({ [s]: { id: 'old' } });
    for (const action of ['forget', 'adopt', 'move'] as const) {
      expect(fold(state, linesOf([{ address: s, action, attributes }]))).toEqual(state);
    }
    expect(fold(state, linesOf([{ address: s, action: 'update', attributes, stateOnly: true }]))).toEqual(state);
  });
});

describe('moves', () => {
  const moves: readonly (readonly [Intent, Outcome])[] = [
    [{ address: 'schedules.a', action: 'move', previousAddress: 'schedules.b' }, { status: 'applied' }],
    [{ address: 'schedules.b', action: 'move', previousAddress: 'schedules.a' }, { status: 'applied' }],
  ];
  const state = stateOf({ 'schedules.a': { id: 'A' }, 'schedules.b': { id: 'B' } });

  it('moves in a journal can swap two resources', () => {
    const folded = fold(state, linesOf(...moves));
    expect(folded?.resources).toMatchObject({
      'schedules.a': { id: 'B', createdAt: before, updatedAt: begun },
      'schedules.b': { id: 'A' },
    });
  });

  it('moves in a journal come before other changes of the moved resource', () => {
    const folded = fold(
      state,
      linesOf(...moves, [
        { address: 'schedules.a', action: 'replace', attributes },
        { status: 'applied', id: 'C' },
      ]),
    );
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
  const created = (address: string, id: string): readonly [Intent, Outcome] => [
    { address, action: 'create', identifier: '12db1a0a', name: 'New', attributes },
    { status: 'applied', id },
  ];
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
    fc.record({ address, action, attributes: fc.constant(attributes) }),
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

describe('the header', () => {
  const lines = linesOf([
    { address: s, action: 'create', attributes },
    { status: 'applied', id: 'new' },
  ]);

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

  it('a journal of another organization is refused, whatever its serial is', () => {
    for (const serial of [6, 7]) {
      expect(() => fold(stateOf({}), lines, { serial, baseUrl: 'https://other.omniapp.co/api' })).toThrow(
        expect.objectContaining({ code: 'state-conflict', message: expect.stringContaining('other.omniapp.co') }),
      );
    }
  });

  it('the header of a journal starts no state if nothing was done', () => {
    const failed = linesOf([{ address: s, action: 'create', attributes }, { status: 'failed' }]);
    for (const each of [[], failed]) expect(fold(undefined, each, { serial: 0 })).toBeUndefined();
  });

  it('a journal with a serial below that of the state was already folded', () => {
    const state = stateOf({});
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

describe('a journal that breaks off anywhere', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  /** Each address once, as an apply does; moves apart. */
  const steps = fc
    .tuple(
      fc.uniqueArray(key),
      fc.array(
        fc.tuple(
          fc.constantFrom('create', 'replace', 'update', 'forget', 'adopt', 'run'),
          fc.constantFrom('applied', 'failed', 'unknown'),
        ),
        { minLength: 4, maxLength: 4 },
      ),
    )
    .map(([keys, what]) =>
      keys.map((name, index): readonly [Intent, Outcome] => {
        const [action, status] = (what[index] ?? ['update', 'applied']) as [
          JournalIntent['action'],
          JournalOutcome['status'],
        ];
        const quiet = action === 'forget' || action === 'adopt';
        const made = action === 'create' || action === 'replace' || action === 'adopt';
        return [
          {
            address: `schedules.${name}`,
            action,
            attributes: action === 'forget' ? undefined : { identifier: 'x', name },
          },
          {
            status: quiet ? 'applied' : status,
            id: made && (quiet || status === 'applied') ? `new ${name}` : undefined,
          },
        ];
      }),
    );
  const tracked = fc.uniqueArray(key);

  /** Every id that appears in a state. */
  const idsOf = (state: State | undefined) =>
    new Set([
      ...Object.values(state?.resources ?? {}).flatMap(({ id }) => id ?? []),
      ...(state?.orphans ?? []).map(({ id }) => id),
    ]);

  it('a journal that is cut off anywhere loses no id, and its unfinished intents are unresolved', () => {
    fc.assert(
      fc.property(steps, tracked, fc.double({ min: 0, max: 1, noNaN: true }), (pairs, keys, share) => {
        // A create makes something new, and an update changes something tracked.
        const state = stateOf(Object.fromEntries(keys.map((name) => [`schedules.${name}`, { id: `old ${name}` }])));
        const lines = linesOf(
          ...pairs.filter(([{ address, action }]) =>
            action === 'adopt' || action === 'run'
              ? !(address in state.resources)
              : (action === 'create') !== address in state.resources,
          ),
        );
        const text = [header, ...lines].map(renderJournalLine).join('');
        const first = renderJournalLine(header).length;
        const cut = first + Math.floor(share * (text.length - first));
        const journal = parseJournal(text.slice(0, cut), 'the journal') as Journal;
        const folded = foldJournal(state, journal, 'the state');

        const outcomes = new Map(
          journal.lines.flatMap((line) => (line.type === 'outcome' ? [[line.seq, line] as const] : [])),
        );
        const made = [...outcomes.values()].flatMap(({ id }) => id ?? []);
        for (const id of [...idsOf(state), ...made]) expect(idsOf(folded)).toContain(id);
        const open = journal.lines.flatMap((line) =>
          line.type === 'intent' &&
          line.action !== 'forget' &&
          line.action !== 'adopt' &&
          (outcomes.get(line.seq)?.status ?? 'unknown') === 'unknown'
            ? [line.address]
            : [],
        );
        expect(folded?.unresolved.map(({ address }) => address).sort()).toEqual(open.sort());
        // What was folded once is not folded again.
        if (folded?.serial !== state.serial) expect(foldJournal(folded, journal, 'the state')).toBe(folded);
      }),
      { numRuns: runs(500), seed: 1 },
    );
  });
});
