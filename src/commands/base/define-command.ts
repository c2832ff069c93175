// Adds a command to the program. Its options load when first needed, its code when it is called.

import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { AnyCommand, EmptyCommand, GlobalOptions } from './command.ts';
import type { Run } from './run.ts';
import type { World } from './world.ts';

export type DefineCommand = (command: EmptyCommand, start: RunCommand) => void;

/** Runs a called command; `work` returns the exit code. */
export interface RunCommand {
  (command: { optsWithGlobals(): GlobalOptions }, work: (run: Run) => Promise<number>): Promise<void>;
  /** Runs work that needs no workspace, so the code that opens one is not loaded. */
  outside(work: (world: World) => Promise<number>): Promise<void>;
}

const optionsToAdd = new WeakMap<AnyCommand, () => void>();

/** The command with its options and arguments, added only when needed since a run has those of one command. */
export function withOptions<C extends AnyCommand>(command: C): C {
  const addOptions = optionsToAdd.get(command);
  optionsToAdd.delete(command);
  addOptions?.();
  return command;
}

/** `declare` adds the options and arguments; `load` imports the action that takes them. */
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

export function grouping(help: string, commands: Readonly<Record<string, DefineCommand>>): DefineCommand {
  return (group, start) => {
    group.helpCommand('help [command]', 'print the help of a command').withExample(help);
    for (const [name, define] of Object.entries(commands)) define(group.command(name), start);
  };
}
