import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalHeader, JournalIntent, JournalLine, JournalOutcome } from '../../src/model/plan/journal.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { parseJournal, renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { runs } from '../support/runs/runs.ts';
import { at, headerOf } from '../support/state/team-machine.ts';

const header = headerOf(7);
const intent = (seq: number, more: Partial<JournalIntent> = {}): JournalIntent => {
  return { type: 'intent', seq, kind: 'request', address: `schedules.s${seq}`, action: 'create', at, ...more };
};
const outcome = (seq: number, more: Partial<JournalOutcome> = {}): JournalOutcome => {
  return { type: 'outcome', seq, status: 'applied', id: `id-${seq}`, at, ...more };
};
const textOf = (...lines: readonly JournalLine[]) => lines.map(renderJournalLine).join('');
const read = (text: string) => parseJournal(text, 'almanac.state.json.journal');

describe('parseJournal', () => {
  it('a journal is read as it was written', () => {
    const lines = [intent(1), intent(2, { kind: 'release', action: 'forget' }), outcome(1, { outputs: { a: 1 } })];
    expect(read(textOf(header, ...lines))).toEqual({ header, lines });
  });

  it('an empty journal or a partial header contains no intents', () => {
    expect(read('')).toBeUndefined();
    expect(read('{"type":"hea')).toBeUndefined();
    expect(read('{"type":"hea\0\0')).toBeUndefined();
    expect(read(textOf(header).trimEnd())).toBeUndefined();
  });

  it('a partial intent is dropped, and the intent of a partial outcome stays open', () => {
    const text = textOf(header, intent(1));
    expect(read(text + textOf(intent(2)).trimEnd())?.lines).toEqual([intent(1)]);
    expect(read(`${text}{"type":"outcome","seq":1,"sta`)?.lines).toEqual([intent(1)]);
    expect(read(`${text}\0\0\0\0`)?.lines).toEqual([intent(1)]);
  });

  it('any prefix of a journal is read as a prefix of its lines', () => {
    const entry = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      attributes: fc.dictionary(fc.string(), fc.string()),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), fc.nat(), (entries, cut) => {
        const lines = entries.flatMap((more, seq) => [intent(seq, more), outcome(seq)]);
        const text = textOf(header, ...lines);
        const prefix = text.slice(0, cut % (text.length + 1));
        const journal = read(prefix);
        const whole = prefix.split('\n').length - 1;
        if (whole === 0) expect(journal).toBeUndefined();
        else expect(JSON.stringify(journal?.lines)).toBe(JSON.stringify(lines.slice(0, whole - 1)));
      }),
      { numRuns: runs(300) },
    );
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    ['a broken line in the middle', `${textOf(header)}{"ty\n${textOf(intent(1))}`, 'line 2 is corrupt'],
    ['a broken line before a torn one', `${textOf(header)}{"ty\n{"type`, 'line 2 is corrupt'],
    ['a broken last line that ends in a newline', `${textOf(header, intent(1))}{"ty\n`, 'line 3 is corrupt'],
    ['a broken header before other lines', `{"type\n${textOf(intent(1))}`, 'line 1 is corrupt'],
    ['a broken header that ends in a newline', '{"type":"hea\n', 'line 1 is corrupt'],
    ['two broken lines', 'one\ntwo\n', 'line 1 is corrupt'],
    ['a file that is no journal', 'one line of garbage', 'line 1 is corrupt'],
    ['a last line whose newline is damaged', `${textOf(header, intent(1)).trimEnd()}*`, 'line 2 is corrupt'],
    ['a line without its checksum', `${textOf(header)}${JSON.stringify(intent(1))}\n`, 'line 2 is corrupt'],
    ['no header', textOf(intent(1)), 'in line 1, /type is not header'],
    ['a second header', textOf(header, header), 'in line 2, /type is not intent or outcome'],
    ['a wrong field', textOf(header, { ...intent(1), seq: 0.5 }), 'in line 2, /seq is not a whole number'],
    ['a negative number', textOf(header, { ...intent(1), seq: -1 }), 'in line 2, /seq is less than 0'],
    ['an unknown field', textOf(header, { ...intent(1), x: 1 } as JournalIntent), 'in line 2, /x is not known'],
    [
      'an outcome without its intent',
      textOf(header, outcome(3)),
      'line 2 reports the outcome of 3, which no earlier line starts',
    ],
    ['the same intent twice', textOf(header, intent(1), intent(1)), 'line 3 starts 1 a second time'],
    [
      'a newer version',
      textOf({ ...header, version: 4, toolVersion: '9.0.0' } as unknown as JournalHeader),
      'it was written by almanac 9.0.0, as journal version 4; this almanac reads version 2',
    ],
    [
      'the version before this one',
      textOf({ ...header, version: 1, toolVersion: '9.0.0' } as unknown as JournalHeader),
      'it was written as journal version 1; this almanac reads version 2',
    ],
  ];
  it.each(refusals)('a journal is refused if it has %s', (_, text, words) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'state-unreadable', message: expect.stringContaining(words) }),
    );
  });
});

it('a journal with a single flipped bit is refused wherever the bit is, and never read as another journal', () => {
  const lines = [intent(1), outcome(1), intent(2, { attributes: { name: 'Größe', sum: '01234567' } }), outcome(2)];
  const bytes = new TextEncoder().encode(textOf(header, ...lines));
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      expect(() => read(new TextDecoder().decode(damaged)), `bit ${bit} of byte ${at}`).toThrow(Failure);
    }
  }
});
