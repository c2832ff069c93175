// The options of `almanac state …`.

import type { OptionValues } from '@commander-js/extra-typings';
import { type Command, Option } from '@commander-js/extra-typings';
import { destinations } from '../../model/fields/field.ts';
import { kindsInOrder } from '../../model/values/address.ts';
import { autoApprove, type Bare, type GlobalOptions, type OptionsOf, type Run, textOrJson } from '../base/command.ts';
import { choicesListed, commaListed, wholeNumber } from '../base/option-values.ts';
import { equipCheck, equipHistory, equipInit, equipMigrate } from './place-commands.ts';

export type {
  StateCheckOptions,
  StateHistoryOptions,
  StateInitOptions,
  StateMigrateOptions,
} from './place-commands.ts';

export type StateListOptions = OptionsOf<typeof listCommand>;
export type StateShowOptions = OptionsOf<typeof showCommand>;
export type StateOrphansOptions = OptionsOf<typeof orphansCommand>;
export type StateResolveOptions = OptionsOf<typeof resolveCommand>;
export type StateUnlockOptions = OptionsOf<typeof unlockCommand>;
export type StatePullOptions = OptionsOf<typeof pullCommand>;
export type StatePushOptions = OptionsOf<typeof pushCommand>;

export function equipState(group: Bare, run: Run): void {
  group.helpCommand('help [command]', 'print the help of a command').addHelpText(
    'after',
    `
Example: almanac state list
Next: almanac state show ADDRESS shows what was applied last.`,
  );
  equipList(group.command('list'), run);
  equipShow(group.command('show'), run);
  equipOrphans(group.command('orphans'), run);
  equipMove(group.command('mv'), run);
  equipRemove(group.command('rm'), run);
  equipPull(group.command('pull'), run);
  equipResolve(group.command('resolve'), run);
  equipUnlock(group.command('unlock'), run);
  equipPush(group.command('push'), run);
  equipHistory(group.command('history'), run);
  equipCheck(group.command('check'), run);
  equipInit(group.command('init'), run);
  equipMigrate(group.command('migrate'), run);
}

/** Which resources of the state. Each option may be repeated; several options select what all of them select. */
function selectingTracked<A extends unknown[], O extends OptionValues>(command: Command<A, O, GlobalOptions>) {
  return command
    .argument('[addresses...]', "such as schedules.weekly-sales or 'schedules.weekly-*'")
    .addOption(
      new Option('--kind <kind>', 'only this kind').choices(kindsInOrder).argParser(choicesListed(kindsInOrder)),
    )
    .option('--dashboard <identifier>', 'only what is about this dashboard', commaListed)
    .option('--recipient <who>', "only what this person or channel receives; '*@partner.com' for a domain", commaListed)
    .addOption(
      new Option('--destination <type>', 'only what is delivered this way')
        .choices(destinations)
        .argParser(choicesListed(destinations)),
    );
}

function listCommand(command: Bare) {
  return selectingTracked(command)
    .description('list what the state tracks')
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state list 'schedules.weekly-*' --destination email
Next: almanac state show ADDRESS.`,
    );
}

function equipList(command: Bare, { world, finish }: Run): void {
  listCommand(command).action(async (addresses, _, self) => {
    const { stateList } = await import('./list.ts');
    finish(await stateList(world, self.optsWithGlobals(), addresses));
  });
}

function showCommand(command: Bare) {
  return selectingTracked(command)
    .description('show resources of the state, or all of it')
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state show schedules.weekly-sales
Next: almanac plan shows where the declarations differ from it.`,
    );
}

function equipShow(command: Bare, { world, finish }: Run): void {
  showCommand(command).action(async (addresses, _, self) => {
    const { stateShow } = await import('./show.ts');
    finish(await stateShow(world, self.optsWithGlobals(), addresses));
  });
}

function orphansCommand(command: Bare) {
  return command
    .description('list schedules that keep running but are no longer tracked')
    .addOption(textOrJson())
    .option('--clear <id>', 'remove this one from the list, after you deleted it in Omni')
    .addHelpText(
      'after',
      `
Example: almanac state orphans
Next: delete them in Omni, then run almanac state orphans --clear ID.`,
    );
}

function equipOrphans(command: Bare, { world, finish }: Run): void {
  orphansCommand(command).action(async (_, self) => {
    const { stateOrphans } = await import('./orphans.ts');
    finish(await stateOrphans(world, self.optsWithGlobals()));
  });
}

function moveCommand(command: Bare) {
  return command
    .description('move a tracked resource to another address')
    .argument('<from>', 'the current address')
    .argument('<to>', 'the new address')
    .addHelpText(
      'after',
      `
Example: almanac state mv schedules.weekly schedules.weekly-sales
Next: give the declaration the same key; almanac plan is then empty.`,
    );
}

function equipMove(command: Bare, { world, finish }: Run): void {
  moveCommand(command).action(async (from, to, _, self) => {
    const { stateMove } = await import('./move.ts');
    finish(await stateMove(world, self.optsWithGlobals(), from, to));
  });
}

function removeCommand(command: Bare) {
  return command
    .description('stop tracking resources; they stay in Omni')
    .argument('<addresses...>', 'such as schedules.weekly-sales')
    .addHelpText(
      'after',
      `
Example: almanac state rm schedules.weekly-sales
Next: remove the declaration as well, or almanac plan creates it again.`,
    );
}

function equipRemove(command: Bare, { world, finish }: Run): void {
  removeCommand(command).action(async (addresses, _, self) => {
    const { stateRemove } = await import('./remove.ts');
    finish(await stateRemove(world, self.optsWithGlobals(), addresses));
  });
}

function pullCommand(command: Bare) {
  return command
    .description('print the state file')
    .option('--serial <n>', 'an earlier state of a shared place', wholeNumber(0))
    .addHelpText(
      'after',
      `
Example: almanac state pull > copy.json
Next: almanac state push FILE restores a copy.`,
    );
}

function equipPull(command: Bare, { world, finish }: Run): void {
  pullCommand(command).action(async (_, self) => {
    const { statePull } = await import('./pull.ts');
    finish(await statePull(world, self.optsWithGlobals()));
  });
}

function resolveCommand(command: Bare) {
  return command
    .description('record what became of a change whose answer was lost')
    .argument('<address>', 'such as schedules.weekly-sales')
    .option('--id <id>', 'the resource exists, with this id')
    .option('--done', 'the change was made, and has no id')
    .option('--retry', 'the change was not made: plan it again')
    .addHelpText(
      'after',
      `
Example: almanac state resolve schedules.weekly-sales --retry
Next: almanac plan.`,
    );
}

function equipResolve(command: Bare, { world, finish }: Run): void {
  resolveCommand(command).action(async (address, _, self) => {
    const { stateResolve } = await import('./resolve.ts');
    finish(await stateResolve(world, self.optsWithGlobals(), address));
  });
}

function unlockCommand(command: Bare) {
  return command
    .description('break a lock that a run left behind')
    .addOption(autoApprove())
    .addHelpText(
      'after',
      `
Example: almanac state unlock
Next: almanac plan shows what is left to do.`,
    );
}

function equipUnlock(command: Bare, { world, finish }: Run): void {
  unlockCommand(command).action(async (_, self) => {
    const { stateUnlock } = await import('./unlock.ts');
    finish(await stateUnlock(world, self.optsWithGlobals()));
  });
}

function pushCommand(command: Bare) {
  return command
    .description('replace the state with a later one')
    .argument('<file>', 'such as errored.state.json')
    .option('--force', 'even if it is not later')
    .addHelpText(
      'after',
      `
Example: almanac state push errored.state.json
Next: almanac plan should show nothing that was already applied.`,
    );
}

function equipPush(command: Bare, { world, finish }: Run): void {
  pushCommand(command).action(async (file, _, self) => {
    const { statePush } = await import('./push.ts');
    finish(await statePush(world, self.optsWithGlobals(), file));
  });
}
