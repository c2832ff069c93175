// `almanac help [COMMAND]`: what `--help` of that command prints.

import type { Command } from 'commander';
import { nearestWord } from '../commands/base/nearest-word.ts';

export function addHelp(program: Command): void {
  program
    .command('help')
    .description('print help, also of a command')
    .argument('[command...]', 'such as plan, or state list')
    .action((names: string[]) => {
      let command = program;
      for (const name of names) {
        const found = command.commands.find((candidate) => candidate.name() === name);
        if (found === undefined) {
          const known = command.createHelp().visibleCommands(command);
          const names = known.map((candidate) => candidate.name());
          return command.error(`error: unknown command '${name}'${nearestWord(name, names)}`);
        }
        command = found;
      }
      command.outputHelp();
    });
}
