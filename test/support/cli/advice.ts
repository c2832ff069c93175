// What a message advises, done: the command is taken from what was printed in a situation, is run there, and must do what
// was promised.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { commandTable } from '../../../src/commands/table.ts';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import type { JournalLine } from '../../../src/model/plan/journal.ts';
import { usualFile } from '../../../src/model/workspace/state-place.ts';
import { renderJournalLine } from '../../../src/state/format/parse-journal.ts';
import { type MemoryPlace, makeMemoryPlace } from '../apply/memory-place.ts';
import { atFullSize } from '../runs/runs.ts';
import { daily as everyDay, hook, inOneLine } from '../vocabulary.ts';
import type { Ran, WorkspaceFolder } from '../workspace.ts';
import { openWorld, type World } from '../world.ts';
import { weekly } from './open-stage.ts';

export const daily = { ...weekly, name: 'Daily sales', schedule: everyDay };
export const both = { 'schedules/all.yaml': { schedules: { weekly, daily } } };

export interface Desk extends World {
  /** A line as it is typed, in quotes one word, and `> FILE`; in the environment of the test, if it has one. */
  run(line: string): Promise<Ran>;
  /** The same as a message advises it: whatever environment it is about, it names. */
  type(line: string): Promise<Ran>;
}

/** What a message promises. `again`: what printed it, run once more. */
export type Promised = (ran: Ran, desk: Desk, again: () => Promise<Ran>) => unknown;

export interface Advice {
  /** The words of the message before the command, where another command of that name is printed before them. */
  readonly after?: string;
  /** What a reader puts in: words of the message in capital letters, or what the end of the line lacks. */
  readonly fill?: (printed: string, desk: Desk) => Readonly<Record<string, string>>;
  readonly more?: string;
  /** What was advised to do first. */
  readonly first?: (desk: Desk) => unknown;
  /** The exit code of the command; 0 where nothing is said. */
  readonly code?: number;
  /** That nothing is left to do where nothing is said. */
  readonly then?: Promised;
  /** Not tried in an environment: what prints it is about all of them, or says something else there. */
  readonly apart?: true;
}

interface Situation {
  /** What prints the advice, each of several; the command that is advised; and what it then prints or does, or more about it. */
  on(prints: string | readonly string[], advises: string, promise?: string | Promised | Advice): Situation;
}

/** One line, however wide the terminal. */
export const textOf = ({ stdout, stderr }: Ran) => inOneLine(`${stdout}\n${stderr}`);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Options, words in capital letters, and what is no word: addresses, ids, numbers, paths. */
const argument = /^(?:--[a-z-]+(?:=\S+)?|[A-Z]{2,}|json|-v|\S*[./]\S*|[\da-f-]{8,36}|'[^']*')$/;

/** Options of the run are named between the command and its own. */
const nameIn = (name: string) =>
  escaped(name).replace(/(?= --|$)/, String.raw`(?: --(?:chdir|config|env|state) (?:'[^']*'|[\w./-]*\w))*`);

/** The first `almanac NAME …` after these words: up to the closing backtick, or as far as the words are arguments. */
export function advised(printed: string, words: string, name: string): string {
  const at = printed.indexOf(words);
  const rest = printed.slice(at + words.length);
  const found = new RegExp(`(\`|<code>)?almanac (${nameIn(name)}(?![a-z-]))`).exec(rest);
  if (at < 0 || found === null) throw new Error(`no almanac ${name} after "${words}" in: ${printed}`);
  const [whole, quote, command = ''] = found;
  const from = rest.slice(found.index + whole.length);
  if (quote !== undefined) return command + from.slice(0, from.search(/`|<\/code>/));
  const taken: string[] = [];
  for (const word of from.match(/^ |(?:'[^']*'|[^\s'])+/g)?.filter((each) => each !== ' ') ?? []) {
    const plain = word.replace(/[.,:;)]+$/, '');
    if (!from.startsWith(' ') || !argument.test(plain)) break;
    taken.push(plain);
    if (plain !== word) break;
  }
  return [command, ...taken].join(' ');
}

const asks = /^(?:apply|test|trigger|state migrate|state unlock)\b/;

const blank = /\b(?:ADDRESS|DIGEST|FILE|ID|NAME|SECONDS)\b/g;

/** As a reader types it who has no terminal. */
function typed(command: string, given: Readonly<Record<string, string>>): string {
  const filled = command.replace(blank, (word) => given[word] ?? word);
  expect(filled).not.toMatch(blank);
  return asks.test(filled) && !filled.includes('--auto-approve') ? `${filled} --auto-approve` : filled;
}

/** The environment of the test that runs; every command needs it. */
let environmentOfTest: string | undefined;

/** `where`: the situation, as the beginning of a sentence. */
export function advising(where: string, open: () => Promise<Desk>): Situation {
  const on: Situation['on'] = (prints, name, promise = {}) => {
    const [print = '', ...others] = [prints].flat();
    const advice: Advice =
      typeof promise === 'string'
        ? { then: shows(promise) }
        : typeof promise === 'function'
          ? { then: promise }
          : promise;
    const said = [print, ...others].join('" and "');
    const keepsPromise = async () => {
      const desk = await open();
      const lineOf = async (printing: string) => {
        const printed = textOf(await desk.run(printing));
        const more = advice.more === undefined ? '' : ` ${advice.more}`;
        return typed(advised(printed, advice.after ?? '', name) + more, advice.fill?.(printed, desk) ?? {});
      };
      const line = await lineOf(print);
      for (const other of others) expect(await lineOf(other)).toBe(line);
      const isEverywhere = commandTable[line.split(' ', 1)[0] ?? '']?.refuses?.includes('env') === true;
      if (environmentOfTest !== undefined)
        expect(line.includes(` --env ${environmentOfTest}`), line).toBe(!isEverywhere);
      await advice.first?.(desk);
      const ran = await desk.type(line);
      expect(ran.code, `almanac ${line}: ${ran.stdout}${ran.stderr}`).toBe(advice.code ?? 0);
      await (advice.then ?? isSettled)(ran, desk, () => desk.run(print));
    };
    // `npm test` tries half of the advice without an environment and the other half in one, and `npm run test:all` all in both.
    const isWithout = advice.apart === true || (where + said).length % 2 === 0;
    const [without, inEnvironment] = isWithout ? [it, atFullSize] : [atFullSize, it];
    without(`${where}, "${said}" advises "almanac ${name}", which does what is promised`, keepsPromise);
    if (advice.apart) return { on };
    inEnvironment(`${where}, "${said}" in an environment advises "almanac ${name}" there`, async () => {
      environmentOfTest = 'staging';
      await keepsPromise().finally(() => {
        environmentOfTest = undefined;
      });
    });
    return { on };
  };
  return { on };
}

interface DeskOptions extends EmulatorOptions {
  readonly files?: Readonly<Record<string, unknown>>;
  /** More of almanac.yaml; undefined for no such file. */
  readonly almanac?: { readonly api?: object } & Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly outside?: Partial<Outside>;
  /** Results go to a terminal. */
  readonly onTerminal?: true;
}

/** A workspace with two schedules, or with `files`, and nothing applied. */
export async function newDesk({
  files = both,
  almanac = {},
  environment,
  outside,
  onTerminal,
  ...options
}: DeskOptions = {}): Promise<Desk> {
  let shown = '';
  const terminal = {
    write: (text: string) => {
      shown += text;
    },
    isTerminal: true,
    width: 80,
  };
  const { api, ...config } = almanac;
  const world = await openWorld(files, {
    ...options,
    api,
    config: {
      safety: { maxDeletePercent: 100 },
      ...(environmentOfTest === undefined
        ? {}
        : {
            environments: { [environmentOfTest]: 'state' in config ? {} : { state: { path: usualFile(undefined) } } },
            environmentRequired: true,
          }),
      ...config,
    },
    environment: { NO_COLOR: '1', ...environment },
    outside: { ...outside, ...(onTerminal ? { stdout: terminal, stderr: terminal } : {}) },
  });
  const type = async (line: string): Promise<Ran> => {
    const words = (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
    const into = words.indexOf('>');
    shown = '';
    const ran = await world.run(...(into < 0 ? words : words.slice(0, into)));
    const result = onTerminal ? { ...ran, stdout: shown } : ran;
    if (into >= 0) writeFileSync(join(world.path, words[into + 1] ?? ''), result.stdout);
    return result;
  };
  const env = environmentOfTest === undefined ? '' : ` --env ${environmentOfTest}`;
  const run = (line: string) => type(line.includes(' --env ') ? line : line.replace(/(?= >|$)/, env));
  return { ...world, run, type };
}

export async function appliedDesk(options: DeskOptions = {}): Promise<Desk> {
  const desk = await newDesk(options);
  await desk.run('apply --auto-approve --allow empty');
  return desk;
}

export interface SharedDesk extends Desk {
  readonly place: MemoryPlace;
}

/** A workspace whose state is in a place that many share; its log is at hand. */
export async function sharedDesk(options: DeskOptions = {}): Promise<SharedDesk> {
  const place = makeMemoryPlace('git branch almanac-state of origin');
  const openSharedState = async () => place.open();
  const outside = { openSharedState, ...options.outside };
  const desk = await newDesk({ ...options, almanac: { state: { backend: 'git' }, ...options.almanac }, outside });
  return { ...desk, place };
}

/** A desk on which something was done before the message. */
export const after =
  <D extends Desk>(desk: () => Promise<D>, happens: (desk: D) => unknown) =>
  async () => {
    const opened = await desk();
    await happens(opened);
    return opened;
  };

export const movedTo = (backend: 'git' | 'local') => (desk: Desk) =>
  desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace(/"(?:git|local)"/, `"${backend}"`) });
/** Where that file is. */
export const fileLeft = () => usualFile(environmentOfTest);

/** The state is in the file, and almanac.yaml names a place that many share. */
export const leftInFile = after(sharedDesk, async (desk) => {
  movedTo('local')(desk);
  await desk.run('apply --auto-approve');
  movedTo('git')(desk);
});

export const declare =
  (schedules: unknown, rest: object = {}) =>
  (desk: WorkspaceFolder) =>
    desk.write({ 'schedules/all.yaml': { schedules, ...rest } });

export const shows = (words: string) =>
  ((ran) => expect(textOf(ran).replaceAll(` --env ${environmentOfTest}`, '')).toContain(words)) satisfies Promised;
/** Nothing is left to do; operations core cannot ask Omni about it. */
const isSettled: Promised = async (_, desk) => {
  const isCore = /"operations": "?core/.test(desk.read('almanac.yaml'));
  expect(textOf(await desk.run(isCore ? 'plan' : 'plan --refresh'))).toContain('No changes.');
};
/** What printed the advice goes through. */
export const succeedsThen: Promised = async (_ran, _desk, again) => expect(await again()).toMatchObject({ code: 0 });

export const posts = ({ emulator }: Desk) => emulator.requests().filter(({ method }) => method === 'POST').length;
export const idIn = (printed: string) => ({ ID: /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(printed)?.[0] ?? '' });

export const alone = { 'schedules/all.yaml': { schedules: { weekly } } };
const lostPost = (at: number) => [{ fault: 'drop-after', on: 'POST /v1/schedules', at }] as const;

/** A create whose answer was lost. */
export const lostCreate = (operations: 'core' | 'full') =>
  after(
    () => newDesk({ files: alone, faults: lostPost(1), operations }),
    ({ run: almanac }) => almanac('apply --auto-approve'),
  );
export const lostDelivery = after(
  () => appliedDesk({ files: alone, faults: lostPost(2) }),
  ({ run: almanac }) => almanac('trigger schedules.weekly --auto-approve'),
);
/** Left over by operations core. */
export const orphaned = after(
  () => appliedDesk({ files: alone, almanac: { api: { operations: 'core' } } }),
  async (desk) => {
    declare({})(desk);
    await desk.run('apply --auto-approve --allow empty --allow orphans');
  },
);
/** Somebody deleted `weekly` in Omni. */
export const gone = ({ emulator }: Desk) =>
  emulator.edit((data) => {
    data.schedules = data.schedules.filter(({ fields }) => fields['name'] !== weekly.name);
  });

/** Its variable is HOOK. */
export const secret = hook({ url: 'https://hooks.example.com/${env.HOOK}' });

const openUpdate = { action: 'update', address: 'schedules.weekly', attributes: weekly } as const;
const at = '2026-03-01T00:00:00.000Z';

/** The journal of a run that broke off in an update of `weekly`, or after it. */
export function journalOf({ state }: Desk, isDone = false): string {
  const { lineage, serial, baseUrl, salt, toolVersion } = state();
  const lines: readonly JournalLine[] = [
    { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion },
    { type: 'intent', seq: 1, kind: 'request', ...openUpdate, at },
    ...(isDone ? [{ type: 'outcome', seq: 1, status: 'applied', at } as const] : []),
  ];
  return lines.map(renderJournalLine).join('');
}

/** The lock of a run on another machine. */
export const lockFile = 'almanac.state.json.lock';
export const held = { id: 'a', who: 'ana', host: 'runner-7', pid: 42, command: 'apply', since: at };
