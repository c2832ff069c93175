// All or none of the files, whatever fails while they take their places.

import { expect, test } from 'vitest';
import type { Workspace } from '../../src/declare/workspace.ts';
import { writeFiles } from '../../src/edit/write-files.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

const names = ['a.yaml', 'b.yaml', 'c.yaml'];

/** Files that hold `before`; what is done with one of them can fail. */
function filesWhere(fails: (what: 'put' | 'drop' | 'replace', path: string) => boolean) {
  const texts: Record<string, string> = Object.fromEntries(names.map((name) => [name, 'before']));
  const maybe = (what: 'put' | 'drop' | 'replace', path: string) => {
    if (fails(what, path)) throw new Failure('usage', `No ${what} of ${path}.`);
  };
  const workspace: Workspace = {
    ...makeMemoryWorkspace({}),
    read: (path) => ({ text: texts[path] ?? '' }),
    replace: async (path, _, after) => {
      maybe('replace', path);
      texts[path] = after;
    },
    prepare: async (path, _, after) => ({
      put: async () => {
        maybe('put', path);
        texts[path] = after;
      },
      drop: async () => maybe('drop', path),
    }),
  };
  const files = names.map((path) => ({ path, before: 'before', after: 'after' }));
  const run = { signal: new AbortController().signal };
  return { texts, write: () => writeFiles(run, workspace, files, 'a test looked') };
}

test('a file that cannot take its place undoes those before it', async () => {
  const { texts, write } = filesWhere((what, path) => what === 'put' && path === 'c.yaml');
  await expect(write()).rejects.toThrow('No put of c.yaml.');
  expect(Object.values(texts)).toEqual(['before', 'before', 'before']);
});

test.each([
  ['what was prepared cannot be removed', 'drop', [], 'No put of c.yaml.'],
  [
    'one of them cannot be undone, which is named',
    'replace',
    ['a.yaml'],
    'No put of c.yaml. Nevertheless changed, because it could not be undone: a.yaml.',
  ],
] as const)(
  'the first failure is reported, and every other file is undone, also where %s',
  async (_, failing, left, words) => {
    const { texts, write } = filesWhere(
      (what, path) => (what === 'put' && path === 'c.yaml') || (what === failing && path === 'a.yaml'),
    );
    await expect(write()).rejects.toThrow(words);
    expect(names.filter((name) => texts[name] !== 'before')).toEqual(left);
  },
);
