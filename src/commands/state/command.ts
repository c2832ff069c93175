// The options of `almanac state …`.

import { autoApprove, type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';

export type StateListOptions = OptionsOf<typeof listCommand>;
export type StateShowOptions = OptionsOf<typeof showCommand>;
export type StateOrphansOptions = OptionsOf<typeof orphansCommand>;
export type StateResolveOptions = OptionsOf<typeof resolveCommand>;
export type StateUnlockOptions = OptionsOf<typeof unlockCommand>;
export type StatePushOptions = OptionsOf<typeof pushCommand>;

export function equipState(group: Bare, run: Run): void {
  group.addHelpText(
    'after',
    `
Example: almanac state list
Next: almanac state show ADDRESS says what was applied last.`,
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
}

function listCommand(command: Bare) {
  return command
    .description('the addresses and ids that the state holds')
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state list
Next: almanac state show ADDRESS.`,
    );
}

function equipList(command: Bare, { world, finish }: Run): void {
  listCommand(command).action(async (_, self) => {
    const { stateList } = await import('./list.ts');
    finish(await stateList(world, self.optsWithGlobals()));
  });
}

function showCommand(command: Bare) {
  return command
    .description('one resource of the state, or all of it')
    .argument('[address]', 'such as schedules.weekly-sales')
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac state show schedules.weekly-sales
Next: almanac plan shows where the declarations differ from it.`,
    );
}

function equipShow(command: Bare, { world, finish }: Run): void {
  showCommand(command).action(async (address, _, self) => {
    const { stateShow } = await import('./show.ts');
    finish(await stateShow(world, self.optsWithGlobals(), address));
  });
}

function orphansCommand(command: Bare) {
  return command
    .description('schedules that keep running and are no longer tracked')
    .addOption(textOrJson())
    .option('--clear <id>', 'take one from the list, once it was removed in Omni')
    .addHelpText(
      'after',
      `
Example: almanac state orphans
Next: remove them in Omni, then almanac state orphans --clear ID.`,
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
    .description('give a tracked resource another address')
    .argument('<from>', 'the address until now')
    .argument('<to>', 'the address from now on')
    .addHelpText(
      'after',
      `
Example: almanac state mv schedules.weekly schedules.weekly-sales
Next: give the declaration the same key; almanac plan is empty then.`,
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
    .description('stop tracking resources; what exists in Omni stays')
    .argument('<addresses...>', 'such as schedules.weekly-sales')
    .addHelpText(
      'after',
      `
Example: almanac state rm schedules.weekly-sales
Next: take the declaration out as well, or almanac plan creates it again.`,
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
    .description('print the state as it is')

    .addHelpText(
      'after',
      `
Example: almanac state pull > copy.json
Next: almanac state push FILE puts one back.`,
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
    .description('say what became of a change whose answer was lost')
    .argument('<address>', 'such as schedules.weekly-sales')
    .option('--id <id>', 'it is there, with this id')
    .option('--done', 'it was done, and has no id')
    .option('--retry', 'it was not done: plan it again')
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
    .description('break the lock that a run has left')
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
    .description('put a later state in place of the present one')
    .argument('<file>', 'such as errored.state.json')
    .option('--force', 'also where it is not a later one')
    .addHelpText(
      'after',
      `
Example: almanac state push errored.state.json
Next: almanac plan, which should show nothing that was applied.`,
    );
}

function equipPush(command: Bare, { world, finish }: Run): void {
  pushCommand(command).action(async (file, _, self) => {
    const { statePush } = await import('./push.ts');
    finish(await statePush(world, self.optsWithGlobals(), file));
  });
}
