// What may come next on a command line, for every shell alike: a walk over the commands and options that commander has, so
// that a new one is completed without further work.

import { type AnyCommand, type AnyOption, programOf } from '../base/command.ts';
import type { Run } from '../base/run.ts';
import { type Asked, type Word, wordsOf } from './complete-words.ts';

/** What a placeholder such as `<address...>` means. Files and folders are for the shell to list. */
const kinds: Readonly<Record<string, Asked | ':file' | ':folder'>> = {
  address: 'addresses',
  addresses: 'addresses',
  selectors: 'selectors',
  from: 'addresses',
  file: ':file',
  planfile: ':file',
  path: ':file',
  paths: ':file',
  dir: ':folder',
  folder: ':folder',
};

/** What the argument of a command is, if its placeholder does not say. */
const argumentsOf: Readonly<Record<string, Asked>> = {
  next: 'schedules',
  test: 'schedules',
  status: 'aiJobs',
  result: 'aiJobs',
  cancel: 'aiJobs',
  schema: 'schemas',
};

/** Options that choose the workspace, which its words are read from. */
const workspaceOptions = ['chdir', 'config', 'env', 'state'];

/** A command line, read up to the word that is completed. */
interface Line {
  readonly command: AnyCommand;
  /** The option whose value comes next. */
  readonly option: AnyOption | undefined;
  /** The values of `workspaceOptions`. */
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

/** Writes what may come next, a word a line, behind a tab what it is. */
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
      [long, short].flatMap((word) => (word ? [{ word, words: description }] : [])),
    );
  }
  const values = option === undefined ? [] : await valuesOf(run, option, typed);
  if (before !== '' || option?.required) return values;
  const commands = commandsOf(command).map((each) => ({ word: each.name(), words: each.description() }));
  return [...values, ...commands, ...(await argumentsIn(run, command, typed))];
}

async function valuesOf(run: Run, { argChoices, flags, long }: AnyOption, typed: string): Promise<readonly Word[]> {
  if (argChoices !== undefined) return argChoices.map((word) => ({ word }));
  const placeholder = /[<[]([a-z]+)/i.exec(flags)?.[1] ?? '';
  return wordsOfKind(run, long === '--env' ? 'environments' : kinds[placeholder], typed);
}

async function argumentsIn(run: Run, command: AnyCommand, typed: string): Promise<readonly Word[]> {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word }));
  if (command.name() === 'help') return commandsOf(programOf(command)).map((each) => ({ word: each.name() }));
  return wordsOfKind(run, argumentsOf[command.name()] ?? kinds[argument.name()], typed);
}

async function wordsOfKind(
  run: Run,
  kind: Asked | ':file' | ':folder' | undefined,
  typed: string,
): Promise<readonly Word[]> {
  if (kind === undefined) return [];
  if (kind === ':file' || kind === ':folder') return [{ word: kind }];
  const words = await wordsOf(run, kind).catch(() => []);
  if (kind !== 'selectors') return words;
  // Commas separate selectors: the last one is completed.
  const listed = typed.slice(0, typed.lastIndexOf(',') + 1);
  return words.map((each) => ({ ...each, word: listed + each.word }));
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

/** Its own options and those of the program. */
function optionsOf(command: AnyCommand): readonly AnyOption[] {
  const own = command.createHelp().visibleOptions(command);
  const others = command.parent === null ? [] : optionsOf(programOf(command));
  return [...own, ...others.filter(({ long }) => own.every((option) => option.long !== long))];
}

function commandsOf(command: AnyCommand): readonly AnyCommand[] {
  return command.createHelp().visibleCommands(command);
}
