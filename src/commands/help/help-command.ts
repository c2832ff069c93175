// `almanac help [COMMAND]`: what `--help` of that command prints.

import { type AnyCommand, type EmptyCommand, programOf } from '../base/command.ts';
import { nearestWord } from '../base/option-values.ts';

export function defineHelp(command: EmptyCommand): void {
  command
    .argument('[command...]', 'such as plan, or state list')
    .withExample(`
Example: almanac help state list
Next: almanac init creates a workspace.`)
    .action((names, _, self) => {
      names.reduce(childOf, programOf(self)).outputHelp();
    });
}

function childOf(command: AnyCommand, name: string): AnyCommand {
  const found = command.commands.find((candidate) => candidate.name() === name);
  if (found !== undefined) return found;
  const known = command.createHelp().visibleCommands(command);
  const names = known.map((candidate) => candidate.name());
  return command.error(`error: unknown command '${name}'${nearestWord(name, names)}`);
}
