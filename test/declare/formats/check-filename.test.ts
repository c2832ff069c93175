import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFilename, filenameVariables } from '../../../src/declare/rules/s3-destination.ts';
import { invalidFilenames, validFilenames } from '../../support/property/odd-texts.ts';

describe('checkFilename', () => {
  it.each(validFilenames)('the file name %j is accepted', (value) => expect(checkFilename(value)).toEqual([]));

  it.each(invalidFilenames)('the file name %j is refused: %s', (value, words) => {
    const found = checkFilename(value).filter(({ code }) => code === 'invalid-filename');
    expect(found.map(({ message }) => message).join('\n')).toContain(words);
  });

  it.each([
    ['{{currentdate}}', 'Did you mean `currentDate`?'],
    ['{{timezone}}', 'Did you mean `timeZone`?'],
    ['{{current_date}}', 'Did you mean `currentDate`?'],
    ['{{yesterdaysDate}}', 'Did you mean `yesterdayDate`?'],
    ['{{{format}}}', 'Write `{{format}}`.'],
  ])('a file name check suggests what was meant by %s', (value, hint) =>
    expect(checkFilename(value)).toMatchObject([{ hint }]),
  );

  it('a file name check lists the variables if none is similar', () =>
    expect(checkFilename('{{zzz}}')[0]?.hint).toContain('scheduledTaskName'));

  it.each(['a/b', '/', 'reports/{{currentDate}}', '../x'])('a file name check warns of the slash in %j', (value) =>
    expect(checkFilename(value)).toMatchObject([{ code: 'filename-slash' }]),
  );

  it('a file name check finds everything at once and reports each problem once', () =>
    expect(checkFilename('a/{{x}}/{{x}}.csv').map(({ code }) => code)).toEqual([
      'invalid-filename',
      'invalid-filename',
      'filename-slash',
    ]));

  it('a file name check accepts any combination of variables and words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc019-_ }'), maxLength: 6 });
    const variable = fc.constantFrom(...filenameVariables).map((name) => `{{${name}}}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, variable), { maxLength: 6 }), (parts) => {
        expect(checkFilename(`x${parts.join('')}`)).toEqual([]);
      }),
    );
  });

  it('a file name check answers quickly to hostile texts of 100 kB', () => {
    for (const piece of [
      '{',
      '}',
      '{{',
      '}}',
      '{{}}',
      '{{x',
      '{ ',
      ' ',
      '.',
      '.{{',
      '.{{format ',
      '/',
      '{{x}}',
      '{{{',
    ]) {
      checkFilename(piece.repeat(100_000 / piece.length));
      checkFilename(`.{{${piece.repeat(100_000 / piece.length)}}}`);
    }
    checkFilename(Array.from({ length: 10_000 }, (_, index) => `{{v${index}}}`).join(''));
  });
});
