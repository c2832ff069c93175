// `almanac help [COMMAND]`: what `--help` of that command prints.

import type { Command } from 'commander';

export function addHelp(program: Command): void {
  program
    .command('help')
    .description('print help, also of a command')
    .argument('[command...]', 'such as plan, or state list')
    .action(async (names: string[]) => {
      let command = program;
      for (const name of names) {
        const found = command.commands.find((candidate) => candidate.name() === name);
        if (found === undefined) {
          const { unknownCommand } = await import('../commands/unknown-command.ts');
          const known = command.createHelp().visibleCommands(command);
          const words = unknownCommand(
            name,
            known.map((candidate) => candidate.name()),
          );
          return command.error(words);
        }
        command = found;
      }
      command.outputHelp();
    });
}
