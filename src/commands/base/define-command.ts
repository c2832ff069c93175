// How a command is added to the program: its options when they are first needed, its code when it is called.

import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { AnyCommand, EmptyCommand, GlobalOptions } from './command.ts';
import type { Run } from './run.ts';
import type { World } from './world.ts';

/** Adds the options of a command, and what runs when it is called. */
export type DefineCommand = (command: EmptyCommand, start: RunCommand) => void;

/** Runs what a called command does: `work` returns the exit code. */
export interface RunCommand {
  (command: { optsWithGlobals(): GlobalOptions }, work: (run: Run) => Promise<number>): Promise<void>;
  /** For what has nothing to do with a workspace: what opens one is not loaded. */
  outside(work: (world: World) => Promise<number>): Promise<void>;
}

const optionsToAdd = new WeakMap<AnyCommand, () => void>();

/** The command with its options and arguments: a run has those of one command. */
export function withOptions<C extends AnyCommand>(command: C): C {
  const addOptions = optionsToAdd.get(command);
  optionsToAdd.delete(command);
  addOptions?.();
  return command;
}

/** `declare` adds the options and arguments; `load` loads what takes them. */
export function defining<A extends unknown[], O extends OptionValues>(
  declare: (command: EmptyCommand) => Command<A, O, GlobalOptions>,
  load: (
    command: Pick<Command, 'args'>,
  ) => Promise<
    (run: Run, options: ReturnType<Command<A, O, GlobalOptions>['optsWithGlobals']>, ...args: A) => Promise<number>
  >,
): DefineCommand {
  return (empty, start) => {
    optionsToAdd.set(empty, () => {
      const command = declare(empty);
      command.action(async () => {
        await start(command, async (run) =>
          (await load(command))(run, command.optsWithGlobals(), ...command.processedArgs),
        );
      });
    });
  };
}

/** For a command that only has commands of its own. */
export function grouping(help: string, commands: Readonly<Record<string, DefineCommand>>): DefineCommand {
  return (group, start) => {
    group.helpCommand('help [command]', 'print the help of a command').addHelpText('after', help);
    for (const [name, define] of Object.entries(commands)) define(group.command(name), start);
  };
}
