// References in texts: what they become, how wrong ones are reported, and that nothing else changes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate } from '../../src/declare/expand/interpolate.ts';
import type { Scope } from '../../src/declare/expand/resolve-reference.ts';
import type { RoomForSecrets } from '../../src/model/fields/fields.ts';
import { interpolation } from '../../src/model/fields/patterns.ts';
import type { Json } from '../../src/model/values/json.ts';
import type { Secret } from '../../src/model/values/secret.ts';
import { writtenOrigin } from '../../src/model/workspace/field-place.ts';
import { runs } from '../support/runs/runs.ts';

const scope: Scope = {
  variables: {
    name: 'Weekly',
    team: ['ana', 'bo'],
    port: 22,
    on: false,
    nothing: null,
    again: '${var.name}',
    'a b': 'x',
    dollar: '$',
    base: 'https://hooks.example.com',
    others: ['bo', 'cy'],
    one: 'ana',
    none: [],
    deep: [['x']],
    map: { a: 1 },
  },
  environment: (name) => ({ TOKEN: 's3cret', EMPTY: '' })[name],
  isReserved: (name) => name === 'RESERVED',
  readFile: (path) =>
    path === 'body.md' ? { text: 'Hello ${var.name}' } : { code: 'unreadable-reference', message: 'It is not there.' },
  audience: (name) => ({ value: name === 'channel' ? 'C1' : ['ana', 'dora'] }),
};

const resultOf = (value: Json) => interpolate(value, scope).value;
const secretOf = (text: string, room: RoomForSecrets = 'text') =>
  interpolate(text, scope, { roomAt: () => room }).value as Secret;

describe('a reference', () => {
  it.each<[string, Json]>([
    ['${var.name}', 'Weekly'],
    ['The ${var.name} one', 'The Weekly one'],
    ['${var.team}', ['ana', 'bo']],
    ['${var.port}', 22],
    ['port ${var.port}', 'port 22'],
    ['${var.nothing}', null],
    ['${var.a b}', 'x'],
    ['${var.again}', '${var.name}'],
    ['${file.body.md}', 'Hello ${var.name}'],
    ['$${var.name}', '${var.name}'],
    ['$$${var.name}', '$${var.name}'],
    ['$${${var.name}', '${Weekly'],
    ['$ $$ $} {x}', '$ $$ $} {x}'],
  ])('the reference in %j gives %j', (text, value) => {
    expect(interpolate(text, scope)).toEqual({ value, problems: [] });
  });

  it('references are replaced at any depth, and keys are not changed', () => {
    expect(resultOf({ '${var.name}': [{ a: '${var.port}' }] })).toEqual({ '${var.name}': [{ a: 22 }] });
  });

  it('a reference to the environment makes a secret that shows the name of the variable and never its value', () => {
    const secret = secretOf('${var.name}-${env.TOKEN}-$${x}');
    expect([secret.reveal(), secret.variables]).toEqual(['Weekly-s3cret-${x}', ['TOKEN']]);
    expect(secret.shown).toBe('Weekly-${env.TOKEN}-$${x}');
    expect(secret.revealAll()).toEqual(['s3cret']);
    expect(`${secret}${JSON.stringify(secret)}`).not.toContain('s3cret');
  });

  it('a field that is secret as a whole shows the names of its variables, and that it holds other text', () => {
    const secret = secretOf('before${env.TOKEN}between${env.TOKEN}after', 'whole');
    expect(secret.shown).toBe('(sensitive)${env.TOKEN}(sensitive)${env.TOKEN}(sensitive)');
    expect(secretOf('${env.TOKEN}${env.TOKEN}', 'whole').shown).toBe('${env.TOKEN}${env.TOKEN}');
    expect(secret.reveal()).toBe('befores3cretbetweens3cretafter');
  });

  it('a literal text never looks like the name of a variable', () => {
    expect(secretOf('$${env.OTHER} ${env.TOKEN}').shown).toBe('$${env.OTHER} ${env.TOKEN}');
    expect(secretOf('${var.dollar}{env.OTHER} ${env.TOKEN}').shown).toBe('$${env.OTHER} ${env.TOKEN}');
    expect(secretOf('${var.dollar}${env.TOKEN}').shown).not.toBe(secretOf('$${env.TOKEN}${env.TOKEN}').shown);
    expect(secretOf('${var.dollar}${env.TOKEN}').shown).toBe('\\u0024${env.TOKEN}');
  });

  it.each(['${env.MISSING}', 'x ${env.EMPTY} y'])(
    'a reference to a variable that is not set leaves the value unknown: %s',
    (text) => {
      const { value, problems } = interpolate(text, scope, { roomAt: () => 'text' });
      expect([(value as Secret).known, (value as Secret).shown]).toEqual([false, text]);
      expect(problems).toMatchObject([{ code: 'missing-variable' }]);
    },
  );
});

it.each([
  ['correct horse\r', 'ends with a line end'],
  ['correct horse\n', 'ends with a line end'],
  [' correct horse', 'begins with a space'],
  ['\tcorrect horse ', 'begins and ends with a space'],
])('a secret with white space at an end is used as it is, with a warning that does not show it: %j', (given, words) => {
  const { value, problems } = interpolate(
    '${env.PASSWORD}',
    { ...scope, environment: () => given },
    { roomAt: () => 'text' },
  );
  expect((value as Secret).reveal()).toBe(given);
  expect(problems).toMatchObject([
    { code: 'secret-blank-end', message: expect.stringContaining(`\`PASSWORD\` ${words}`) },
  ]);
  expect(JSON.stringify(problems)).not.toContain('horse');
});

it('what is wrong in a value of an item that is part of a text is reported at the item', () => {
  const origin = { file: 'a.yaml', document: 0, pointer: '/schedules/s/forEach/a' };
  const values = { team: '${var.team}', wrong: 'x ${var.nope}' };
  const names = new Set(Object.keys(values));
  const inLoop = { ...scope, each: { key: 'a', values, origin, line: 1, isSingle: false, isFinal: false, names } };
  expect(interpolate('For ${each.team}', inLoop).problems).toMatchObject([{ code: 'invalid-interpolation' }]);
  expect(interpolate('For ${each.wrong}', inLoop).problems).toMatchObject([
    { code: 'unknown-variable', origin: { pointer: '/schedules/s/forEach/a/wrong' } },
  ]);
});

describe('a secret', () => {
  const codesOf = (text: string, room?: RoomForSecrets) =>
    interpolate(text, scope, { roomAt: () => room }).problems.map(({ code }) => code);

  it.each(['${env.TOKEN}', 'evil+${env.TOKEN}@evil.test', '${env.MISSING}'])(
    'a secret is refused in a field where none belongs: %s',
    (text) => {
      expect(codesOf(text)).toEqual(['secret-not-here']);
    },
  );

  it.each([
    'https://hooks.example.com/a/${env.TOKEN}?b=${env.TOKEN}#${env.TOKEN}',
    'HTTPS://hooks.example.com:8443?key=${env.TOKEN}',
    '${var.base}/${env.TOKEN}',
  ])('a secret may follow the host of a URL: %s', (text) => {
    expect(codesOf(text, 'path-and-query')).toEqual([]);
  });

  it.each([
    '${env.TOKEN}',
    'https://${env.TOKEN}',
    'https://hooks.example.com${env.TOKEN}/in',
    'https://user:${env.TOKEN}@hooks.example.com/in',
    'https:/${env.TOKEN}/in',
    'https:\\\\${env.TOKEN}/in',
    'https://good.example.com\\${env.TOKEN}/in',
    '//hooks.example.com/${env.TOKEN}',
    ' https://hooks.example.com/${env.TOKEN}',
  ])('a secret may not be part of what decides the host of a URL: %s', (text) => {
    expect(codesOf(text, 'path-and-query')).toEqual(['secret-not-here']);
  });

  it('a secret is not judged by its place if the text before it is unknown', () => {
    expect(codesOf('https://${var.nope}/${env.TOKEN}', 'path-and-query')).toEqual(['unknown-variable']);
  });

  it('a variable that belongs to the job is refused everywhere', () => {
    expect(codesOf('${env.RESERVED}', 'text')).toEqual(['reserved-variable']);
    expect(codesOf('${env.RESERVED}')).toEqual(['reserved-variable']);
  });
});

describe('a wrong reference', () => {
  it.each([
    ['${env.TOKEN }', 'invalid-interpolation'],
    ['${env:TOKEN}', 'invalid-interpolation'],
    ['list: ${var.team}', 'invalid-interpolation'],
  ])('the wrong reference in %j is %s, with no other finding, and leaves an unknown value', (text, code) => {
    expect(interpolate(text, scope).problems.map((problem) => problem.code)).toEqual([code]);
    expect((resultOf(text) as Secret).known).toBe(false);
  });
});

describe('interpolation', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;

  it('a value without references is returned unchanged', () => {
    fc.assert(
      fc.property(json, (value) => {
        fc.pre(!JSON.stringify(value).includes('${'));
        expect(interpolate(value, scope).value).toBe(value);
      }),
    );
  });

  it('interpolation never throws, and reports exactly the texts that the editor schemas mark', () => {
    const text = fc.string({ unit: fc.constantFrom('$', '{', '}', 'var.', 'name', 'env.', '.', '\n'), maxLength: 12 });
    const pattern = new RegExp(interpolation, 'u');
    fc.assert(
      fc.property(text, (source) => {
        const { value, problems } = interpolate(source, scope);
        if (!pattern.test(source)) expect([value, problems]).toEqual([source.replaceAll('$${', '${'), []]);
        else expect(problems.length > 0 || value !== source).toBe(true);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('the time of an interpolation grows with the text, no faster', () => {
    // Whatever takes more than linear time takes minutes at this size.
    expect(interpolate('${'.repeat(200_000), scope).problems).not.toEqual([]);
    expect(interpolate('${var.x'.repeat(100_000), scope).problems).not.toEqual([]);
    expect(interpolate('$'.repeat(500_000), scope).problems).toEqual([]);
  });
});

describe('a reference to a list in a list', () => {
  it.each<[written: Json[], meant: Json[]]>([
    [
      ['cy', '${var.team}', '${var.none}'],
      ['cy', 'ana', 'bo'],
    ],
    [['${var.none}'], []],
    [
      ['${var.one}', '${var.team}'],
      ['ana', 'bo'],
    ],
    [['${audience.channel}', '${audience.channel}'], ['C1']],
    [
      ['${var.deep}', '${var.one} and', '$${var.team}'],
      [['x'], 'ana and', '${var.team}'],
    ],
    [
      ['${var.map}', '${var.team}'],
      [{ a: 1 }, 'ana', 'bo'],
    ],
    // What two lists have in common is there once. What is written twice stays, so that validation can report it.
    [
      ['${var.team}', '${var.others}', 'ana', '${audience.x}'],
      ['ana', 'bo', 'cy', 'dora'],
    ],
    [
      ['cy', '${var.team}', 'cy'],
      ['cy', 'ana', 'bo', 'cy'],
    ],
  ])('the list %j becomes %j', (written, meant) => {
    expect(resultOf({ a: written })).toEqual({ a: meant });
  });

  it('upper and lower case make a difference unless the field says otherwise', () => {
    expect(resultOf(['${var.team}', 'ANA'])).toEqual(['ana', 'bo', 'ANA']);
    expect(interpolate(['${var.team}', 'ANA'], scope, { ignoresCaseAt: () => true }).value).toEqual(['ana', 'bo']);
  });

  it('a list without a reference to a list records nothing', () => {
    expect(interpolate(['${var.one}', 'bo'], scope)).toEqual({ value: ['ana', 'bo'], problems: [] });
  });

  it('a place in the list leads to the item that is written there', () => {
    const { origins } = interpolate({ a: ['x', '${var.team}', 'y'] }, scope);
    const origin = { file: 'a.yaml', document: 0, pointer: '' };
    const places = ['/a/0', '/a/1', '/a/2', '/a/3', '/a', '/b/1'].map(
      (place) => writtenOrigin({ origin, origins }, place).pointer,
    );
    expect(places).toEqual(['/a/0', '/a/1', '/a/1', '/a/2', '/a', '/b/1']);
  });
});
