// References in texts: what they become, how wrong ones are reported, and that nothing else changes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolation } from '../../src/model/fields/patterns.ts';
import type { Json } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { interpolate, type Scope } from '../../src/parse/interpolate.ts';

const scope: Scope = {
  variables: {
    name: 'Weekly',
    team: ['ana', 'bo'],
    port: 22,
    on: false,
    nothing: null,
    again: '${var.name}',
    'a b': 'x',
  },
  environment: (name) => ({ TOKEN: 's3cret', EMPTY: '' })[name],
  readFile: (path) =>
    path === 'body.md' ? { text: 'Hello ${var.name}' } : { code: 'unreadable-reference', message: 'It is not there.' },
  nearestVariable: (name) => (name === 'nmae' ? 'name' : undefined),
};

const resultOf = (value: Json) => interpolate(value, scope).value;
const problemsOf = (value: Json) =>
  interpolate(value, scope).problems.map(({ code, pointer, within }) => [code, pointer, within.start, within.end]);

describe('a reference', () => {
  it.each<[string, Json]>([
    ['${var.name}', 'Weekly'],
    ['The ${var.name} one', 'The Weekly one'],
    ['${var.name}${var.name}', 'WeeklyWeekly'],
    ['${var.team}', ['ana', 'bo']],
    ['${var.port}', 22],
    ['port ${var.port}', 'port 22'],
    ['${var.on}', false],
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

  it('a reference to the environment makes the whole text a secret', () => {
    const secret = resultOf('https://${env.TOKEN}@${var.name}') as Secret;
    expect(secret).toBeInstanceOf(Secret);
    expect([secret.reveal(), secret.variables]).toEqual(['https://s3cret@Weekly', ['TOKEN']]);
    expect(JSON.stringify(secret)).not.toContain('s3cret');
  });

  it.each(['${env.MISSING}', 'x ${env.EMPTY} y'])(
    'a reference to a variable that is not set leaves the value unknown: %s',
    (text) => {
      const { value, problems } = interpolate(text, scope);
      expect((value as Secret).known).toBe(false);
      expect(problems).toMatchObject([{ code: 'missing-variable' }]);
    },
  );
});

describe('a wrong reference', () => {
  it.each<[string, string, number, number]>([
    ['a ${var.nope} b', 'unknown-variable', 2, 13],
    ['${file.nope.md}', 'unreadable-reference', 0, 15],
    ['list: ${var.team}', 'invalid-interpolation', 6, 17],
    ['${name}', 'invalid-interpolation', 0, 7],
    ['${}', 'invalid-interpolation', 0, 3],
    ['${var.}', 'invalid-interpolation', 0, 7],
    ['${env.2ND}', 'invalid-interpolation', 0, 10],
    ['${env.TOKEN }', 'invalid-interpolation', 0, 13],
    ['x ${var.name', 'invalid-interpolation', 2, 12],
    ['${var.name\n}', 'invalid-interpolation', 0, 10],
  ])('the wrong reference in %j is %s, at its place and with no other finding', (text, code, start, end) => {
    expect(problemsOf({ a: [text] })).toEqual([[code, '/a/0', start, end]]);
  });

  it('a wrong reference leaves an unknown value', () => {
    expect((resultOf('a ${var.nope} b') as Secret).known).toBe(false);
  });

  it('every wrong reference of a text is reported', () => {
    expect(problemsOf('${var.x} ${var.name} ${var.y}').map(([code]) => code)).toEqual([
      'unknown-variable',
      'unknown-variable',
    ]);
  });

  it.each([
    ['${var.nmae}', 'Did you mean `${var.name}`?'],
    ['${name}', 'Did you mean `${var.name}`?'],
    ['${vars.name}', 'Did you mean `${var.name}`?'],
    ['${ var.name }', 'Did you mean `${var.name}`?'],
    ['${ENV.TOKEN}', 'Did you mean `${env.TOKEN}`?'],
    ['${env:TOKEN}', 'Did you mean `${env.TOKEN}`?'],
    ['${var.zzz}', 'Add it under `variables` in almanac.yaml.'],
  ])('the wrong reference %s gets a hint', (text, hint) => {
    expect(interpolate(text, scope).problems).toMatchObject([{ hint }]);
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
      { numRuns: 5000 },
    );
  });

  it('the time of an interpolation grows with the text, no faster', () => {
    const began = performance.now();
    interpolate('${'.repeat(200_000), scope);
    interpolate('${var.x'.repeat(100_000), scope);
    interpolate('$'.repeat(500_000), scope);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
