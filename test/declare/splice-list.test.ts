// Lists that take in the items of other lists.

import { describe, expect, it } from 'vitest';
import { interpolate } from '../../src/declare/expand/interpolate.ts';
import type { Scope } from '../../src/declare/expand/resolve-reference.ts';
import type { Json } from '../../src/model/values/json.ts';
import { writtenOrigin } from '../../src/model/workspace/field-place.ts';

const scope: Scope = {
  variables: { team: ['ana', 'bo'], others: ['bo', 'cy'], one: 'ana', none: [], deep: [['x']], map: { a: 1 } },
  environment: () => undefined,
  isReserved: () => false,
  readFile: () => ({ text: '' }),
  audience: (name) => ({ value: name === 'channel' ? 'C1' : ['ana', 'dora'] }),
};

const resultOf = (value: Json) => interpolate(value, scope);

describe('a reference to a list in a list', () => {
  it.each<[readonly Json[], Json]>([
    [
      ['${var.team}', 'cy'],
      ['ana', 'bo', 'cy'],
    ],
    [
      ['cy', '${var.team}'],
      ['cy', 'ana', 'bo'],
    ],
    [['${var.none}', 'cy'], ['cy']],
    [['${var.none}'], []],
    [
      ['${var.one}', '${var.team}'],
      ['ana', 'bo'],
    ],
    [['${audience.channel}', '${audience.channel}'], ['C1']],
    [['${var.deep}'], [['x']]],
    [['${var.one} and'], ['ana and']],
    [['$${var.team}'], ['${var.team}']],
    [
      ['${var.map}', '${var.team}'],
      [{ a: 1 }, 'ana', 'bo'],
    ],
  ])('the list %j becomes %j', (written, meant) => {
    expect(resultOf({ a: written }).value).toEqual({ a: meant });
  });

  it('what two lists have in common is there once', () => {
    expect(resultOf(['${var.team}', '${var.others}', 'ana', '${audience.x}']).value).toEqual([
      'ana',
      'bo',
      'cy',
      'dora',
    ]);
  });

  it('what is written twice stays twice, so that validation can report it', () => {
    expect(resultOf(['cy', '${var.team}', 'cy']).value).toEqual(['cy', 'ana', 'bo', 'cy']);
  });

  it('upper and lower case make a difference unless the field says otherwise', () => {
    expect(resultOf(['${var.team}', 'ANA']).value).toEqual(['ana', 'bo', 'ANA']);
    expect(interpolate(['${var.team}', 'ANA'], scope, { ignoresCaseAt: () => true }).value).toEqual(['ana', 'bo']);
  });

  it('a list without a reference to a list records nothing', () => {
    expect(resultOf(['${var.one}', 'bo'])).toEqual({ value: ['ana', 'bo'], problems: [] });
  });

  it('a place in the list leads to the item that is written there', () => {
    const { origins } = resultOf({ a: ['x', '${var.team}', 'y'] });
    const origin = { file: 'a.yaml', document: 0, pointer: '' };
    const places = ['/a/0', '/a/1', '/a/2', '/a/3', '/a', '/b/1'].map(
      (place) => writtenOrigin({ origin, origins }, place).pointer,
    );
    expect(places).toEqual(['/a/0', '/a/1', '/a/1', '/a/2', '/a', '/b/1']);
  });

  it('a reference in a list that is wrong is reported at its item', () => {
    expect(resultOf(['${var.team}', '${var.taem}']).problems).toMatchObject([
      { code: 'unknown-variable', pointer: '/1' },
    ]);
  });
});
