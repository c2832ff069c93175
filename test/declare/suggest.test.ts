import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/declare/findings/suggest.ts';

const fields = [
  'identifier',
  'name',
  'schedule',
  'timezone',
  'format',
  'recipients',
  'maxRowLimit',
  'showFilters',
  'url',
  'userId',
];

describe('nearest', () => {
  it.each([
    ['shcedule', 'schedule'],
    ['timeZone', 'timezone'],
    ['time-zone', 'timezone'],
    ['max_row_limit', 'maxRowLimit'],
    ['reciepients', 'recipients'],
    ['ulr', 'url'],
    ['u_r_l', 'url'],
  ])('the nearest name to %s is %s', (word, name) => expect(nearest(word, fields)).toBe(name));

  it.each(['', 'x', 'webhook', 'zzzzzzzz', 'nowhere', 'destination', 'schedule'.repeat(20)])(
    'no name is near to %j',
    (word) => expect(nearest(word, fields)).toBeUndefined(),
  );

  it('the name of a section is found by what follows it', () => {
    const addresses = ['dashboards.sales', 'schedules.month-end.emea', 'schedules.weekly-sales'];
    expect(nearest('weekly-sales', addresses)).toBe('schedules.weekly-sales');
    expect(nearest('month-end.emea', addresses)).toBe('schedules.month-end.emea');
    expect(nearest('emea', addresses)).toBeUndefined();
  });

  it('a name that differs in case is preferred to a nearer spelling', () =>
    expect(nearest('CSV', ['cs', 'CSVs', 'csv'])).toBe('csv'));
  it('a name with the same letters is found at any length', () =>
    expect(nearest('A'.repeat(100), ['a'.repeat(100)])).toBe('a'.repeat(100)));
  it('names that JavaScript knows cause no error in a suggestion', () => {
    expect(nearest('__proto', ['__proto__', 'constructor'])).toBe('__proto__');
    expect(nearest('construktor', ['__proto__', 'constructor'])).toBe('constructor');
  });

  it('a suggestion does not depend on the order of the names', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B', '-'), maxLength: 5 });
    fc.assert(
      fc.property(word, fc.array(word), (text, names) => {
        expect(nearest(text, names)).toBe(nearest(text, names.toReversed()));
      }),
    );
  });

  it('a name of four or more letters is found after one slip', () => {
    const letter = fc.constantFrom(...'abcdefgh');
    const name = fc.string({ unit: letter, minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(
        name,
        fc.nat(),
        letter,
        fc.constantFrom('drop', 'add', 'change', 'swap'),
        (text, seed, extra, slip) => {
          const place = seed % text.length;
          const [before, at, after] = [text.slice(0, place), text.slice(place, place + 1), text.slice(place + 1)];
          const slips = {
            drop: before + after,
            add: before + extra + at + after,
            change: before + extra + after,
            swap: before + after.slice(0, 1) + at + after.slice(1),
          };
          expect(nearest(slips[slip as keyof typeof slips], [text])).toBe(text);
        },
      ),
    );
  });

  it('a suggestion returns for hostile words and long lists', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `name-${index}`);
    expect(nearest('x'.repeat(100_000), names)).toBeUndefined();
    expect(nearest('nome-77', names)).toBe('name-77');
    expect(
      nearest(
        'a'.repeat(64),
        Array.from({ length: 2000 }, () => 'ab'.repeat(32)),
      ),
    ).toBeUndefined();
  });
});
