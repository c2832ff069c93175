// What UPDATE=1 writes into a transcript is read back as what was printed.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectAsWritten, type Script, transcriptAt } from './support/transcript.ts';
import { writtenSince } from './support/transcripts/written.ts';
import { makeFolder } from './support/workspace.ts';

const marks = ['$ almanac plan', '> [!CAUTION]', '=== a part', '-- a.yaml --', '\\> text', 'text'];
const page = `-- page.html --\n${marks.map((mark) => `<p>${mark}</p>\n`).join('')}`;
const text = `=== a page that shows what would be marks\n${page}$ words page.html\nsomething else\n`;

async function update(script: Script): Promise<void> {
  const before = process.env['UPDATE'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['UPDATE'];
    else process.env['UPDATE'] = before;
  });
  process.env['UPDATE'] = '1';
  await expectAsWritten(script, 0);
  delete process.env['UPDATE'];
}

test('printed lines that would be marks are escaped, and the next run reads what was printed', async () => {
  const folder = makeFolder({ 'a.txt': text });
  const script = transcriptAt(join(folder.path, 'a.txt'));
  await update(script);
  const written = folder
    .read('a.txt')
    .split('\n')
    .slice(-marks.length - 1, -1);
  expect(written).toEqual([...marks.slice(0, -1).map((mark) => `\\${mark}`), 'text']);
  await expectAsWritten(script, 0);
});

test('an update that would be read otherwise is not written', async () => {
  const folder = makeFolder({ 'a.txt': text });
  const { written: _, ...script } = transcriptAt(join(folder.path, 'a.txt'));
  await expect(update(script)).rejects.toThrow('would be read otherwise');
  expect(folder.read('a.txt')).toBe(text);
});

test('a file of which nobody reads what is new is refused, with what to do', () => {
  const now = new Map([['schema.json', '1\n'.repeat(501)]]);
  expect(() => writtenSince(new Map(), now)).toThrow('Write `$ rm schema.json` above `> wrote`.');
});
