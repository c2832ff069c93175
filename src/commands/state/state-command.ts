// The options of `almanac state …`.

import {
  type AnyCommand,
  allowOption,
  autoApprove,
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  selectors,
  textOrJson,
} from '../base/command.ts';
import { defining, grouping } from '../base/define-command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type StateListOptions = OptionsOf<typeof listCommand>;
export type StateMoveOptions = OptionsOf<typeof moveCommand>;
export type StateRemoveOptions = OptionsOf<typeof removeCommand>;
export type StateOrphansOptions = OptionsOf<typeof orphansCommand>;
export type StateResolveOptions = OptionsOf<typeof resolveCommand>;
export type StateUnlockOptions = OptionsOf<typeof unlockCommand>;
export type StatePullOptions = OptionsOf<typeof pullCommand>;
export type StatePushOptions = OptionsOf<typeof pushCommand>;
export type StateHistoryOptions = OptionsOf<typeof historyCommand>;
export type StateCheckOptions = OptionsOf<typeof checkCommand>;
export type StateMigrateOptions = OptionsOf<typeof migrateCommand>;

export const defineState = grouping(
  `
Example: almanac state list
Next: almanac state show ADDRESS shows what was applied last.`,
  {
    list: defining(listCommand, async () => (await import('./read.ts')).stateList),
    show: defining(showCommand, async () => (await import('../base/show-state.ts')).stateShow),
    orphans: defining(orphansCommand, async () => (await import('./repair.ts')).stateOrphans),
    mv: defining(moveCommand, async () => (await import('./repair.ts')).stateMove),
    rm: defining(removeCommand, async () => (await import('./repair.ts')).stateRemove),
    pull: defining(pullCommand, async () => (await import('./read.ts')).statePull),
    resolve: defining(resolveCommand, async () => (await import('./repair.ts')).stateResolve),
    unlock: defining(unlockCommand, async () => (await import('./repair.ts')).stateUnlock),
    push: defining(pushCommand, async () => (await import('./repair.ts')).statePush),
    history: defining(historyCommand, async () => (await import('./read.ts')).stateHistoryCommand),
    check: defining(checkCommand, async () => (await import('./read.ts')).stateCheck),
    migrate: defining(migrateCommand, async () => (await import('./migrate.ts')).stateMigrate),
  },
);

/** After the options of its help text. */
function withExample<C extends AnyCommand>(command: C, example: string, next: string): C {
  return command.withExample(`\nExample: ${example}\nNext: ${next}`);
}

function listCommand(command: EmptyCommand) {
  return withExample(
    command
      .argument(...selectors)
      .description('list what the state tracks')
      .addOption(textOrJson()),
    "almanac state list 'schedules.weekly-*' via:email",
    'almanac state show ADDRESS.',
  );
}

function showCommand(command: EmptyCommand) {
  return withExample(
    command
      .argument(...selectors)
      .description('show resources of the state, or all of it')
      .addOption(formatOption(['text', 'json', 'adopt'] as const)),
    'almanac state show schedules.weekly-sales',
    'almanac plan shows where the declarations differ from it.',
  );
}

function orphansCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('list schedules that keep running but are no longer tracked')
      .addOption(textOrJson())
      .option('--clear <id>', 'remove this one from the list, after you deleted it in Omni')
      .addOption(allowOption('state orphans')),
    'almanac state orphans',
    'delete them in Omni, then run almanac state orphans --clear ID.',
  );
}

function moveCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('move a tracked resource to another address')
      .argument('<from>', 'the current address')
      .argument('<to>', 'the new address')
      .addOption(allowOption('state mv')),
    'almanac state mv schedules.weekly schedules.weekly-sales',
    'give the declaration the same key; almanac plan is then empty.',
  );
}

function removeCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('stop tracking resources; they stay in Omni')
      .argument('<addresses...>', 'such as schedules.weekly-sales')
      .addOption(allowOption('state rm')),
    'almanac state rm schedules.weekly-sales',
    'remove the declaration as well, or almanac plan creates it again.',
  );
}

function pullCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('print the state file')
      .option('--serial <n>', 'an earlier state of a shared place', wholeNumber(0)),
    'almanac state pull > copy.json',
    'almanac state push FILE restores a copy.',
  );
}

function resolveCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('record what became of a change whose answer was lost')
      .argument('<address>', 'such as schedules.weekly-sales')
      .option('--id <id>', 'the resource exists, with this id')
      .option('--done', 'the change was made, and has no id')
      .option('--retry', 'the change was not made: plan it again')
      .addOption(allowOption('state resolve')),
    'almanac state resolve schedules.weekly-sales --retry',
    'almanac plan.',
  );
}

function unlockCommand(command: EmptyCommand) {
  return withExample(
    command.description('break a lock that a run left behind').addOption(autoApprove()),
    'almanac state unlock',
    'almanac plan shows what is left to do.',
  );
}

function pushCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('replace the state with a later one')
      .argument('<file>', 'such as a copy that `almanac state pull` printed')
      .option('--force', 'even if it is not later'),
    'almanac state push copy.json',
    'almanac plan should show nothing that was already applied.',
  );
}

function historyCommand(command: EmptyCommand) {
  return withExample(
    command
      .description('list the states that a shared place keeps, the newest first')
      .option('--limit <n>', 'at most this many', wholeNumber(1), 20)
      .addOption(textOrJson()),
    'almanac state history --limit 5',
    'almanac state pull --serial N prints one of them.',
  );
}

function checkCommand(command: EmptyCommand) {
  return withExample(
    command.description('check that the place of the state is fit; leaves the state as it is').addOption(textOrJson()),
    'almanac state check',
    'almanac doctor checks everything else.',
  );
}

function migrateCommand(command: EmptyCommand) {
  return command
    .description('move the state from its file to the shared place that almanac.yaml names')
    .addOption(autoApprove())
    .withExample(`
The file is almanac.state.json, or the one of --state. It is renamed to
almanac.state.json.moved when the place has the state.

Example: almanac state migrate
Next: make the commit that it prints.`);
}
