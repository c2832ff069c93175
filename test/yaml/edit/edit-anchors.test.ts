// Edits where a YAML file has anchors: what comes by an alias or a merge key is written at the place itself, and the
// anchor's own value changes only where all that refer to it may.

import { expect, it } from 'vitest';
import { forAllReaders } from '../../../src/commands/base/edit/edit-files.ts';
import { openDocuments } from '../../../src/yaml/written/open-documents.ts';
import { type Change, edited, testEdits } from '../../support/yaml/edited.ts';

const text = `x-team: &team [ana, bo] # the team
x-base: &base
  format: csv
schedules:
  a: { <<: *base, recipients: *team }
  b:
    <<: *base # all
    recipients: *team # them
    name: B
`;

/** Edits of the value at a pointer, or below it, and of all places that refer to it. */
function everywhere(source: string, pointer: string, ...changes: readonly Change[]): readonly Change[] {
  const documents = openDocuments((path) => ({ path, text: source }));
  const edits = changes.map(([below, value]) => ({ pointer: pointer + below, value }));
  const all = forAllReaders({ file: 'a.yaml', document: 0, pointer }, edits, documents);
  return all.map((edit) => [edit.pointer, edit.value]);
}

const twice = 'a: &x [1]\nb: *x\nc: &x [2]\nd: *x\n';
const items = 'a: [&one x, z]\nb: [*one]\n';

testEdits({
  'a value that is an alias is written in the place of the alias': [
    text,
    [
      ['/schedules/a/recipients', ['cy']],
      ['/schedules/b/recipients', ['di']],
    ],
    ['*team }', '[cy] }'],
    ['*team #', '[di] #'],
  ],
  'an edit inside the value of an alias is written in the place of the alias': [
    text,
    [['/schedules/b/recipients/0'], ['/schedules/b/recipients/-', 'cy']],
    ['*team #', '[bo, cy] #'],
  ],
  'a value that comes by a merge key is written as a field of the resource': [
    text,
    [
      ['/schedules/a/format', 'pdf'],
      ['/schedules/b/format', 'xlsx'],
    ],
    ['*base, recip', '*base, format: pdf, recip'],
    ['name: B', 'name: B\n    format: xlsx'],
  ],
  'an edit of a value with an anchor is made where it changes all that refer to it': [
    text,
    everywhere(text, '/x-team', ['/0'], ['/-', 'cy']),
    ['[ana, bo]', '[bo, cy]'],
  ],
  'a list with an anchor becomes a text for all that refer to it': [
    text,
    everywhere(text, '/x-team', ['', 'ana']),
    ['[ana, bo]', 'ana'],
  ],
  'a value in a merged map changes for all that merge it': [
    text,
    everywhere(text, '/x-base/format', ['', 'pdf']),
    ['csv', 'pdf'],
  ],
  'a field that all who merge a map get is written there': [
    text,
    ['/x-base', '/schedules/a', '/schedules/b'].map((map) => [`${map}/timezone`, 'UTC'] as const),
    ['csv', 'csv\n  timezone: UTC'],
  ],
  'an edit of all places that refer to an anchor leaves their aliases': [
    text,
    [['/x-team/1'], ['/schedules/a/recipients/1'], ['/schedules/b/recipients', ['ana']]],
    ['[ana, bo]', '[ana]'],
  ],
  'a place that keeps its value while that of the anchor changes gets a value of its own': [
    text,
    [
      ...everywhere(text, '/x-base/format', ['', 'pdf']),
      ...everywhere(text, '/x-team', ['', ['cy']]),
      ['/schedules/b/format', 'csv'],
      ['/schedules/b/recipients', ['ana', 'bo']],
    ],
    ['format: csv', 'format: pdf'],
    ['[ana, bo]', '[cy]'],
    ['*team # them\n    name: B', '[ana, bo] # them\n    name: B\n    format: csv'],
  ],
  'an anchor that is defined again counts for the aliases below it only': [
    twice,
    [...everywhere(twice, '/a', ['/-', 3]), ...everywhere(twice, '/c', ['/-', 4])],
    ['[1]', '[1, 3]'],
    ['[2]', '[2, 4]'],
  ],
  'an item that is an alias can go': [items, [['/b/0'], ['/b/-', 'q']], ['[*one]', '[q]']],
  'an item with an anchor goes together with its alias': [items, [['/a/0'], ['/b/0']], ['&one x, ', ''], ['*one', '']],
  'the maps of several merges are edited at the resource': [
    'p: &p { a: 1 }\nq: &q { a: 2, b: 3 }\nr:\n  <<: [*p, *q]\n',
    [
      ['/r/a', 2],
      ['/r/b', 3],
    ],
    ['[*p, *q]', '[*p, *q]\n  a: 2'],
  ],
  'an anchor to which nothing refers is no obstacle': ['a: &a [x]\n', [['/a/0', 'z']], ['x', 'z']],
});

it.each<[string, string, ...Change]>([
  ['a value that comes by a merge key cannot be removed', text, '/schedules/b/format'],
  ['an item of a list to which others refer', text, '/x-team/0'],
  ['a list to which others refer', text, '/x-team', []],
  ['an anchor to which others refer', text, '/x-team'],
  ['a field of a map that others merge', text, '/x-base/format', 'pdf'],
  ['an item with an anchor to which others refer', items, '/a/0'],
])('an edit is refused while others would change: %s', (_, source, ...change) => {
  expect(edited(source, change)).toBeUndefined();
});
