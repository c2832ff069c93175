// The fold of a log: any log that runs of Almanac can write folds to what a plain model of the runs says, read in any
// number of pieces; and no damage to it passes unseen.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LockRecord } from '../../src/model/workspace/lock.ts';
import { emptyLog, type FoldedLog, foldLog, type NumberedText } from '../../src/state/format/fold-log.ts';
import type { CommitEntry, StateLogEntry } from '../../src/state/format/log-entry.ts';
import { renderLogEntry } from '../../src/state/format/log-entry.ts';
import { runs } from '../support/runs/runs.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const name = 'the place';
const unreadable = expect.objectContaining({ code: 'state-unreadable' });
const at = '2026-01-01T00:00:00.000Z';
const infoOf = (run: string): LockRecord => ({ who: run, host: 'a "host" ä', pid: 7, command: 'apply', since: at });

/** What may happen next; what cannot happen in a moment is left out. */
type Happening =
  | { readonly kind: 'lock' | 'take-over' | 'unlock' | 'by-hand' | 'beat' }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'commit'; readonly state: string; readonly rise: number; readonly release: boolean };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'lock' } as const) },
  fc.record({ kind: fc.constantFrom(...(['take-over', 'unlock', 'by-hand', 'beat'] as const)) }),
  fc.record({ kind: fc.constant('lines' as const), lines: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('commit' as const),
    state: fc.string({ unit: 'grapheme', minLength: 1 }),
    rise: fc.nat(3),
    release: fc.boolean(),
  }),
);

interface Model {
  readonly texts: readonly NumberedText[];
  readonly holder: string | undefined;
  readonly journal: readonly string[];
  readonly state: string | undefined;
  readonly serial: number;
}

/** Writes the log as runs would, and keeps apart what must come of it. */
function play(happenings: readonly Happening[]): Model {
  const texts: NumberedText[] = [];
  let runs = 0;
  let holder: string | undefined;
  let journal: readonly string[] = [];
  let last: CommitEntry | undefined;
  let previous: number | undefined;
  const write = (entry: StateLogEntry) => texts.push({ n: texts.length + 1, text: renderLogEntry(entry) });
  for (const each of happenings) {
    const head = { v: 1, id: `id-${texts.length}`, n: texts.length + 1, at } as const;
    if (each.kind === 'lock' || each.kind === 'take-over') {
      if ((holder === undefined) !== (each.kind === 'lock')) continue;
      const over = holder === undefined ? {} : { over: { run: holder, info: infoOf(holder) } };
      runs += 1;
      holder = `run-${runs}`;
      write({ ...head, kind: 'lock', run: holder, info: infoOf(holder), lease: 120, ...over });
    } else if (holder === undefined) {
    } else if (each.kind === 'lines' || each.kind === 'beat') {
      const lines = 'lines' in each ? each.lines : [];
      journal = [...journal, ...lines];
      write({ ...head, kind: 'lines', run: holder, lines });
    } else if (each.kind === 'commit') {
      const { state, release } = each;
      last = {
        ...head,
        kind: 'commit',
        run: holder,
        state,
        sha256: sha256(state),
        serial: (last?.serial ?? 0) + each.rise,
        lineage: 'a-lineage',
        info: infoOf(holder),
        changes: 0,
        previous,
        release,
        lease: release ? undefined : 120,
      };
      previous = write(last);
      journal = [];
      if (release) holder = undefined;
    } else {
      write({ ...head, kind: 'unlock', run: holder, by: each.kind === 'unlock' ? undefined : infoOf('ana') });
      holder = undefined;
    }
  }
  return { texts, holder, journal, state: last?.state, serial: last?.serial ?? 0 };
}

const log = fc.array(happening, { maxLength: 40 }).map(play);
const written = log.filter(({ texts }) => texts.length > 0);

function expectModel(folded: FoldedLog, { texts, holder, journal, state, serial }: Model): void {
  expect(folded.at).toBe(texts.length);
  expect(folded.holder?.run).toBe(holder);
  expect(folded.journal).toEqual(journal);
  expect([folded.commit?.state, folded.commit?.serial ?? 0]).toEqual([state, serial]);
}

describe('the fold of a log', () => {
  test('any log that runs can write folds to what the runs did, read in two pieces or from any of its commits on', () => {
    fc.assert(
      fc.property(log, fc.nat(40), (model, known) => {
        const before = foldLog(emptyLog, model.texts.slice(0, known), name);
        expectModel(foldLog(before, model.texts.slice(known), name), model);
        for (const { n } of model.texts.filter(({ text }) => text.includes('"kind":"commit"')))
          if (n > before.at) expectModel(foldLog(before, model.texts.slice(n - 1), name), model);
      }),
      { numRuns: runs(300) },
    );
  });

  test('any changed byte of any entry is noticed', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), ({ texts }, which, where, mask) => {
        const index = which % texts.length;
        const bytes = new TextEncoder().encode(texts[index]?.text);
        bytes.set([(bytes[where % bytes.length] ?? 0) ^ mask], where % bytes.length);
        const damaged = texts.with(index, { n: index + 1, text: new TextDecoder().decode(bytes) });
        expect(() => foldLog(emptyLog, damaged, name)).toThrow(unreadable);
      }),
      { numRuns: runs(500) },
    );
  });

  test('a missing entry is noticed, unless it is the last or reading may begin behind it', () => {
    fc.assert(
      fc.property(written, fc.nat(), (model, which) => {
        const { texts } = model;
        const index = which % texts.length;
        const rest = texts.filter((_, each) => each !== index);
        const isHarmless = index === texts.length - 1 || texts[index + 1]?.text.includes('"kind":"commit"');
        if (!isHarmless) expect(() => foldLog(emptyLog, rest, name)).toThrow(unreadable);
        else if (index < texts.length - 1) expectModel(foldLog(emptyLog, rest, name), model);
      }),
    );
  });

  test('an entry in the place of another is noticed', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.nat(), ({ texts }, one, other) => {
        const [a, b] = [one % texts.length, other % texts.length];
        const [first, second] = [texts[a], texts[b]];
        if (a === b || first === undefined || second === undefined) return;
        // Only their bytes: the numbers are those of the place.
        const copied = texts.with(a, { n: a + 1, text: second.text });
        expect(() => foldLog(emptyLog, copied, name)).toThrow(unreadable);
        expect(() => foldLog(emptyLog, copied.with(b, { n: b + 1, text: first.text }), name)).toThrow(unreadable);
        expect(() => foldLog(emptyLog, [...texts, first], name)).toThrow(unreadable);
      }),
    );
  });
});
