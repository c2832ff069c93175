// The words that may come next on a command line, alike for every shell. It walks over the commands and options that
// commander has, so that a new one is completed without further work.

import type { State } from '../../model/plan/state.ts';
import { kindOf, kinds, type Section } from '../../model/values/address.ts';
import { type Allowance, allowances, allowancesOf } from '../../model/values/allowances.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { listedFacts } from '../../report/listed-facts.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import { type AnyCommand, type AnyOption, programOf } from '../base/command.ts';
import type { Run } from '../base/run.ts';

/** The kind of words for a placeholder such as `<address...>`. The shell itself lists files and folders. */
const placeholders: Readonly<Record<string, CompletedKind | ':file' | ':folder'>> = {
  address: 'addresses',
  addresses: 'addresses',
  selector: 'selectors',
  selectors: 'selectors',
  whom: 'selectors',
  from: 'addresses',
  file: ':file',
  planfile: ':file',
  path: ':file',
  paths: ':file',
  dir: ':folder',
  folder: ':folder',
};

/** The kind of a command's argument, if its placeholder does not say. */
const argumentsOf: Readonly<Record<string, CompletedKind>> = {
  test: 'schedules',
  status: 'aiJobs',
  result: 'aiJobs',
  cancel: 'aiJobs',
  schema: 'schemas',
};

/** Options that choose the workspace from which words are read. */
const workspaceOptions = ['chdir', 'config', 'env', 'state'];

/** A command line, read up to the word that is completed. */
interface Line {
  readonly command: AnyCommand;
  readonly option: AnyOption | undefined;
  readonly workspace: Readonly<Record<string, string>>;
  /** `--format=` in `--format=js`. */
  readonly before: string;
  readonly typed: string;
}

/** `words` without the name of the program; the last one is completed, and may be empty. */
export function readLine(program: AnyCommand, words: readonly string[]): Line {
  let command = program;
  let option: AnyOption | undefined;
  const workspace: Record<string, string> = {};
  const keep = (name: string | undefined, value: string) => {
    if (name !== undefined && workspaceOptions.includes(name)) workspace[name] = value;
  };
  for (const word of words.slice(0, -1)) {
    const { name, value } = splitOption(word);
    if (name !== undefined) {
      const named = findOption(command, name);
      if (value !== undefined) keep(named?.attributeName(), value);
      option = value === undefined && (named?.required || named?.optional) ? named : undefined;
    } else if (option !== undefined) {
      keep(option.attributeName(), word);
      if (!option.variadic) option = undefined;
    } else command = commandsOf(command).find((each) => each.name() === word) ?? command;
  }
  const typed = words.at(-1) ?? '';
  const { name, value } = splitOption(typed);
  if (name === undefined || value === undefined) return { command, option, workspace, before: '', typed };
  return { command, option: findOption(command, name), workspace, before: `${name}=`, typed: value };
}

/** Writes the words that may come next, one per line, each followed by a tab and its description. */
export async function completeLine(run: Run, line: Line): Promise<number> {
  const { before, typed } = line;
  const words = await offered(run, line);
  const lines = words
    .filter(({ word }) => word.startsWith(typed) || word.startsWith(':'))
    .map(({ word, words: about }) => `${word.startsWith(':') ? '' : before}${word}${about ? `\t${about}` : ''}\n`);
  run.stdout.data(lines.join(''));
  return 0;
}

async function offered(run: Run, { command, option, before, typed }: Line): Promise<readonly Word[]> {
  if (before === '' && typed.startsWith('-')) {
    return optionsOf(command).flatMap(({ long, short, description }) =>
      [long, short].flatMap((word) => (word ? [{ word, words: description.split('\n')[0] }] : [])),
    );
  }
  const values = option === undefined ? [] : await valuesOf(run, command, option, typed);
  if (before !== '' || option?.required) return values;
  const commands = commandsOf(command).map((each) => ({ word: each.name(), words: each.description() }));
  return [...values, ...commands, ...(await argumentsIn(run, command, typed))];
}

async function valuesOf(
  run: Run,
  command: AnyCommand,
  { argChoices, flags, long }: AnyOption,
  typed: string,
): Promise<readonly Word[]> {
  if (long === '--allow') return allowed(command, typed);
  if (argChoices !== undefined) return argChoices.map((word) => ({ word }));
  const placeholder = /[<[]([a-z]+)/i.exec(flags)?.[1] ?? '';
  return offeredWords(run, long === '--env' ? 'environments' : placeholders[placeholder], typed);
}

/** The names of `--allow` that the list does not hold yet. */
function allowed(command: AnyCommand, typed: string): readonly Word[] {
  const list = typed.slice(0, typed.lastIndexOf(',') + 1);
  const group = command.parent?.parent == null ? '' : `${command.parent.name()} `;
  const others = allowancesOf(`${group}${command.name()}`).filter((name) => !list.split(',').includes(name));
  return others.map((name) => {
    const { words, of }: Allowance = allowances[name];
    return { word: `${list}${name}${of === undefined ? '' : '='}`, words };
  });
}

async function argumentsIn(run: Run, command: AnyCommand, typed: string): Promise<readonly Word[]> {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word }));
  if (command.name() === 'help') return commandsOf(programOf(command)).map((each) => ({ word: each.name() }));
  const asked = placeholders[argument.name()];
  return offeredWords(run, asked === 'selectors' ? asked : (argumentsOf[command.name()] ?? asked), typed);
}

/** Nobody has checked the files' contents, so only words that mean nothing to a shell are offered. */
async function offeredWords(
  run: Run,
  kind: CompletedKind | ':file' | ':folder' | undefined,
  typed: string,
): Promise<readonly Word[]> {
  if (kind === undefined) return [];
  if (kind === ':file' || kind === ':folder') return [{ word: kind }];
  const read = await readWords(run, kind, typed).catch(() => []);
  const words = read.filter(({ word }) => harmless.test(word));
  return words.map(({ word, words: about = '' }) => ({
    word,
    words: truncate(safeText(about).trim(), maxWordsLength),
  }));
}

/** The name of an option, and a value behind `=`; neither for any other word. */
function splitOption(word: string): { readonly name?: string; readonly value?: string | undefined } {
  if (!word.startsWith('-')) return {};
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return { name, value };
}

function findOption(command: AnyCommand, name: string): AnyOption | undefined {
  return optionsOf(command).find(({ long, short }) => name === long || name === short);
}

function optionsOf(command: AnyCommand): readonly AnyOption[] {
  const own = command.createHelp().visibleOptions(command);
  const others = command.parent === null ? [] : optionsOf(programOf(command));
  return [...own, ...others.filter(({ long }) => own.every((option) => option.long !== long))];
}

function commandsOf(command: AnyCommand): readonly AnyCommand[] {
  return command.createHelp().visibleCommands(command);
}

/**
 * Words that shells complete from the workspace: the addresses that are declared or in a state file, all of them or
 * those of a section, tags and owners, environments, and the names of the schemas. No errors are printed.
 */
type CompletedKind = 'addresses' | 'selectors' | Section | 'environments' | 'schemas';

interface Word {
  readonly word: string;
  /** A description for people, in shells that show one. */
  readonly words?: string;
}

/** Shells expand some of what they are offered. */
const harmless = /^[A-Za-z0-9_][A-Za-z0-9_.:@/-]*$/;
const maxWordsLength = 60;

async function readWords(run: Run, kind: CompletedKind, typed: string): Promise<readonly Word[]> {
  switch (kind) {
    case 'schemas':
      return Object.keys(publishedSchemas).map((word) => ({ word }));
    case 'environments':
      return (await run.settings()).usable.environments.map((word) => ({ word }));
    case 'addresses':
      return addresses(run);
    case 'selectors':
      return [
        ...(await labels(run, typed).catch(() => [])),
        ...(await addresses(run)),
        ...(await keys(run, typed).catch(() => [])),
      ];
    default: {
      const isAsked = (address = '') => address.startsWith(`${kind}.`);
      return [
        ...(await addresses(run)).filter(({ word }) => isAsked(word)),
        ...(await keys(run, typed).catch(() => [])).filter(({ words }) => isAsked(words)),
      ];
    }
  }
}

/** Sorted keys that may replace a whole address, once something is typed: each has its address above. */
async function keys(run: Run, typed: string): Promise<readonly Word[]> {
  if (typed === '') return [];
  const { choiceAmong, addressesByKey } = await import('../../plan/select.ts');
  const { loaded } = await run.loadAnywhere();
  const state = await stateInFile(run).catch(() => undefined);
  return [...addressesByKey(choiceAmong([], { loaded, state }))]
    .flatMap(([word, [address, ...others]]) => (others.length === 0 ? { word, words: address } : []))
    .sort((a, b) => byCodeUnit(a.word, b.word));
}

/** Sorted. A declaration describes an address better than the state does. */
async function addresses(run: Run): Promise<readonly Word[]> {
  const [declared, tracked] = await Promise.all([
    declaredAddresses(run).catch(() => []),
    trackedAddresses(run).catch(() => []),
  ]);
  const words = new Map([...tracked, ...declared].map((each) => [each.word, each]));
  return [...words.values()].sort((a, b) => byCodeUnit(a.word, b.word));
}

/** The declared addresses; a loop has its instances as well. */
async function declaredAddresses(run: Run): Promise<readonly Word[]> {
  const loops = (await run.loadAnywhere()).loaded.desired.loops ?? [];
  const own = (await declaredAnywhere(run)).map(({ address, attributes }) => described(address, attributes));
  return [...loops.map(({ address, keys }) => ({ word: address, words: countOf(keys.length, 'instance') })), ...own];
}

/** Includes resources that exist only in other environments or have errors. */
async function declaredAnywhere(run: Run) {
  const { resources, absent = [] } = (await run.loadAnywhere()).loaded.desired;
  return [...resources, ...absent];
}

/** `tag:board` and `owner:@acme/finance`, and the other labels once they are typed: there are many. Sorted. */
async function labels(run: Run, typed: string): Promise<readonly Word[]> {
  const { labelsOf } = await import('../../plan/select.ts');
  const words = (await declaredAnywhere(run)).flatMap(({ address, attributes }) => labelsOf(address, attributes));
  const label = /^[a-z]+:/.exec(typed)?.[0];
  const isShown = (word: string) => /^(?:tag|owner):/.test(word) || (label !== undefined && word.startsWith(label));
  return [...new Set(words)]
    .filter(isShown)
    .sort(byCodeUnit)
    .map((word) => ({ word }));
}

/** A state elsewhere is not read, because TAB starts no git and uses no network. */
async function stateInFile(run: Run): Promise<State | undefined> {
  const { usable } = await run.settings();
  if (run.options.state === undefined && usable.state.backend !== 'local') return undefined;
  return run.readState(await run.storeAlone());
}

async function trackedAddresses(run: Run): Promise<readonly Word[]> {
  const state = await stateInFile(run);
  return Object.entries(state?.resources ?? {}).map(([address, { attributes }]) => described(address, attributes));
}

/** Described by its name, or by its subject if it has no name. */
function described(address: string, attributes: DeclaredObject): Word {
  const kind = kindOf(address);
  if (kind === undefined) return { word: address };
  const { title, subject } = listedFacts(kind, attributes);
  return { word: address, words: title ?? [kinds[kind].words, subject ?? []].flat().join(' ') };
}
