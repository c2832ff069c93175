// The program as data for the completion of shells, so that a new command or option is completed without more ado.

import type { Argument, Command, Option } from 'commander';
import type { CommandNode, OptionNode, ValueKind } from '../commands/completion.ts';

/** What a placeholder such as `<address...>` stands for. */
const kinds: Readonly<Record<string, 'address' | 'file' | 'folder'>> = {
  address: 'address',
  addresses: 'address',
  from: 'address',
  file: 'file',
  planfile: 'file',
  path: 'file',
  paths: 'file',
  dir: 'folder',
  folder: 'folder',
};

export function commandTree(command: Command): CommandNode {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    words: command.description(),
    options: help.visibleOptions(command).map(optionNode),
    argument: argument === undefined ? undefined : argumentKind(argument),
    commands: help.visibleCommands(command).map(commandTree),
  };
}

function optionNode(option: Option): OptionNode {
  const { short, long, description, required, optional, variadic, argChoices, flags } = option;
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null) as string[],
    words: description,
    value: required || optional ? kindOf(/[<[]([a-z]+)/i.exec(flags)?.[1], argChoices) : undefined,
    optional,
    several: variadic,
  };
}

function argumentKind(argument: Argument): ValueKind {
  return kindOf(argument.name(), argument.argChoices);
}

function kindOf(placeholder: string | undefined, choices: readonly string[] | undefined): ValueKind {
  if (choices !== undefined) return { type: 'choice', choices };
  return { type: kinds[placeholder ?? ''] ?? 'text' };
}
