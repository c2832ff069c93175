// The options of the commands about the place of the state: `almanac state history`, `check`, `init` and `migrate`.

import { autoApprove, type Bare, type OptionsOf, textOrJson } from '../base/command.ts';
import { wholeNumber } from '../base/option-values.ts';
import type { Start } from '../base/run.ts';

export type StateHistoryOptions = OptionsOf<typeof historyCommand>;
export type StateCheckOptions = OptionsOf<typeof checkCommand>;
export type StateInitOptions = OptionsOf<typeof initCommand>;
export type StateMigrateOptions = OptionsOf<typeof migrateCommand>;

function historyCommand(command: Bare) {
  return command
    .description('list the states that a shared place keeps, the newest first')
    .option('--limit <n>', 'at most this many', wholeNumber(1), 20)
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state history --limit 5
Next: almanac state pull --serial N prints one of them.`,
    );
}

export function equipHistory(command: Bare, start: Start): void {
  historyCommand(command).action(async (_, self) => {
    await start(self, async (run) => (await import('./read.ts')).stateHistoryCommand(run, self.optsWithGlobals()));
  });
}

function checkCommand(command: Bare) {
  return command
    .description('check that the place of the state is fit; leaves the state as it is')
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state check
Next: almanac doctor checks everything else.`,
    );
}

export function equipCheck(command: Bare, start: Start): void {
  checkCommand(command).action(async (_, self) => {
    await start(self, async (run) => (await import('./read.ts')).stateCheck(run, self.optsWithGlobals()));
  });
}

function initCommand(command: Bare) {
  return command
    .description('prepare a shared place for the first state')
    .option('--print-sql', 'print the statements that create the table in PostgreSQL, and do nothing')
    .addHelpText(
      'after',
      `
Example: almanac state init
Next: almanac state migrate moves the state there.`,
    );
}

export function equipInit(command: Bare, start: Start): void {
  initCommand(command).action(async (_, self) => {
    await start(self, async (run) => (await import('./place.ts')).stateInit(run, self.optsWithGlobals()));
  });
}

function migrateCommand(command: Bare) {
  return command
    .description('move the state to the place that almanac.yaml names')
    .option('--from <place>', 'where it is so far (default: local:almanac.state.json)')
    .addOption(autoApprove())
    .addHelpText(
      'after',
      `
A place is local:FILE, git:BRANCH, git:BRANCH@REMOTE, s3://BUCKET/PREFIX or
postgres:NAME. Other settings follow a question mark, as in
s3://acme-state/almanac?region=eu-central-1.

Example: almanac state migrate
Next: commit almanac.yaml and what is left of the old state.`,
    );
}

export function equipMigrate(command: Bare, start: Start): void {
  migrateCommand(command).action(async (_, self) => {
    await start(self, async (run) => (await import('./place.ts')).stateMigrate(run, self.optsWithGlobals()));
  });
}
