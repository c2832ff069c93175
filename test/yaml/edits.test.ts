// Plays test/yaml/edits: a title, what is asked for, and the file as it becomes line by line. A line begins with a space, `-`
// if it goes, or `+` if it comes. What is asked for is an edit of the first document (`> POINTER`, with the new value in JSON or
// nothing to remove), of all places that refer to one (`> everywhere POINTER BELOW VALUE`), or `> format`. `refused` below means
// that nothing is changed. `UPDATE=1 npx vitest run test/yaml/edits.test.ts` writes what becomes of the files now; read the difference.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { diffLines } from 'diff';
import { describe, expect, test } from 'vitest';
import { forAllReaders } from '../../src/edit/edit-files.ts';
import { editYaml } from '../../src/yaml/edit/edit-yaml.ts';
import { formatYaml } from '../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../src/yaml/format/source-order.ts';
import { parsedFiles } from '../../src/yaml/parsed-files.ts';

const folder = 'test/yaml/edits';

interface Wish {
  /** Of which all readers get it; the place itself if there is none. */
  readonly everywhere: string | undefined;
  readonly pointer: string;
  readonly value: Parameters<typeof editYaml>[1][number]['value'];
}

function wishIn(line: string): Wish {
  const [, everywhere, pointer = '', value = ''] = /^> (?:everywhere (\S+) )?(\S+)(?: (.*))?$/.exec(line) ?? [];
  const below = pointer === 'itself' ? '' : pointer;
  return { everywhere, pointer: (everywhere ?? '') + below, value: value === '' ? undefined : JSON.parse(value) };
}

/** Undefined if it is refused. */
function after(text: string, asked: readonly string[]): string | undefined {
  if (asked[0] === '> format') {
    const once = formatYaml(text, sourceOrder);
    if (once !== undefined) expect(formatYaml(once, sourceOrder)).toBe(once);
    return once;
  }
  const documents = parsedFiles((path) => ({ path, text }));
  const wishes = asked.map(wishIn);
  const shared = [...new Set(wishes.map(({ everywhere }) => everywhere))].flatMap((pointer) => {
    const edits = wishes.filter(({ everywhere }) => everywhere === pointer);
    if (pointer === undefined) return edits;
    return forAllReaders({ file: 'a.yaml', document: 0, pointer }, edits, documents);
  });
  return editYaml(
    text,
    shared.map(({ pointer, value }) => ({ document: 0, pointer, value })),
  );
}

function shown(before: string, now: string | undefined): readonly string[] {
  if (now === undefined) return ['refused', ...marked(before, ' ')];
  return diffLines(before, now).flatMap(({ value, added, removed }) =>
    marked(value, added ? '+' : removed ? '-' : ' '),
  );
}

const marked = (text: string, mark: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => mark + line);

describe.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const parts = text
    .split(/^=== /m)
    .slice(1)
    .map((part) => part.replace(/\n+$/, '').split('\n'));
  const played = parts.map(([title = '', ...lines]) => {
    const asked = lines.filter((line) => line.startsWith('>'));
    const before = lines
      .filter((line) => /^[ -]/.test(line))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
    return [title, [`=== ${title}`, ...asked, ...shown(before, after(before, asked))], lines] as const;
  });
  if (process.env['UPDATE'] === '1')
    writeFileSync(`${folder}/${name}`, `${played.map(([, now]) => now.join('\n')).join('\n\n')}\n`);
  else test.each(played)('%s', (_, [, ...now], lines) => expect(now).toEqual(lines));
});
