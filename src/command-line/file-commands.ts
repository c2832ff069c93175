// The commands that write and lay out the files of a workspace, for people and their editors.

import { type Command, Option } from 'commander';
import { optionsOf } from './option-values.ts';
import type { Run } from './run.ts';

export function addFileCommands(program: Command, run: Run): void {
  for (const add of [addInit, addFormat, addSchema]) add(program, run);
}

function addInit(program: Command, { world, finish }: Run): void {
  program
    .command('init')
    .description('begin a workspace: configuration, first schedules, CI, editor')
    .option('--dir <folder>', 'where; here, if left out')
    .option('--base-url <url>', 'the address of your organization, such as https://acme.omniapp.co')
    .addOption(
      new Option('--destination <type...>', 'a first schedule of each (email)').choices([
        'webhook',
        'email',
        'sftp',
        'slack',
        's3',
      ]),
    )
    .addOption(
      new Option('--ci <system>', 'a workflow that plans and applies (none)').choices(['github', 'gitlab', 'none']),
    )
    .addOption(new Option('--editor <name>', 'its settings (none)').choices(['vscode', 'jetbrains', 'none']))
    .option('--force', 'overwrite what exists')
    .option('--yes', 'ask nothing; what no option says is as in brackets')
    .action(async (_, command: Command) => {
      const { init } = await import('../commands/init/init.ts');
      finish(await init(world, optionsOf(command)));
    });
}

function addFormat(program: Command, { world, finish }: Run): void {
  program
    .command('fmt')
    .description('put source files and almanac.yaml into their canonical form, comments kept')
    .argument('[paths...]', 'files and folders')
    .option('--check', 'write nothing; list what is not in that form, and exit with 1')
    .action(async (paths: string[], _, command: Command) => {
      const { format } = await import('../commands/fmt/format.ts');
      finish(await format(world, optionsOf(command), paths));
    });
}

function addSchema(program: Command, { world, finish }: Run): void {
  program
    .command('schema')
    .description('print or write the JSON Schemas that editors and programs use')
    .argument('[name]', 'such as resources; without it they are listed, or all written')
    .option('--out <path>', 'write it to this file (.json), or to this folder')
    .option('--workspace', 'that of source files, without what the defaults in almanac.yaml give')
    .action(async (name: string | undefined, _, command: Command) => {
      const { schema } = await import('../commands/schema/schema.ts');
      finish(await schema(world, optionsOf(command), name));
    });
}
