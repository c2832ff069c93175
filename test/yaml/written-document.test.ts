// Where values are written: aliases and merge keys are followed, and what they hide is known.

import { expect, it } from 'vitest';
import { writtenDocuments } from '../../src/yaml/written-document.ts';
import { parseYaml } from '../../src/yaml/yaml-documents.ts';

function written(text: string) {
  const document = writtenDocuments(parseYaml({ path: 'a.yaml', text })).get(0);
  if (document === undefined) throw new Error('not readable');
  return document;
}

it('the value of a place is where it is written, behind an alias or a merge key', () => {
  const document = written(`base: &base { zone: UTC, team: &team [ana, bo] }
a: { <<: *base, people: *team }
b: { zone: Rome, <<: [*base, { zone: Paris }] }
`);
  const at = (pointer: string) => document.suppliersAt(pointer).map(({ slot, text }) => [slot, text]);
  expect(at('/base/zone')).toEqual([['/base/zone', '/base/zone']]);
  expect(at('/a/zone')).toEqual([['/base/zone', '/base/zone']]);
  expect(at('/a/people')).toEqual([['/a/people', '/base/team']]);
  expect(at('/a/people/1')).toEqual([['/base/team/1', '/base/team/1']]);
  expect(at('/b/zone').map(([slot]) => slot)).toEqual(['/b/zone', '/base/zone', '/b/<</1/zone']);
  expect(at('/b/none/at/all')).toEqual([]);
});

it('the places that have what is written elsewhere are known', () => {
  const document = written(`base: &base { zone: UTC }
a: { <<: *base }
b: { <<: *base, zone: Rome }
c: &c { name: C }
d: *c
`);
  expect(document.readersOf('/base/zone')).toEqual(['/base/zone', '/a/zone']);
  expect(document.readersOf('/c/name')).toEqual(['/c/name', '/d/name']);
  expect(document.readersOf('/c/none')).toEqual(['/c/none']);
  expect(['/base', '/a', '/b', '/c'].filter((pointer) => document.isReferredTo(pointer))).toEqual(['/base', '/c']);
});

it('an alias means the last anchor of its name before it', () => {
  const document = written('a: &x 1\nb: *x\nc: &x 2\nd: *x\n');
  expect(['/b', '/d'].map((pointer) => document.suppliersAt(pointer)[0]?.text)).toEqual(['/a', '/c']);
});

it('the places of the values of 10,000 resources in one file are found in a few seconds', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `s${index}`);
  const text = `schedules:\n${keys.map((key) => `  ${key}: { name: N }\n`).join('')}`;
  const document = written(text);
  const found = keys.flatMap((key) => document.suppliersAt(`/schedules/${key}/name`));
  expect(found).toHaveLength(10_000);
});
