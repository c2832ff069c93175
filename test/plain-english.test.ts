// Refuses phrases that read as translated, and comments that are fragments. Each of them was common here once. Users
// read the phrases in messages, help texts, pages and schemas.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

/** The words to write instead of each phrase. */
const insteadOf: readonly (readonly [phrase: RegExp, words: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix or repair'],
  [/\banew\b/gi, 'again or start over'],
  [/\bbesides\b/gi, 'also or in addition'],
  [/\bcan not\b/gi, 'cannot'],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/gi, 'is not a …'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)/gi, 'is not a …'],
  [/\b(?:none|no) any more\b/gi, 'no longer'],
  [/\bt(?:ell|ells|old) of\b/gi, 'report or mention'],
  [/\bso many\b/gi, 'the number'],
  [/\bst(?:ands?|ood)\b(?! (?:for|in for)\b)/gi, 'appears or is defined'],
  [/\b(?:mis)?spelt\b/gi, 'spelled'],
  [/\bpass(?:es|ed)? over\b/gi, 'skip'],
  [/\bt(?:ake|akes|aken|aking|ook)(?: (?:it|them|one|the \w+))? out\b/gi, 'remove'],
  [/\bgiv(?:e|es|en|ing) up (?:many|all|a |the )/gi, 'remove'],
  [/(?<=\b(?:not|no|nothing|nobody|none|never)\b[^.:;]{0,80})\bany more\b/gi, 'no longer'],
  [/\bnobody (?:knows|can tell|can say)\b/gi, 'it is not known'],
  [/\b(?:called|fires?|reads?|runs?|shows?|spelled|spells?|works?)(?: it| them)? otherwise\b/gi, 'differently'],
  [/\bshows? other rows\b/gi, 'different rows'],
  [/\bBy the state,/g, 'According to the state'],
];

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}

function phrasesIn(file: string, text: string): readonly string[] {
  const line = text.replace(/\s+/g, ' ');
  return insteadOf.flatMap(([phrase, words]) =>
    [...line.matchAll(phrase)].map(
      ({ 0: found, index }) =>
        `${file}: "${found}" in "${line.slice(Math.max(0, index - 40), index + 40)}"; write ${words}`,
    ),
  );
}

/** Every string of a module: its literals, and the fixed parts of its templates. */
function stringsIn(source: string): readonly string[] {
  const strings: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('source' in node && 'type' in node && /^(?:Im|Ex)port/.test(String(node.type))) return;
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      strings.push(node.value);
    if ('quasis' in node) strings.push(fixedPartsOf(node.quasis));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(transformSync(source, { loader: 'ts', format: 'esm' }).code));
  return strings;
}

function fixedPartsOf(quasis: unknown): string {
  const parts = quasis as readonly { readonly value: { readonly raw: string } }[];
  return parts.map(({ value }) => value.raw).join('…');
}

// The emulator answers in the words of the service.
const sources = filesBelow('src', '.ts').filter(
  (file) => !file.endsWith('.d.ts') && !file.startsWith(join('src', 'emulator')),
);

test('no message or help text of the program contains a phrase that reads as translated', () => {
  expect(sources.length).toBeGreaterThan(50);
  const found = sources.flatMap((file) =>
    stringsIn(readFileSync(file, 'utf8')).flatMap((text) => phrasesIn(file, text)),
  );
  expect(found).toEqual([]);
});

test('no message of the program names a file that only its own repository has', () => {
  const ours = /\b(?:docs|src|test|schemas)\/[\w-]+\.(?:md|ts|json)\b/;
  const found = sources.flatMap((file) => stringsIn(readFileSync(file, 'utf8')).filter((text) => ours.test(text)));
  expect(found).toEqual([]);
});

const pages = [
  'README.md',
  ...filesBelow('docs', '.md'),
  ...filesBelow('schemas', '.json'),
  ...filesBelow(join('.github', 'actions'), '.yml'),
  ...filesBelow('src', '.yml'),
];

test.each(pages)('%s contains no phrase that reads as translated', (file) => {
  expect(phrasesIn(file, readFileSync(file, 'utf8'))).toEqual([]);
});

/** The rooms whose comments are whole sentences; empty for the files of src itself. */
const roomsInSentences = [
  '',
  'commands',
  'cron',
  'declare',
  'deliveries',
  'edit',
  'emulator',
  'files',
  'http',
  'model',
  'observe',
  'omni',
  'report',
  'webhook',
  'yaml',
];

/** The beginnings of comments that leave out what they are about, with the words to begin with. */
const fragments: readonly (readonly [beginning: RegExp, words: string])[] = [
  [/^Of\b/, 'the thing itself: "A row\'s cells, keyed by column."'],
  [/^(?:Whether|That)\b/, '"True if …", or a verb such as Checks or Tells'],
  [/^(?:What|Who|Whom|Whose|Why)\b/, 'a noun or a verb: "The reason why …"'],
  [/^If\b[^,]*$/, 'the thing itself, and then the condition'],
];

/** The texts of the comments that have lines of their own; those of neighbouring `//` lines are one. */
function commentsIn(source: string): readonly string[] {
  const comments = source.matchAll(/^[ \t]*(?:\/\*\*?[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm);
  return Array.from(comments, ([comment]) =>
    comment
      .replace(/^[ \t]*(?:\/\/|\/\*\*?|\*(?!\/))/gm, '')
      .replace(/\*\/$/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

test.each(roomsInSentences)('no comment in src/%s begins with a word that leaves out what it is about', (room) => {
  const folder = join('src', room);
  const files = room === '' ? readdirSync(folder).map((file) => join(folder, file)) : filesBelow(folder, '.ts');
  // The script of a page has comments of its own, which belong to what is printed.
  const modules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('page-script.ts'));
  expect(modules).not.toEqual([]);
  const found = modules.flatMap((file) =>
    commentsIn(readFileSync(file, 'utf8')).flatMap((comment) =>
      fragments
        .filter(([beginning]) => beginning.test(comment))
        .map(([, words]) => `${file}: "${comment.slice(0, 80)}"; begin with ${words}`),
    ),
  );
  expect(found).toEqual([]);
});
