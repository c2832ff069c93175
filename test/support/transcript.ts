// A transcript: a text with files, commands and what they print. test/transcripts/README.md says how to read one.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { parseFault } from '../../src/emulator/faults.ts';
import type { Clock } from '../../src/model/outside.ts';
import { makeInstantClock } from './fake-clock.ts';
import { openFolder, type Ran, type Workspace, workspaceIn } from './workspace.ts';

export const transcriptsFolder = 'test/transcripts';

/** The time at the beginning of every part. */
const now = Date.UTC(2026, 10, 21);

/** What one test runs: a workspace of its own, and the steps in it. */
export interface Part {
  /** A sentence. */
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly kind: 'file' | 'command' | 'world';
  /** Without its mark: a path, a command, or what happens in the world. */
  readonly said: string;
  readonly line: string;
  /** The lines below: the content of a file, or what is printed. */
  readonly below: readonly string[];
}

const marks: readonly (readonly [RegExp, Step['kind']])[] = [
  [/^-- (.+) --$/, 'file'],
  [/^\$ (.+)$/, 'command'],
  [/^> (.+)$/, 'world'],
];

/** `area/subject`, sorted. */
export function listTranscripts(): readonly string[] {
  return readdirSync(transcriptsFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => path.slice(0, -'.txt'.length))
    .sort();
}

export function pathOf(name: string): string {
  return join(transcriptsFolder, `${name}.txt`);
}

export function readTranscript(name: string): readonly Part[] {
  return readFileSync(pathOf(name), 'utf8').split(/^=== /m).slice(1).map(parsePart);
}

function parsePart(text: string): Part {
  const [title = '', ...lines] = text.split('\n');
  const steps: { kind: Step['kind']; said: string; line: string; below: string[] }[] = [];
  for (const line of lines) {
    const [said, kind] = marks.flatMap(([mark, each]) => mark.exec(line)?.slice(1, 2).concat(each) ?? []);
    if (said !== undefined) steps.push({ kind: kind as Step['kind'], said, line, below: [] });
    else steps.at(-1)?.below.push(line);
  }
  return { title, steps: steps.map((step) => ({ ...step, below: trimmed(step.below) })) };
}

/** Without the blank lines at the end, which separate steps and parts. */
function trimmed(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}

export function printTranscript(parts: readonly Part[]): string {
  return parts
    .map(({ title, steps }) => [`=== ${title}`, ...steps.flatMap(({ line, below }) => [line, ...below]), ''].join('\n'))
    .join('\n');
}

/** The files that the steps of a part write, by path; a later one replaces an earlier one. */
export function filesOf({ steps }: Part): Readonly<Record<string, string>> {
  const files = steps.filter(({ kind }) => kind === 'file').map((step) => contentOf(step));
  return Object.fromEntries(files.map(([path, content]) => [path, content.toString('utf8')]));
}

/**
 * In an `escaped` file, `\xNN` is a byte, and a backslash at the end of a line takes the line break away. With `times N`,
 * the last line stands there N times, with the number of each in place of `#`. A `state` is written as YAML, without what is
 * the same in all of them.
 */
function contentOf({ said, below }: Step): readonly [string, Buffer] {
  const [, path = '', form, times] = /^(\S+)(?: (escaped|state)| times (\d+))?$/.exec(said) ?? [];
  const numbered = (line: string) =>
    Array.from({ length: Number(times) }, (_, index) => line.replace('#', String(index + 1)));
  const lines = times === undefined ? below : [...below.slice(0, -1), ...numbered(below.at(-1) ?? '')];
  const text = lines.map((line) => `${line}\n`).join('');
  if (form === 'state') return [path, Buffer.from(JSON.stringify(stateOf(parse(text))))];
  if (form === undefined) return [path, Buffer.from(text)];
  const bytes = Buffer.from(text.replace(/\\\n/g, '')).toString('latin1');
  const unescaped = bytes.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return [path, Buffer.from(unescaped, 'latin1')];
}

/** `attributes`: what all of its schedules have. */
interface WrittenState {
  readonly attributes?: object;
  readonly resources: Readonly<Record<string, { readonly attributes: object }>>;
}

function stateOf({ attributes: shared, resources, ...more }: WrittenState): object {
  const written = '2026-11-01T09:00:00.000Z';
  const tracked = Object.entries(resources).map(([address, { attributes: own, ...fields }]) => {
    const attributes = address.startsWith('schedules.') ? { ...shared, ...own } : own;
    return [address, { ...fields, attributes, createdAt: written, updatedAt: written }];
  });
  return {
    version: 2,
    lineage: '4b1d2f5e-7c3a-4e8b-9a61-0d5c2e7f8a90',
    serial: 7,
    toolVersion: '0.1.0',
    baseUrl: 'https://acme.omniapp.co/api',
    salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
    orphans: [],
    unresolved: [],
    ...more,
    resources: Object.fromEntries(tracked),
  };
}

/** What a test asks beside each command of the program; it may run others. */
export type Beside = (argv: readonly string[], ran: Ran, program: Workspace) => Promise<void>;

/** The steps with what they print now. */
export async function play(part: Part, beside: Beside = async () => {}): Promise<readonly Step[]> {
  const stage = openPart();
  try {
    const played: Step[] = [];
    for (const step of part.steps) {
      const below = step.kind === 'file' ? step.below : linesOf(stage.stable(await stage.take(step, beside)));
      if (step.kind === 'file') stage.write(contentOf(step));
      played.push({ ...step, below });
    }
    return played;
  } finally {
    await stage.close();
  }
}

const linesOf = (text: string): readonly string[] => trimmed(text.replaceAll('\r\n', '\n').split('\n'));

function openPart() {
  const folder = openFolder();
  const clock = makeInstantClock(now);
  let ids = 0;
  const uuid = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
  const random = { uuid, bytes: (count: number) => Buffer.alloc(count).toString('base64') };
  let printed = '';
  const program = workspaceIn(folder, {}, { clock, randomness: random }, (text) => {
    printed += text;
  });
  let emulator: Emulator | undefined;
  let seen = 0;
  let address = '';
  return {
    write: ([path, content]: readonly [string, Buffer]) => folder.write({ [path]: content }),
    stable: (text: string) =>
      text
        .replaceAll(folder.path, '/workspace')
        .replaceAll(address === '' ? '\0' : address, 'http://127.0.0.1:4010')
        .replace(/^Read .* in .*\n/gm, ''),
    take: async ({ kind, said }: Step, beside: Beside): Promise<string> => {
      const words = wordsOf(said);
      if (kind === 'command' && words[0] !== 'almanac') return builtIn(folder.path, words);
      if (kind === 'command') {
        printed = '';
        const ran = await program.run(...words.slice(1));
        const shown = `${printed}${ran.code === 0 ? '' : `[${ran.code}]\n`}`;
        await beside(words.slice(1), ran, program);
        return shown;
      }
      const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/.exec(said) ?? [];
      if (name !== undefined) program.environment[name] = value;
      else if (words[0] === 'service') {
        emulator = openService(words.slice(1), clock);
        const { baseUrl, organizationKey } = await emulator.listen();
        address = new URL(baseUrl).origin;
        Object.assign(program.environment, { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey });
      } else if (said === 'requests') {
        const sent = emulator?.requests().slice(seen) ?? [];
        seen += sent.length;
        return sent
          .filter(({ method }) => method !== 'GET')
          .map(({ method, path, body, status }) => `${method} ${path} ${status} ${JSON.stringify(body ?? null)}\n`)
          .join('');
      } else if (words[0] === 'edit') emulator?.edit((data) => assign(data, said.slice('edit '.length)));
      else if (words[0] === 'wait') {
        await clock.sleep(Number(words[1]) * 60_000);
        await emulator?.tick();
      } else throw new Error(`nothing in a transcript is called: ${said}`);
      return '';
    },
    close: async () => {
      await emulator?.close();
      folder.remove();
    },
  };
}

/** As a shell would: words between blanks, with quotes of either kind. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

/** The few other programs: each does to files in the workspace what the shell's does. */
function builtIn(folder: string, [program = '', ...words]: readonly string[]): string {
  const paths = words.map((word) => join(folder, word));
  const [first = '', second = ''] = paths;
  if (program === 'cat') return paths.map((path) => readFileSync(path, 'utf8')).join('');
  if (program === 'ls') return readdirSync(first, { recursive: true, encoding: 'utf8' }).sort().join('\n');
  if (program === 'rm') for (const path of paths) rmSync(path);
  else if (program === 'mv') renameSync(first, second);
  else if (program === 'replace') replaceIn(join(folder, words[2] ?? ''), words[0] ?? '', words[1] ?? '');
  else throw new Error(`a transcript has no program ${program}`);
  return '';
}

/** In place of `sed`: the text stands there exactly once. */
function replaceIn(path: string, before: string, after: string): void {
  const parts = readFileSync(path, 'utf8').split(before);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times ${before}`);
  writeFileSync(path, parts.join(after));
}

/** The operations of the emulator, `core` where nothing is said, and its faults. */
function openService(words: readonly string[], clock: Clock): Emulator {
  const [operations = 'core', ...faults] = words;
  let drawn = 1;
  return createEmulator({
    ...{ rateLimit: 0, now: clock.now },
    operations: operations as 'core' | 'full',
    faults: faults.map(parseFault),
    random: () => {
      drawn = (drawn * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return drawn / 2 ** 32;
    },
  });
}

/** `schedules.0.name = "Sales"`: a path into the data of the organization, and a value as JSON. */
function assign(data: object, text: string): void {
  const [path = '', value = ''] = text.split(' = ');
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], data);
  (parent as Record<string, unknown>)[last] = JSON.parse(value);
}
