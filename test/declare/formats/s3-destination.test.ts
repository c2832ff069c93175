// What AWS and the service require of an S3 destination: the name of a bucket, a region, a key prefix and a file name.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkBucketName,
  checkFilename,
  checkKeyPrefix,
  checkRegion,
  checkRoleArn,
  filenameVariables,
} from '../../../src/declare/rules/s3-destination.ts';
import { awsRegions } from '../../../src/model/fields/suggestions.ts';
import {
  invalidFilenames,
  invalidKeyPrefixes,
  validFilenames,
  validKeyPrefixes,
} from '../../support/property/odd-texts.ts';
import { runs } from '../../support/runs/runs.ts';

describe('checkBucketName', () => {
  it.each(['abc', 'my.bucket-1', '123', '1.2.3.a', 'a.-b', 'x-xn--a', 'a-s3aliases', 'b'.repeat(63)])(
    'the bucket name %s is accepted',
    (value) => expect(checkBucketName(value)).toEqual([]),
  );

  it.each([
    ['-abc', 'begin and end'],
    ['abc.', 'begin and end'],
    ['a..b', 'two periods'],
    ['192.168.5.4', 'IP address'],
    ['xn--abc', '`xn--`'],
    ['sthree-abc', '`sthree-`'],
    ['amzn-s3-demo-abc', '`amzn-s3-demo-`'],
    ['abc-s3alias', '`-s3alias`'],
    ['abc--ol-s3', '`--ol-s3`'],
    ['abc.mrap', '`.mrap`'],
    ['abc--usw2-az1--x-s3', '`--x-s3`'],
    ['abc--table-s3', '`--table-s3`'],
  ])('the bucket name %s causes a warning: %s', (value, words) =>
    expect(checkBucketName(value)).toMatchObject([
      { code: 'bucket-name-aws', message: expect.stringContaining(words) },
    ]),
  );

  it('a bucket name gets all its warnings at once', () => expect(checkBucketName('xn--a..b-')).toHaveLength(3));

  it.each(['', 'ab', 'ABC', 'a_b', '..', 'a'.repeat(64)])('the bucket name %j is left to the schema', (value) =>
    expect(checkBucketName(value)).toEqual([]),
  );
});

describe('checkRegion', () => {
  it('every region is accepted', () =>
    expect(Object.keys(awsRegions).filter((each) => checkRegion(each).length > 0)).toEqual([]));

  it.each([
    ['us-east-3', 'Did you mean `us-east-1`?'],
    ['eu-centarl-1', 'Did you mean `eu-central-1`?'],
  ])('the region %s causes a warning', (value, hint) =>
    expect(checkRegion(value)).toMatchObject([{ code: 'unknown-region', hint }]),
  );

  it('a region check says where to look if no region is similar', () => {
    expect(checkRegion('zz-nowhere-9')).toMatchObject([{ hint: expect.stringContaining('S3 console') }]);
  });

  it.each(['us-east', 'fips-us-east-1', 'us-east-1-fips', 'US-EAST-1', 'Ireland', 'a'.repeat(100_000)])(
    'what is no region causes a warning, too: %j',
    (value) => expect(checkRegion(value)).toMatchObject([{ code: 'unknown-region' }]),
  );

  it('an empty region is left to the schema', () => expect(checkRegion('')).toEqual([]));
});

describe('checkRoleArn', () => {
  it.each(['arn:aws:iam::123456789012:role/omni', 'arn:aws-cn:iam::123456789012:role/path/to/omni'])(
    'the role %s is accepted',
    (value) => expect(checkRoleArn(value)).toEqual([]),
  );

  it.each(['arn:aws:s3:::acme', 'arn:aws:iam::123456789012:user/omni', 'arn:aws:iam::12:role/omni'])(
    'the role %s causes a warning',
    (value) => expect(checkRoleArn(value)).toMatchObject([{ code: 'role-arn-aws' }]),
  );

  it.each(['', 'omni', 'arn:aws:iam::omni'])('the role %j, which is no ARN, is left to the schema', (value) =>
    expect(checkRoleArn(value)).toEqual([]),
  );
});

describe('checkKeyPrefix', () => {
  it.each(validKeyPrefixes)('the key prefix %j is accepted', (value) => expect(checkKeyPrefix(value)).toEqual([]));

  it.each(invalidKeyPrefixes)('the key prefix %j is refused', (value) => {
    for (const prefix of [value, `a/${value}/b`]) {
      expect(checkKeyPrefix(prefix)).toMatchObject([
        { code: 'invalid-key-prefix', message: expect.stringContaining('`..`') },
      ]);
    }
  });

  const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  /** Ways to write an ASCII character. */
  const encodings: ReadonlyArray<(character: string) => string> = [
    (character) => character,
    (character) => hex(character.charCodeAt(0)),
    (character) => hex(character.charCodeAt(0)).toUpperCase(),
    (character) => `%u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0),
    (character) => hex(0xc0 | (character.charCodeAt(0) >> 6)) + hex(0x80 | (character.charCodeAt(0) & 0x3f)),
    (character) =>
      hex(0xe0) + hex(0x80 | (character.charCodeAt(0) >> 6)) + hex(0x80 | (character.charCodeAt(0) & 0x3f)),
    (character) => encodeURIComponent(String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  ];
  const encoding = fc.constantFrom(...encodings);

  /** A text, each character of it written in some way, and each character of that again, some times over. */
  function encoded(text: string, depth: number): fc.Arbitrary<string> {
    if (depth === 0) return fc.constant(text);
    return fc
      .array(encoding, { minLength: text.length, maxLength: text.length })
      .map((ways) =>
        [...text].map((character, index) => (/[!-~]/.test(character) ? ways[index]?.(character) : character)).join(''),
      )
      .chain((once) => encoded(once, depth - 1));
  }

  const separator = fc.constantFrom('/', '\\');
  const around = fc.constantFrom('', ' ', '\t', '\u00a0', '\n ');
  const tail = fc.constantFrom('', '', ';x', '\u0000.csv', '%00');
  const ordinary = fc.string({ unit: fc.constantFrom(...'abzAZ09-_= éñ日'), maxLength: 6 }).map((text) => `x${text}`);

  it('a key prefix with `..` is refused however it is encoded', () => {
    const hidden = fc
      .tuple(fc.nat({ max: 3 }), separator, separator)
      .chain(([depth, left, right]) =>
        fc.tuple(encoded(left, depth), around, encoded('..', depth), around, tail, encoded(right, depth)),
      );
    fc.assert(
      fc.property(ordinary, hidden, ordinary, (before, parts, after) => {
        expect(checkKeyPrefix(before + parts.join('') + after)).toHaveLength(1);
        const [, space, dots, blank, end] = parts;
        expect(checkKeyPrefix(space + dots + blank + end)).toHaveLength(1);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('a key prefix of ordinary segments is accepted, encoded or not', () => {
    const dotted = fc.constantFrom('a..b', '..backup', 'v1.2', '...', '.', '.hidden');
    const segments = fc.array(fc.oneof(ordinary, ordinary.map(encodeURIComponent), dotted), { maxLength: 5 });
    fc.assert(
      fc.property(segments, fc.nat({ max: 2 }), (parts, depth) => {
        let prefix = parts.join('/');
        for (let layer = 0; layer < depth; layer += 1) prefix = encodeURIComponent(prefix);
        expect(checkKeyPrefix(prefix)).toEqual([]);
      }),
    );
  });

  it('a key prefix check never throws and quotes little', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
        expect(JSON.stringify(checkKeyPrefix(`${value}/../x`)).length).toBeLessThan(2500);
      }),
    ));

  it('a key prefix check answers quickly to hostile texts of 100 kB', () => {
    const pieces = '%25 %2 % . / %c0 %20 %c0%a5c0 %3 c0%a5 %ef%bc%85 %fc%80%80 \ufdfa ; %u .. \u0085'.split(' ');
    for (const piece of [' ', '/ ', '. ', '\\ ', ...pieces]) {
      checkKeyPrefix(piece.repeat(100_000 / piece.length));
      checkKeyPrefix(`/${piece.repeat(100_000 / piece.length)}..x`);
    }
  });
});

describe('checkFilename', () => {
  it.each(validFilenames)('the file name %j is accepted', (value) => expect(checkFilename(value)).toEqual([]));

  it.each(invalidFilenames)('the file name %j is refused: %s', (value, words) => {
    const found = checkFilename(value).filter(({ code }) => code === 'invalid-filename');
    expect(found.map(({ message }) => message).join('\n')).toContain(words);
  });

  it.each([
    ['{{currentdate}}', 'Did you mean `currentDate`?'],
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
    for (const piece of [' ', '{ ', '.{{format ', ...'{ } {{ }} {{}} {{x . .{{ / {{x}} {{{'.split(' ')]) {
      checkFilename(piece.repeat(100_000 / piece.length));
      checkFilename(`.{{${piece.repeat(100_000 / piece.length)}}}`);
    }
    checkFilename(Array.from({ length: 10_000 }, (_, index) => `{{v${index}}}`).join(''));
  });
});
