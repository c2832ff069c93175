// Edits where a YAML file has anchors: what comes by an alias or a merge key is written at the place itself, and the
// anchor's own value changes only where all that refer to it may.

import { expect, it } from 'vitest';
import { forAllReaders } from '../../../src/commands/base/edit/edit-files.ts';
import { type Edit, editYaml } from '../../../src/yaml/edit/edit-yaml.ts';
import { openDocuments } from '../../../src/yaml/written/open-documents.ts';
import { edited, lines } from '../../support/yaml/edited.ts';

const text = lines(
  'x-team: &team [ana, bo] # the team',
  'x-base: &base',
  '  format: csv',
  'schedules:',
  '  a: { <<: *base, recipients: *team }',
  '  b:',
  '    <<: *base # all',
  '    recipients: *team # them',
  '    name: B',
);

/** Edits of the value at a pointer, or below it, and of all places that refer to it. */
function everywhere(source: string, pointer: string, ...changes: readonly [below: string, Edit['value']][]) {
  const file = { path: 'a.yaml', text: source };
  const edits = changes.map(([below, value]) => ({ pointer: pointer + below, value }));
  const all = forAllReaders(
    { file: file.path, document: 0, pointer },
    edits,
    openDocuments(() => file),
  );
  return all.map((edit): Edit => ({ document: 0, ...edit }));
}

/** The lines that differ, by number. */
const changed = (after: string | undefined) =>
  (after ?? 'refused')
    .split('\n')
    .flatMap((line, index) => (text.split('\n')[index] === line ? [] : [`${index}${line}`]));

it('a value that is an alias is written in the place of the alias', () => {
  expect(changed(edited(text, ['/schedules/b/recipients', ['cy']]))).toEqual(['7    recipients: [cy] # them']);
  expect(changed(edited(text, ['/schedules/a/recipients', ['cy']]))).toEqual(['4  a: { <<: *base, recipients: [cy] }']);
});

it('an edit inside the value of an alias is written in the place of the alias', () => {
  expect(changed(edited(text, ['/schedules/b/recipients/0', undefined], ['/schedules/b/recipients/-', 'cy']))).toEqual([
    '7    recipients: [bo, cy] # them',
  ]);
});

it('a value that comes by a merge key is written as a field of the resource', () => {
  const after = edited(text, ['/schedules/a/format', 'pdf'], ['/schedules/b/format', 'xlsx']);
  expect(after).toBe(
    text
      .replace('<<: *base, recip', '<<: *base, format: pdf, recip')
      .replace('name: B\n', 'name: B\n    format: xlsx\n'),
  );
});

it('a value that comes by a merge key cannot be removed', () => {
  expect(edited(text, ['/schedules/b/format', undefined])).toBeUndefined();
});

it('an edit of a value with an anchor is refused while others refer to it', () => {
  expect(edited(text, ['/x-team/0', undefined])).toBeUndefined();
  expect(edited(text, ['/x-team', []])).toBeUndefined();
  expect(edited(text, ['/x-team', undefined])).toBeUndefined();
  expect(edited(text, ['/x-base/format', 'pdf'])).toBeUndefined();
  expect(edited('a: &a [x]\n', ['/a/0', 'z'])).toBe('a: &a [z]\n');
});

it('an edit of a value with an anchor is made where it changes all that refer to it', () => {
  expect(changed(editYaml(text, everywhere(text, '/x-team', ['/0', undefined], ['/-', 'cy'])))).toEqual([
    '0x-team: &team [bo, cy] # the team',
  ]);
  expect(changed(editYaml(text, everywhere(text, '/x-team', ['', 'ana'])))).toEqual(['0x-team: &team ana # the team']);
  expect(changed(editYaml(text, everywhere(text, '/x-base/format', ['', 'pdf'])))).toEqual(['2  format: pdf']);
  const merged = ['/x-base', '/schedules/a', '/schedules/b'].map((map) => [`${map}/timezone`, 'UTC'] as const);
  expect(edited(text, ...merged)).toBe(text.replace('format: csv', 'format: csv\n  timezone: UTC'));
});

it('an edit of all places that refer to an anchor leaves their aliases', () => {
  expect(
    changed(
      edited(
        text,
        ['/x-team/1', undefined],
        ['/schedules/a/recipients/1', undefined],
        ['/schedules/b/recipients', ['ana']],
      ),
    ),
  ).toEqual(['0x-team: &team [ana] # the team']);
});

it('a place that keeps its value while that of the anchor changes gets a value of its own', () => {
  const after = editYaml(text, [
    ...everywhere(text, '/x-base/format', ['', 'pdf']),
    ...everywhere(text, '/x-team', ['', ['cy']]),
    { document: 0, pointer: '/schedules/b/format', value: 'csv' },
    { document: 0, pointer: '/schedules/b/recipients', value: ['ana', 'bo'] },
  ]);
  expect(after).toBe(
    text
      .replace('format: csv', 'format: pdf')
      .replace('[ana, bo]', '[cy]')
      .replace(
        'recipients: *team # them\n    name: B\n',
        'recipients: [ana, bo] # them\n    name: B\n    format: csv\n',
      ),
  );
});

it('an anchor that is redefined counts for the aliases below it only', () => {
  const twice = lines('a: &x [1]', 'b: *x', 'c: &x [2]', 'd: *x');
  expect(editYaml(twice, everywhere(twice, '/a', ['/-', 3]))).toBe(twice.replace('[1]', '[1, 3]'));
  expect(editYaml(twice, everywhere(twice, '/c', ['/-', 3]))).toBe(twice.replace('[2]', '[2, 3]'));
});

it('an item with an anchor that others refer to cannot be removed', () => {
  const items = lines('a: [&one x, z]', 'b: [*one]');
  expect(edited(items, ['/a/0', undefined])).toBeUndefined();
  expect(edited(items, ['/b/0', undefined], ['/b/-', 'q'])).toBe(lines('a: [&one x, z]', 'b: [q]'));
  expect(edited(items, ['/a/0', undefined], ['/b/0', undefined])).toBe(lines('a: [z]', 'b: []'));
});

it('the maps of several merges are edited at the resource', () => {
  const several = lines('p: &p { a: 1 }', 'q: &q { a: 2, b: 3 }', 'r:', '  <<: [*p, *q]');
  expect(edited(several, ['/r/a', 2], ['/r/b', 3])).toBe(`${several}  a: 2\n`);
});
