// Several refusals as one: nothing that one of them knows is lost.

import { expect, it } from 'vitest';
import type { Unrecorded } from '../../src/model/workspace/diagnostic.ts';
import { Failure, type FindingSource, together } from '../../src/model/workspace/failure.ts';
import { nothingDeclared } from '../../src/model/workspace/resource.ts';

it('several failures together keep the addresses, findings and unrecorded changes of each, and each hint once', () => {
  const finding = (message: string) => ({ code: 'unknown-field', message }) as const;
  const source: FindingSource = { desired: nothingDeclared, fileNamed: () => undefined };
  const unrecorded: Unrecorded = { address: 'schedules.c', action: 'create', command: 'almanac state resolve' };
  const cause = new Error('403');
  const all = together([
    new Failure('blocked', 'One.', { hint: 'Stop.', addresses: ['schedules.a', 'schedules.b'], cause }),
    new Failure('refused', 'Two.', { hint: 'Stop.', addresses: ['schedules.b'], findings: [finding('f')], source }),
    new Failure('refused', 'Three.', { hint: 'Look.', findings: [finding('g')], unrecorded: [unrecorded] }),
  ]);
  expect(all).toMatchObject({ code: 'blocked', message: 'One.\nTwo.\nThree.', hint: 'Stop.\nLook.' });
  expect(all?.addresses).toEqual(['schedules.a', 'schedules.b']);
  expect(all?.findings).toEqual([finding('f'), finding('g')]);
  expect(all?.unrecorded).toEqual([unrecorded]);
  expect(all?.source).toBe(source);
  expect(all?.cause).toBe(cause);
});

it('several failures together lack addresses and a hint where none of them has any', () => {
  const all = together([new Failure('blocked', 'One.'), new Failure('blocked', 'Two.')]);
  expect([all?.addresses, all?.hint, all?.source]).toEqual([undefined, undefined, undefined]);
});
