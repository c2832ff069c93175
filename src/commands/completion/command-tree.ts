// The program as data for shell completion, so that a new command or option is completed without further work.

import { bashCompletion } from '../../render/completion/bash.ts';
import type { AskedWords, CommandNode, OptionNode, ValueKind } from '../../render/completion/command-tree.ts';
import { fishCompletion } from '../../render/completion/fish.ts';
import { zshCompletion } from '../../render/completion/zsh.ts';
import { type AnyArgument, type AnyCommand, type AnyOption, programOf } from '../base/command.ts';
import type { Run } from '../base/run.ts';

/** What a placeholder such as `<address...>` means. */
const kinds: Readonly<Record<string, ValueKind>> = {
  address: { type: 'asked', asked: 'addresses' },
  addresses: { type: 'asked', asked: 'addresses' },
  selectors: { type: 'asked', asked: 'selectors' },
  from: { type: 'asked', asked: 'addresses' },
  file: { type: 'file' },
  planfile: { type: 'file' },
  path: { type: 'file' },
  paths: { type: 'file' },
  dir: { type: 'folder' },
  folder: { type: 'folder' },
};

/** What the argument of a command is, if its placeholder does not say. */
const argumentsOf: Readonly<Record<string, AskedWords>> = {
  next: 'schedules',
  test: 'schedules',
  status: 'aiJobs',
  result: 'aiJobs',
  cancel: 'aiJobs',
  schema: 'schemas',
};

/** The whole program, given any of its commands. */
export function programTree(command: AnyCommand): CommandNode {
  return commandTree(programOf(command));
}

function commandTree(command: AnyCommand): CommandNode {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    words: command.description(),
    options: help.visibleOptions(command).map(optionNode),
    argument: argument === undefined ? undefined : argumentKind(command, argument),
    commands: help.visibleCommands(command).map(commandTree),
  };
}

function optionNode(option: AnyOption): OptionNode {
  const { short, long, description, required, optional, variadic } = option;
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null) as string[],
    words: description,
    value: required || optional ? optionKind(option) : undefined,
    optional,
    several: variadic,
  };
}

function optionKind({ long, flags, argChoices }: AnyOption): ValueKind {
  if (long === '--env') return { type: 'asked', asked: 'environments' };
  return kindOf(/[<[]([a-z]+)/i.exec(flags)?.[1], argChoices);
}

function argumentKind(command: AnyCommand, argument: AnyArgument): ValueKind {
  if (command.name() === 'help' && command.parent !== null) {
    const { parent } = command;
    return {
      type: 'choice',
      choices: parent
        .createHelp()
        .visibleCommands(parent)
        .map((each) => each.name()),
    };
  }
  const asked = argumentsOf[command.name()];
  return asked === undefined ? kindOf(argument.name(), argument.argChoices) : { type: 'asked', asked };
}

function kindOf(placeholder: string | undefined, choices: readonly string[] | undefined): ValueKind {
  if (choices !== undefined) return { type: 'choice', choices };
  return kinds[placeholder ?? ''] ?? { type: 'text' };
}

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

type Shell = keyof typeof scripts;

/** `almanac completion SHELL`: the script that completes the command line in a shell. */
export function completion(run: Run, shell: Shell, program: CommandNode): number {
  run.stdout.data(scripts[shell](program));
  return 0;
}
