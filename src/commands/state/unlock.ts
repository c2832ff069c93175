// `almanac state unlock`: breaks the lock that a run has left, after a confirmation.

import { Failure } from '../../model/workspace/failure.ts';
import type { LockInfo } from '../../ports/state-store.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateUnlockOptions } from './command.ts';

export async function stateUnlock(world: World, options: StateUnlockOptions): Promise<number> {
  const { store } = await openStateAlone(world, options);
  const name = safeText(store.name);
  const held = await store.lockHolder();
  if (held !== undefined && !options.autoApprove && !(await confirm(world, `${name}${wordsOf(held.holder)}`))) return 1;
  const broken = await store.unlock();
  world.stdout.write(
    broken === undefined
      ? `${name} is not locked.\n`
      : `The lock of ${name}${wordsOf(broken.holder)}${broken.holder ? ',' : ''} is broken.\n`,
  );
  return 0;
}

/** Only `yes` is a yes. `lock` says whose it is. */
async function confirm(world: World, lock: string): Promise<boolean> {
  if (world.ask === undefined) {
    throw new Failure('usage', `There is no terminal to ask on, so the lock of ${lock} was left.`, {
      hint: 'Use --auto-approve when nothing is running that holds the lock.',
    });
  }
  const answer = await world.ask(
    `Break the lock of ${lock}? An apply that still runs would no longer be protected. Only yes is accepted: `,
  );
  return answer?.trim() === 'yes';
}

function wordsOf(holder: LockInfo | undefined): string {
  if (holder === undefined) return '';
  const { who, host, pid, command, since, runUrl } = holder;
  const run = runUrl === undefined ? '' : `, its run ${safeText(runUrl)}`;
  return `, held by ${safeText(who)} on ${safeText(host)} (process ${pid}, ${safeText(command)}) since ${safeText(since)}${run}`;
}
