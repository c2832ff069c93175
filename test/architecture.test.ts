// The rooms of src, read from the import lines: a room imports only rooms listed above it. Each room has a limit of lines and
// of files, which is lowered when it shrinks. A rule that is only written in prose drifts.

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

/** In reading order. `pure`: time, chance, files and the environment are handed in. */
const rooms = [
  { name: 'version.ts', isPure: true },
  { name: 'model', isPure: true },
  // What a command prints with --format json, in the room that makes it: its schema, and nothing that makes it.
  { name: 'document.ts', isPure: true },
  { name: 'document-schemas.ts', isPure: true },
  { name: 'published-schemas.ts', isPure: true },
  { name: 'cron', isPure: true },
  // What receivers of webhooks import: as little as can be.
  { name: 'webhook', isPure: true, node: ['node:crypto'] },
  { name: 'yaml', isPure: true },
  { name: 'http', isPure: false },
  // The port and what is behind it: nothing of it knows a declaration or a plan.
  { name: 'omni', isPure: false },
  { name: 'declare', isPure: true },
  { name: 'files', isPure: false },
  // What Omni holds, and what was recorded: neither knows a plan.
  { name: 'observe', isPure: false },
  { name: 'state', isPure: false },
  { name: 'plan', isPure: true, node: ['node:crypto', 'node:util'] },
  { name: 'apply', isPure: true },
  { name: 'report', isPure: true, node: ['node:crypto'] },
  // What several commands need, and is not how a command runs.
  { name: 'deliveries', isPure: true },
  { name: 'edit', isPure: true },
  // Shares no code with the rest: one misreading of the API must not cancel itself out.
  { name: 'emulator', isPure: false },
  // What all commands share; then each command, which imports no other one; and the program that lists them.
  { name: 'commands/base', isPure: true, node: ['node:path'] },
  // What a job does around the program: files of the runner, requests to a code host, and almanac as a process.
  { name: 'commands/ci', isPure: false },
  { name: 'commands/*', isPure: true, node: ['node:crypto', 'node:path'] },
  { name: 'commands', isPure: true },
  { name: 'main.ts', isPure: true },
  { name: 'kept-code.ts', isPure: false },
  { name: 'process.ts', isPure: false },
  { name: 'cli.ts', isPure: false },
  { name: 'index.ts', isPure: true },
] as const satisfies readonly { name: string; isPure: boolean; node?: readonly string[] }[];

/**
 * The most lines and files of each room of src, of the tests and of the pages. A limit is the figure of the day it was
 * written, lines rounded up to the next 50. Whoever adds to a room raises its row in the same commit and says there why;
 * whoever removes lowers the row, so that the limit never rises by itself. What is generated does not count.
 */
const sizes: Readonly<Record<string, { readonly lines: number; readonly files: number }>> = {
  model: { lines: 9450, files: 66 },
  cron: { lines: 1900, files: 13 },
  webhook: { lines: 250, files: 2 },
  yaml: { lines: 3750, files: 22 },
  http: { lines: 450, files: 2 },
  omni: { lines: 2300, files: 11 },
  declare: { lines: 15450, files: 81 },
  files: { lines: 2050, files: 12 },
  observe: { lines: 4700, files: 27 },
  state: { lines: 6800, files: 31 },
  plan: { lines: 8900, files: 45 },
  apply: { lines: 5600, files: 24 },
  report: { lines: 4650, files: 41 },
  deliveries: { lines: 1200, files: 7 },
  edit: { lines: 750, files: 6 },
  emulator: { lines: 5350, files: 29 },
  'commands/base': { lines: 3450, files: 25 },
  'commands/ai': { lines: 200, files: 2 },
  'commands/apply': { lines: 650, files: 4 },
  'commands/ci': { lines: 4000, files: 32 },
  'commands/completion': { lines: 400, files: 3 },
  'commands/doctor': { lines: 2550, files: 14 },
  'commands/drift': { lines: 1950, files: 12 },
  'commands/emulator': { lines: 200, files: 2 },
  'commands/fmt': { lines: 250, files: 2 },
  'commands/fold': { lines: 1850, files: 15 },
  'commands/help': { lines: 50, files: 1 },
  'commands/import': { lines: 3000, files: 15 },
  'commands/init': { lines: 1450, files: 7 },
  'commands/list': { lines: 550, files: 6 },
  'commands/next': { lines: 950, files: 8 },
  'commands/offboard': { lines: 1750, files: 11 },
  'commands/page': { lines: 1900, files: 9 },
  'commands/plan': { lines: 550, files: 3 },
  'commands/preview': { lines: 350, files: 4 },
  'commands/prove': { lines: 2400, files: 11 },
  'commands/schema': { lines: 150, files: 2 },
  'commands/show': { lines: 300, files: 3 },
  'commands/state': { lines: 800, files: 5 },
  'commands/status': { lines: 500, files: 3 },
  'commands/test': { lines: 250, files: 3 },
  'commands/trigger': { lines: 50, files: 2 },
  'commands/validate': { lines: 350, files: 4 },
  'commands/webhook': { lines: 400, files: 5 },
  'commands/who': { lines: 1150, files: 7 },
  commands: { lines: 500, files: 2 },
  'src/*.ts': { lines: 500, files: 8 },
  docs: { lines: 12700, files: 54 },
  test: { lines: 139800, files: 753 },
};

const maxLines = 500;
/** Arithmetic on texts: the only part of Node that every room may use. */
const pureNode = 'node:path/posix';
const impurities =
  /\bconsole\.\w|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.\w|\bprocess\.\w|\bglobalThis\b|\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\(/g;

/** `npm run generate` writes them. */
const generated = ['src/report/diagnostics/code-help.ts'];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort();
const texts = new Map(files.map((file) => [file, code(readFileSync(file, 'utf8'))]));

test('every file is in a known room', () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('the rooms of src are listed in docs/architecture.md in the same order', () => {
  const folders = rooms.map(({ name }) => name).filter((name) => /^[a-z]+$/.test(name));
  const [, table = ''] = /\| room \| does \|\n(.*?)\n\n/s.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(folders);
});

test('a room imports only rooms listed above it, and a command no other command', () => {
  const strays = files.flatMap((file) =>
    importsOf(file)
      .filter((from) => {
        if (!from.startsWith('src/') || partOf(from) === partOf(file)) return false;
        if (partOf(file) === 'emulator') return true;
        return rankOf(from) >= rankOf(file);
      })
      .map((from) => `${file} imports ${from}`),
  );
  expect(strays).toEqual([]);
});

test('the core imports nothing of a room that touches the world', () => {
  const core: readonly string[] = ['model', 'cron', 'webhook', 'yaml', 'declare', 'plan', 'report'];
  const strays = files
    .filter((file) => core.includes(partOf(file)))
    .flatMap((file) => importsOf(file).filter((from) => roomOf(from)?.isPure === false));
  expect(strays).toEqual([]);
});

/** The text of a program that runs in a browser. */
const inBrowsers = ['src/commands/page/page-script.ts'];
/** It draws the mark of a command in a sentence, which no output shows. */
const drawsMark = 'src/model/values/command.ts';

test('a pure room reads no clock, no environment and no file, draws no random number and prints nothing', () => {
  const found = files.flatMap((file) => {
    const room = roomOf(file);
    if (room === undefined || !room.isPure || inBrowsers.includes(file)) return [];
    const allowed: readonly string[] = [pureNode, ...('node' in room ? room.node : [])];
    const imported = importsOf(file).filter((from) => from.startsWith('node:') && !allowed.includes(from));
    const used = [...(texts.get(file) ?? '').matchAll(impurities)]
      .map(([words]) => words)
      .filter((words) => file !== drawsMark || words !== 'Math.random');
    return [...imported, ...used].map((words) => `${file}: ${words}`);
  });
  expect(found).toEqual([]);
});

const isTable = (file: string) =>
  /^src\/(?:model\/fields\/[a-z-]+-fields|emulator\/.*demo-organization)\.ts$/.test(file);

test(`a file has at most ${maxLines} lines, apart from tables of data`, () => {
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > maxLines && !isTable(file));
  expect(long).toEqual([]);
});

const maxLinesOfFunction = 80;

test(`a function has at most ${maxLinesOfFunction} lines, apart from tables of data`, () => {
  // The function around the text of a program for browsers is only its scope.
  const measured = files.filter((file) => !isTable(file) && !inBrowsers.includes(file));
  const long = measured.flatMap((file) => longFunctionsIn(file));
  expect(long).toEqual([]);
});

/** Relies on the format of the files: a body ends at the next line that closes with the indentation of the line that opens it. */
function longFunctionsIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const indentation = /^(\s*)(?:.*(?:=>|\)|\): .*)|\}) \(?[[{]$/.exec(line)?.[1];
    if (indentation === undefined) return [];
    const closes = (each: string) => each.startsWith(indentation) && /^[\]})]/.test(each.slice(indentation.length));
    const count = lines.slice(index + 1).findIndex(closes) + 2;
    return count > maxLinesOfFunction ? [`${file}:${index + 1} opens a function of ${count} lines`] : [];
  });
}

test('a conditional expression has at most one other within it', () => {
  expect(files.flatMap((file) => deepConditionalsIn(file))).toEqual([]);
});

function deepConditionalsIn(file: string): readonly string[] {
  const { code: plain } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm' });
  const found: string[] = [];
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    const {
      type = '',
      start,
      end,
    } = node as { readonly type?: string; readonly start?: number; readonly end?: number };
    const nested = type === 'ConditionalExpression' ? depth + 1 : /Function/.test(type) ? 0 : depth;
    if (nested > 2 && nested > depth) found.push(`${file}: ${plain.slice(start, end)}`);
    for (const child of Object.values(node)) visit(child, nested);
  };
  visit(parseAst(plain), 0);
  return found;
}

test('no comment speaks of a room that does not exist, and no doc comment documents another one', () => {
  const faults = files.flatMap((file) => {
    const comments = readFileSync(file, 'utf8').match(/(?:^\s*\/\/.*\n)+|\/\*\*[\s\S]*?\*\/(?:\s*\/\*\*)?/gm) ?? [];
    return comments
      .filter((comment) => /\*\/\s*\/\*\*$/.test(comment) || /\bthe (?:engine|adapter)\b/i.test(comment))
      .map((comment) => `${file}: ${comment.trim()}`);
  });
  expect(faults).toEqual([]);
});

const mostWordsOfHeader = 14;

test(`a file begins with a sentence of at most ${mostWordsOfHeader} words, which names what it gives`, () => {
  const faults = ['src', 'test', 'scripts', 'bench'].flatMap(sourcesBelow).flatMap((file) => {
    const sentence = firstSentenceOf(readFileSync(file, 'utf8'));
    // The titles of its tests may say enough.
    if (sentence === undefined) return file.endsWith('.test.ts') ? [] : `${file} begins with no comment`;
    return sentence.split(' ').length > mostWordsOfHeader ? `${file}: ${sentence}` : [];
  });
  expect(faults).toEqual([]);
});

/** The most places that ask whether a resource is of one kind. What several places ask of a kind is a column of a table. */
const mostKindsAsked = 7;

test(`at most ${mostKindsAsked} places ask for one kind of resource instead of a trait of it`, () => {
  const asked =
    /(?:\bkind|\bkind(?:At|Of)\([^()]*\)) [!=]== '(?:dashboard|schedule|routine|aiJob)'|\bcase '(?:dashboard|routine|aiJob)':/g;
  const found = files
    .filter((file) => partOf(file) !== 'emulator')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(asked)].map(([words]) => `${file}: ${words}`));
  expect(found.slice(mostKindsAsked)).toEqual([]);
  expect(found).toHaveLength(mostKindsAsked);
});

test('a room has at most the lines and files of its row, and the row is lowered when the room shrinks', () => {
  expect(misfits(sizes, sizesNow())).toEqual([]);
});

test('the limits name the row to write for a room that grew, shrank, came or went', () => {
  const limits = { cron: { lines: 1700, files: 17 }, yaml: { lines: 3450, files: 26 } };
  const said = (now: typeof sizes) => misfits(limits, { ...limits, ...now });
  expect(said({ cron: { lines: 1700, files: 17 } })).toEqual([]);
  expect(said({ cron: { lines: 1600, files: 14 } })).toEqual([]);
  expect(said({ cron: { lines: 1840, files: 17 } })).toEqual([
    'cron has grown: write cron: { lines: 1850, files: 17 }, and say why in the commit',
  ]);
  expect(said({ cron: { lines: 1700, files: 18 } })).toEqual([
    'cron has grown: write cron: { lines: 1700, files: 18 }, and say why in the commit',
  ]);
  expect(said({ yaml: { lines: 3349, files: 26 } })).toEqual([
    'yaml has shrunk: write yaml: { lines: 3350, files: 26 }',
  ]);
  expect(said({ yaml: { lines: 3450, files: 22 } })).toEqual([
    'yaml has shrunk: write yaml: { lines: 3450, files: 22 }',
  ]);
  expect(said({ http: { lines: 405, files: 2 } })).toEqual(['http has no row: write http: { lines: 450, files: 2 }']);
  expect(misfits(limits, { yaml: limits.yaml })).toEqual(['cron has a row and no file: remove the row']);
});

type Sizes = typeof sizes;

/** What is wrong with the limits, and the row to write. */
function misfits(limits: Sizes, now: Sizes): readonly string[] {
  const names = [...new Set([...Object.keys(limits), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [limit, size] = [limits[name], now[name]];
    if (size === undefined) return `${name} has a row and no file: remove the row`;
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const row = `write ${key}: { lines: ${Math.ceil(size.lines / 50) * 50}, files: ${size.files} }`;
    if (limit === undefined) return `${name} has no row: ${row}`;
    if (size.lines > limit.lines || size.files > limit.files)
      return `${name} has grown: ${row}, and say why in the commit`;
    const hasShrunk = size.lines < limit.lines - 100 || size.files < limit.files - 3;
    return hasShrunk ? `${name} has shrunk: ${row}` : [];
  });
}

function sizesNow(): Sizes {
  const all = [...files, ...textsBelow('test'), ...textsBelow('docs')].filter((file) => !generated.includes(file));
  const now: Record<string, { lines: number; files: number }> = {};
  for (const file of all) {
    const room = sizedRoomOf(file);
    const { lines, files: count } = now[room] ?? { lines: 0, files: 0 };
    now[room] = { lines: lines + readFileSync(file, 'utf8').split('\n').length - 1, files: count + 1 };
  }
  return now;
}

/** `declare`, `commands/plan`, `src/*.ts` of the files that stand in no folder, `test`, `docs`. */
function sizedRoomOf(file: string): string {
  const [top = '', first = '', second = '', third] = file.split('/');
  if (top !== 'src') return top;
  if (second === '') return 'src/*.ts';
  return first === 'commands' && third !== undefined ? `commands/${second}` : first;
}

function textsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|txt|md|json|html|sarif)$/.test(path));
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|mjs)$/.test(path))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}

/** Of the comment that opens a file. A colon or a semicolon ends it too, but nothing within backticks does. */
function firstSentenceOf(text: string): string | undefined {
  const lines = /^(?:#!.*\n\s*)?((?:\/\/.*\n)+)/.exec(text)?.[1];
  const comment = lines?.replace(/^\/\//gm, '').replace(/\s+/g, ' ').trim();
  return comment === undefined ? undefined : (/^(?:`[^`]*`|[^`])*?[.:;](?=\s|$)/.exec(comment)?.[0] ?? comment);
}

function importsOf(file: string): readonly string[] {
  const text = texts.get(file) ?? '';
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s[^;'"]*?\bfrom\s+'([^']+)'/gm),
    ...text.matchAll(/^import\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g),
  ];
  return specifiers.map(([, from = '']) => (from.startsWith('.') ? posix.join(posix.dirname(file), from) : from));
}

/** Without comments: they may speak of what the code may not do. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** `commands/plan` of a file in the room of a command; otherwise the first folder, or the file itself. */
function partOf(file: string): string {
  if (/^src\/(?:apply|deliveries|commands)\/.*[/-]document\.ts$/.test(file)) return 'document.ts';
  const [, first = '', second, third] = file.split('/');
  return first === 'commands' && third !== undefined ? `${first}/${second}` : first;
}

function rankOf(file: string): number {
  const part = partOf(file);
  const own = rooms.findIndex(({ name }) => name === part);
  return own < 0 && part.startsWith('commands/') ? rooms.findIndex(({ name }) => name === 'commands/*') : own;
}

function roomOf(file: string): (typeof rooms)[number] | undefined {
  return rooms[rankOf(file)];
}
