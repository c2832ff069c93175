// The rooms of src, read from the import lines: a room imports only rooms listed above it. A rule that is only written in
// prose drifts.

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
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
  { name: 'people', isPure: true },
  { name: 'health', isPure: true },
  { name: 'edit', isPure: true },
  // Shares no code with the rest: one misreading of the API must not cancel itself out.
  { name: 'emulator', isPure: false },
  // What all commands share; then each command, which imports no other one; and the program that lists them.
  { name: 'commands/base', isPure: true, node: ['node:path'] },
  { name: 'commands/*', isPure: true, node: ['node:crypto', 'node:path'] },
  { name: 'commands', isPure: true },
  { name: 'main.ts', isPure: true },
  { name: 'kept-code.ts', isPure: false },
  { name: 'process.ts', isPure: false },
  { name: 'cli.ts', isPure: false },
  { name: 'index.ts', isPure: true },
] as const satisfies readonly { name: string; isPure: boolean; node?: readonly string[] }[];

const maxLines = 500;
/** Arithmetic on texts: the only part of Node that every room may use. */
const pureNode = 'node:path/posix';
const impurities =
  /\bconsole\.\w|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.\w|\bprocess\.\w|\bglobalThis\b|\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\(/g;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort();
const texts = new Map(files.map((file) => [file, code(readFileSync(file, 'utf8'))]));

test('every file is in a known room', () => {
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
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

test('a pure room reads no clock, no environment and no file, draws no random number and prints nothing', () => {
  const found = files.flatMap((file) => {
    const room = roomOf(file);
    if (room === undefined || !room.isPure || inBrowsers.includes(file)) return [];
    const allowed: readonly string[] = [pureNode, ...('node' in room ? room.node : [])];
    const imported = importsOf(file).filter((from) => from.startsWith('node:') && !allowed.includes(from));
    const used = [...(texts.get(file) ?? '').matchAll(impurities)].map(([words]) => words);
    return [...imported, ...used].map((words) => `${file}: ${words}`);
  });
  expect(found).toEqual([]);
});

test(`a file has at most ${maxLines} lines, apart from tables of data`, () => {
  const isTable = (file: string) =>
    /^src\/(?:model\/fields\/[a-z-]+-fields|emulator\/.*demo-organization)\.ts$/.test(file);
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > maxLines && !isTable(file));
  expect(long).toEqual([]);
});

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
  if (/^src\/(?:apply|people|health|commands)\/.*[/-]document\.ts$/.test(file)) return 'document.ts';
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
