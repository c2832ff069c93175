// `almanac state …`: looks at the state, and mends it.

import type { Command } from 'commander';
import { optionsOf, textOrJson } from './option-values.ts';
import type { Run } from './run.ts';

export function addStateCommands(program: Command, run: Run): void {
  const state = program.command('state').description('look at the state, and mend it');
  for (const add of [addList, addShow, addOrphans, addMove, addRemove, addPull, addResolve, addUnlock, addPush])
    add(state, run);
}

function addList(state: Command, { world, finish }: Run): void {
  state
    .command('list')
    .description('the addresses and ids that the state holds')
    .addOption(textOrJson())
    .action(async (_, command: Command) => {
      const { stateList } = await import('../commands/state/list.ts');
      finish(await stateList(world, optionsOf(command)));
    });
}

function addShow(state: Command, { world, finish }: Run): void {
  state
    .command('show')
    .description('one resource of the state, or all of it')
    .argument('[address]', 'such as schedules.weekly-sales')
    .addOption(textOrJson())
    .action(async (address: string | undefined, _, command: Command) => {
      const { stateShow } = await import('../commands/state/show.ts');
      finish(await stateShow(world, optionsOf(command), address));
    });
}

function addOrphans(state: Command, { world, finish }: Run): void {
  state
    .command('orphans')
    .description('schedules that keep running and are no longer tracked')
    .addOption(textOrJson())
    .option('--clear <id>', 'take one from the list, once it was removed in Omni')
    .action(async (_, command: Command) => {
      const { stateOrphans } = await import('../commands/state/orphans.ts');
      finish(await stateOrphans(world, optionsOf(command)));
    });
}

function addMove(state: Command, { world, finish }: Run): void {
  state
    .command('mv')
    .description('give a tracked resource another address')
    .argument('<from>', 'the address until now')
    .argument('<to>', 'the address from now on')
    .action(async (from: string, to: string, _, command: Command) => {
      const { stateMove } = await import('../commands/state/move.ts');
      finish(await stateMove(world, optionsOf(command), from, to));
    });
}

function addRemove(state: Command, { world, finish }: Run): void {
  state
    .command('rm')
    .description('stop tracking resources; what exists in Omni stays')
    .argument('<addresses...>', 'such as schedules.weekly-sales')
    .action(async (addresses: string[], _, command: Command) => {
      const { stateRemove } = await import('../commands/state/remove.ts');
      finish(await stateRemove(world, optionsOf(command), addresses));
    });
}

function addPull(state: Command, { world, finish }: Run): void {
  state
    .command('pull')
    .description('print the state as it is')
    .action(async (_, command: Command) => {
      const { statePull } = await import('../commands/state/pull.ts');
      finish(await statePull(world, optionsOf(command)));
    });
}

function addResolve(state: Command, { world, finish }: Run): void {
  state
    .command('resolve')
    .description('say what became of a change whose answer was lost')
    .argument('<address>', 'such as schedules.weekly-sales')
    .option('--id <id>', 'it is there, with this id')
    .option('--done', 'it was done, and has no id')
    .option('--retry', 'it was not done: plan it again')
    .action(async (address: string, _, command: Command) => {
      const { stateResolve } = await import('../commands/state/resolve.ts');
      finish(await stateResolve(world, optionsOf(command), address));
    });
}

function addUnlock(state: Command, { world, finish }: Run): void {
  state
    .command('unlock')
    .description('break the lock that a run has left')
    .option('--auto-approve', 'do not ask')
    .action(async (_, command: Command) => {
      const { stateUnlock } = await import('../commands/state/unlock.ts');
      finish(await stateUnlock(world, optionsOf(command)));
    });
}

function addPush(state: Command, { world, finish }: Run): void {
  state
    .command('push')
    .description('put a later state in place of the present one')
    .argument('<file>', 'such as errored.state.json')
    .option('--force', 'also where it is not a later one')
    .action(async (file: string, _, command: Command) => {
      const { statePush } = await import('../commands/state/push.ts');
      finish(await statePush(world, optionsOf(command), file));
    });
}
