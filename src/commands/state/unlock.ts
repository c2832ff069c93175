// `almanac state unlock`: breaks a lock that a run left behind, after a confirmation.

import type { LockInfo } from '../../ports/state-store.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateUnlockOptions } from './command.ts';

const withoutTerminal = 'If no run is using the lock, break it with --auto-approve.';

export async function stateUnlock(world: World, options: StateUnlockOptions): Promise<number> {
  const { store } = await openStateAlone(world, options, 'changes');
  const name = safeText(store.name);
  const held = await store.lockHolder();
  if (held !== undefined && !options.autoApprove) {
    const lock = `${name}${wordsOf(held.holder)}`;
    if (world.ask === undefined) throw noTerminal(`the lock of ${lock} was left`, withoutTerminal);
    const question = `Break the lock of ${lock}? An apply that is still running would no longer be protected.`;
    if (!(await isConfirmed(world, question))) return 1;
  }
  const broken = await store.unlock();
  world.stdout.write(
    broken === undefined
      ? `${name} is not locked.\n`
      : `The lock of ${name}${wordsOf(broken.holder)}${broken.holder ? ',' : ''} is broken.\n`,
  );
  return 0;
}

function wordsOf(holder: LockInfo | undefined): string {
  if (holder === undefined) return '';
  const { who, host, pid, command, since, runUrl } = holder;
  const run = runUrl === undefined ? '' : `, run ${safeText(runUrl)}`;
  return `, held by ${safeText(who)} on ${safeText(host)} (process ${pid}, ${safeText(command)}) since ${safeText(since)}${run}`;
}
