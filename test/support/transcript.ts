// Commands and what they print, in a text: a transcript, or the sessions of a page. test/transcripts/README.md says how to
// read one. This file reads the steps, plays them, compares, and writes what is printed now back into the text.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Outside } from '../../src/commands/base/world.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { connectHttpApi } from '../../src/omni/http-api.ts';
import { type Omni, openOmni } from './transcripts/omni.ts';
import { wordsOfPage } from './transcripts/page.ts';
import { readFiles, writtenSince } from './transcripts/written.ts';
import {
  type Environment,
  openFolder,
  type Ran,
  type Workspace,
  type WorkspaceFolder,
  workspaceIn,
} from './workspace.ts';

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
  /** The lines below: the content of a file, or what is printed. */
  readonly below: readonly string[];
  /** Where these lines begin in the text, from 0. */
  readonly from: number;
  /** Readers do not see the command, and what it prints only where something is below. */
  readonly isHidden: boolean;
}

/** A line of a text, and where it is. */
export interface Line {
  readonly text: string;
  readonly at: number;
  readonly isHidden?: boolean;
  /** Never a mark, whatever it looks like. */
  readonly isText?: boolean;
}

/** A file of parts, and how they are played. */
export interface Script {
  readonly path: string;
  readonly lines: (text: string) => readonly Line[];
  readonly open: () => Stage;
  /** Takes away what differs from run to run. */
  readonly alike?: (text: string) => string;
  /** A printed line as it is written. */
  readonly written?: (line: string) => string;
}

/** Where a part is played. */
export interface Stage {
  readonly folder: WorkspaceFolder;
  readonly environment: Environment;
  readonly outside: Partial<Outside>;
  readonly service: EmulatorOptions;
  /** Sets the time; absent where the time is the system's. */
  readonly setTime?: (time: number) => void;
  /** Whether a command that failed shows its exit code. */
  readonly showsCode: boolean;
  /** Takes away what no part is about unless it says `> whole`; absent where everything is shown. */
  readonly elided?: (text: string) => string;
  /** Runs what is not `almanac` in this process: undefined for a command that is. */
  run(line: string, cwd: string, environment: Environment): Promise<string> | string | undefined;
  close(): void;
}

const marks: readonly (readonly [RegExp, Step['kind']])[] = [
  [/^-- (.+) --$/, 'file'],
  [/^\$ (.+)$/, 'command'],
  [/^> (.+)$/, 'world'],
];
/** Above, or the title of a part. */
const mark = /^(?:-- .+ --$|[$>] .|=== .)/;
const anyLines = '…';
const shownHost = '127.0.0.1:4010';

type Open = Omit<Step, 'below' | 'from'> & { from: number; below: string[] };

/** What is above the first part belongs to every part. */
export function partsOf(lines: readonly Line[]): readonly Part[] {
  const sections: { title: string; steps: Open[] }[] = [{ title: '', steps: [] }];
  for (const { text, at, isHidden = false, isText = false } of lines) {
    const title = /^=== (.+)$/.exec(text)?.[1];
    const [said, kind] = marks.flatMap(([mark, each]) => mark.exec(text)?.slice(1, 2).concat(each) ?? []);
    const steps = sections.at(-1)?.steps;
    if (title !== undefined && !isText) sections.push({ title, steps: [] });
    else if (said === undefined || isText) {
      const step = steps?.at(-1);
      if (step?.below.length === 0) step.from = at;
      step?.below.push(text);
    } else steps?.push({ kind: kind as Step['kind'], said, below: [], from: at + 1, isHidden });
  }
  const [shared, ...parts] = sections.map(({ title, steps }) => ({
    title,
    steps: steps.map((step) => ({ ...step, below: trimmed(step.below) })),
  }));
  return parts.map(({ title, steps }) => ({ title, steps: [...(shared?.steps ?? []), ...steps] }));
}

/** Without the blank lines at the end, which separate steps and parts. */
function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

export const readParts = ({ path, lines }: Script): readonly Part[] => partsOf(lines(readFileSync(path, 'utf8')));

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

/** Plays a part and compares what is printed with the text, or with `UPDATE=1` writes it there. */
export async function expectAsWritten(script: Script, index: number, beside?: Beside): Promise<void> {
  const { steps = [] } = readParts(script)[index] ?? {};
  const printed = await play(steps, script.open(), beside);
  const writes = process.env['UPDATE'] === '1';
  if (writes) update(script, index, printed);
  // What an author has shortened is not written, so it is compared in any case.
  for (const [at, step] of steps.entries())
    if (isShown(step) && (!writes || step.below.includes(anyLines))) expectShown(script, step, printed[at] ?? []);
}

/** Whether it prints what is below; of a file, and of what somebody changes, that is what is written. */
const isShown = ({ kind, said, below, isHidden }: Step) =>
  kind !== 'file' && !said.startsWith('omni ') && (!isHidden || below.length > 0);

function expectShown({ path, alike = (text) => text }: Script, step: Step, printed: readonly string[]): void {
  const [shown = [], actual = []] = [step.below, printed].map((lines) => alike(lines.join('\n')).split('\n'));
  if (fits(shown, actual)) return;
  expect(actual.join('\n'), `${path}:${step.from}: ${step.said}`).toBe(shown.join('\n'));
}

/** Whether the output is what the text shows, where `…` matches any lines. */
function fits(shown: readonly string[], output: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return output.length === 0;
  if (first !== anyLines) return first === output[0] && fits(rest, output.slice(1));
  return output.some((_, skipped) => fits(rest, output.slice(skipped))) || fits(rest, []);
}

/** Writes what was printed in place of what the text shows; a shortened output is left to its author. */
function update(script: Script, index: number, printed: readonly (readonly string[])[]): void {
  const { path, lines, written = (line: string) => line } = script;
  const text = readFileSync(path, 'utf8').split('\n');
  const { steps = [] } = readParts(script)[index] ?? {};
  const isWritten = (step: Step) => isShown(step) && !step.below.includes(anyLines);
  for (const [at, step] of [...steps.entries()].reverse())
    if (isWritten(step)) text.splice(step.from, step.below.length, ...(printed[at] ?? []).map(written));
  const after = partsOf(lines(text.join('\n')))[index]?.steps ?? [];
  const expected = steps.map((step, at) => (isWritten(step) ? (printed[at] ?? []) : step.below));
  expect(
    after.map(({ below }) => below),
    `${path} would be read otherwise`,
  ).toEqual(expected);
  writeFileSync(path, text.join('\n'));
}

/** What each step prints, as lines. */
async function play(
  steps: readonly Step[],
  stage: Stage,
  beside: Beside = async () => {},
): Promise<readonly (readonly string[])[]> {
  const { folder } = stage;
  const environment: Record<string, string> = { ...stage.environment };
  let cwd = folder.path;
  let files = readFiles(folder.path);
  let service: Omni | undefined;
  let { elided = (text: string) => text } = stage;
  const outside = { ...stage.outside, ...ownWorld(stage, environment, () => service) };
  const almanac = async (words: readonly string[]): Promise<string> => {
    const pipe = words.indexOf('|');
    const argv = pipe < 0 ? words : words.slice(0, pipe);
    let printed = '';
    const program = workspaceIn({ ...folder, path: cwd }, environment, outside, (text) => {
      printed += text;
    });
    const ran = await program.run(...argv);
    if (pipe >= 0) printed = `${ran.stderr}${picked(ran.stdout, words.slice(pipe + 1))}`;
    const shown = `${printed}${ran.code === 0 || !stage.showsCode ? '' : `[${ran.code}]\n`}`;
    await beside(argv, ran, program);
    return shown;
  };
  const happen = async (said: string, below: string): Promise<string> => {
    const [word = '', first = '', ...rest] = wordsOf(said);
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/.exec(said) ?? [];
    if (name !== undefined) environment[name] = value;
    else if (word === 'in') cwd = join(folder.path, first);
    else if (word === 'wrote') {
      const before = files;
      files = readFiles(folder.path);
      return writtenSince(before, files);
    } else if (word === 'at') stage.setTime?.(Date.parse(first));
    else if (word === 'whole') elided = (text) => text;
    else if (word === 'service') {
      await service?.emulator.close();
      service = await openOmni([first, ...rest], stage.service);
      Object.assign(environment, service.environment);
      if (stage.setTime !== undefined) environment['OMNI_BASE_URL'] = `http://${shownHost}/api`;
    } else if (word === 'applied') {
      const output = await almanac(['apply', '--auto-approve', '-q', ...wordsOf(said).slice(1)]);
      if (!/^Applied \d+ changes?\.$/m.test(output)) throw new Error(output);
      return service?.sent(false) ?? '';
    } else if (word === 'omni') service?.edit(first, rest[0] ?? '', below);
    else if (word === 'holds') return service?.holds(first, rest) ?? '';
    else if (word === 'sent' || word === 'asked') return service?.sent(word === 'asked') ?? '';
    else throw new Error(`nothing in a transcript is called: ${said}`);
    await service?.emulator.tick();
    return '';
  };
  const take = async (step: Step): Promise<string> => {
    if (step.kind === 'command')
      return (await stage.run(step.said, cwd, environment)) ?? almanac(wordsOf(step.said).slice(1));
    if (step.kind === 'world') return happen(step.said, step.below.join('\n'));
    const [path, content] = contentOf(step);
    const place = join(cwd, path).slice(folder.path.length + 1);
    folder.write({ [place]: content });
    files = new Map([...files, [place, content.toString('utf8')]]);
    return '';
  };
  try {
    const printed: (readonly string[])[] = [];
    for (const step of steps) {
      const text = (await take(step))
        .replaceAll('\r\n', '\n')
        .replaceAll(folder.path, '/workspace')
        .replaceAll(service?.host ?? '\0', shownHost)
        .replace(/^Read .* in .*\n/gm, '');
      printed.push(trimmed(elided(text).split('\n')));
    }
    return printed;
  } finally {
    await service?.emulator.close();
    stage.close();
  }
}

/** The lines that `jq -c FILTER` prints. A filter is `.path.of[].fields`, several between commas, and `| {these, fields}`. */
function picked(stdout: string, [program, option, filter = '']: readonly string[]): string {
  if (program !== 'jq' || option !== '-c') throw new Error('only jq -c FILTER may follow a command');
  const valuesAt = (value: unknown, [key, ...keys]: readonly string[]): readonly unknown[] => {
    if (key === undefined) return [value];
    const inner = value as Readonly<Record<string, unknown>> | null | undefined;
    return key === '[]'
      ? Object.values(inner ?? {}).flatMap((each) => valuesAt(each, keys))
      : valuesAt(inner?.[key], keys);
  };
  const [paths = '', fields] = filter.split(' | ');
  const names = fields?.match(/\w+/g);
  const found = paths.split(', ').flatMap((path) => valuesAt(JSON.parse(stdout), path.match(/\w+|\[\]/g) ?? []));
  const shown = names
    ? found.map((value) => Object.fromEntries(names.map((name) => [name, valuesAt(value, [name])[0] ?? null])))
    : found;
  return shown.map((value) => `${JSON.stringify(value ?? null)}\n`).join('');
}

/** Where a part has a time of its own, its service goes on with each wait of the program, and has the same address in all runs. */
function ownWorld(
  { setTime, outside: { clock } }: Stage,
  environment: Environment,
  service: () => Omni | undefined,
): Partial<Outside> {
  if (setTime === undefined || clock === undefined) return {};
  const sleep: Outside['clock']['sleep'] = async (...args) => {
    await clock.sleep(...args);
    await service()?.emulator.tick();
  };
  const connect: Outside['connect'] = (settings) => {
    const baseUrl = settings.baseUrl.replace(shownHost, service()?.host ?? shownHost);
    return connectHttpApi({ ...settings, baseUrl, clock: own, version: '0.1.0-test', environment, random: () => 0.5 });
  };
  const own = { ...clock, sleep };
  return { clock: own, connect };
}

/** As a shell would: words between blanks, with quotes of either kind. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

const folderOfTranscripts = 'test/transcripts';

/** `area/subject`, sorted. */
export function listTranscripts(): readonly string[] {
  return readdirSync(folderOfTranscripts, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => path.slice(0, -'.txt'.length))
    .sort();
}

/** Its parts begin on 2026-11-21, with ids and chance that are counted. */
export const transcript = (name: string): Script => transcriptAt(join(folderOfTranscripts, `${name}.txt`));

export function transcriptAt(path: string): Script {
  return {
    path,
    lines: (text) => text.split('\n').map(lineOf),
    open: openTranscript,
    written: (line) => (mark.test(unescaped(line)) ? `\\${line}` : line),
  };
}

/** A backslash before what would be a mark makes it a text. */
function lineOf(line: string, at: number): Line {
  const isText = line.startsWith('\\') && mark.test(unescaped(line));
  return { text: isText ? line.slice(1) : line, at, isText };
}

const unescaped = (line: string): string => line.replace(/^\\+/, '');

export const readTranscript = (name: string): readonly Part[] => readParts(transcript(name));

const incidental =
  /^(?:Digest DIGEST|(?:At least )?[\d,]+ requests?(?: for the changes, [\d,]+)?(?: to see what exists)?\.|\s+# \([\d,]+ unchanged fields? hidden\))\n/gm;

/** Of a finding: its line, its first column, its header, the lines of the file that it shows, and the marks below them. */
const excerpt = /^(\S+:\d+):(\d+)(: (?:error|warning|note)\[.*\n)(?: +\d+ \|.*\n)+ +\| *(\^+)\n/gm;

/** With the last marked column in place of these lines: `a.yaml:3:5-9: error[…`. The file is above it. */
const withoutExcerpts = (text: string): string =>
  text.replace(excerpt, (_, line: string, first: string, header: string, marks: string) => {
    return `${line}:${first}-${Number(first) + marks.length - 1}${header}`;
  });

function openTranscript(): Stage {
  const folder = openFolder();
  let [time, ids, drawn] = [Date.UTC(2026, 10, 21), 0, 1];
  const now = () => time;
  const sleep: Outside['clock']['sleep'] = async (milliseconds, signal) => {
    if (!signal?.aborted) time += milliseconds;
  };
  const uuid = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
  const random = () => {
    drawn = (drawn * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return drawn / 2 ** 32;
  };
  return {
    folder,
    environment: {},
    outside: {
      clock: { now, monotonic: now, sleep },
      randomness: { uuid, bytes: (count) => Buffer.alloc(count).toString('base64') },
    },
    service: { now, random },
    setTime: (to) => {
      time = to;
    },
    showsCode: true,
    elided: (text) => withoutExcerpts(text.replace(/\b[0-9a-f]{64}\b/g, 'DIGEST').replace(incidental, '')),
    run: (line) => (line.startsWith('almanac ') ? undefined : runOther(folder, wordsOf(line))),
    close: folder.remove,
  };
}

/** The other programs. */
function runOther(folder: WorkspaceFolder, [program, ...words]: readonly string[]): string {
  if (program === 'rm') for (const path of words) rmSync(join(folder.path, path));
  else if (program === 'words') return wordsOfPage(folder.read(words[0] ?? ''), words[1]);
  else throw new Error(`a transcript has no program ${program}`);
  return '';
}
