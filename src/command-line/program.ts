// The program: its global options, and every command.

import { Command } from 'commander';
import { addAiCommands } from './ai-commands.ts';
import { addCompletion } from './completion-commands.ts';
import { addDocuments } from './documents-command.ts';
import { addEmulator } from './emulator-command.ts';
import { addFileCommands } from './file-commands.ts';
import { addHelp } from './help-command.ts';
import { addNearestChoices } from './nearest-choices.ts';
import { addNextSteps } from './next-steps.ts';
import type { Run } from './run.ts';
import { addStateCommands } from './state-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';
import { addWorkspaceCommands } from './workspace-commands.ts';

export function makeProgram(run: Run): Command {
  const { world } = run;
  const program = new Command('almanac')
    .description('Report schedules and dashboard filters of an Omni organization as code.')
    .version(world.version, '-V, --version', 'print the version')
    .option('-C, --chdir <dir>', 'work in this folder')
    .option('--config <file>', 'the configuration, in place of almanac.yaml')
    .option('--env <name>', 'an environment that almanac.yaml declares')
    .option('--state <file>', 'the state file, in place of the configured one')
    .option('--no-color', 'no colours (also NO_COLOR; FORCE_COLOR for the opposite)')
    .option('-q, --quiet', 'only results and errors')
    .option('-v, --verbose', 'more about what happens')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showHelpAfterError('Run it with --help for what it takes.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.width,
      getErrHelpWidth: () => world.stderr.width,
    });
  addWorkspaceCommands(program, run);
  addDocuments(program, run);
  addStateCommands(program, run);
  addAiCommands(program, run);
  addWebhookCommands(program, run);
  addFileCommands(program, run);
  addEmulator(program, run);
  addCompletion(program, run);
  addHelp(program);
  addNextSteps(program);
  addNearestChoices(program);
  return program;
}
