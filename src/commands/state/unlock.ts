// `almanac state unlock`: breaks a lock that a run left behind, after a confirmation.

import type { HeldLock, StateStore } from '../../ports/state-store.ts';
import { lockText, secondsWords } from '../../render/state/run-words.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import type { Run } from '../base/run.ts';
import type { StateUnlockOptions } from './command.ts';

const withoutTerminal = 'If no run is using the lock, break it with --auto-approve.';

export async function stateUnlock(run: Run, options: StateUnlockOptions): Promise<number> {
  const store = await run.storeAlone('changes');
  const name = safeText(store.name);
  const held = await store.lockHolder();
  if (held !== undefined && !options.autoApprove) {
    const lock = `${name}${lockText(held.holder)}`;
    if (run.asker() === undefined) throw noTerminal(`the lock of ${lock} was left`, withoutTerminal);
    const question = `Break the lock of ${lock}? ${leaseWords(held)}${consequence(store)}`;
    if (!(await isConfirmed(run, question))) return 1;
  }
  const broken = await store.unlock();
  run.stdout.write(
    broken === undefined
      ? `${name} is not locked.\n`
      : `The lock of ${name}${lockText(broken.holder)}${broken.holder ? ',' : ''} is broken.\n`,
  );
  return 0;
}

/** A lease ends by itself, so breaking the lock only saves the wait. */
function leaseWords({ isDead, expiresIn }: HeldLock): string {
  if (expiresIn === undefined) return '';
  if (isDead || expiresIn <= 0) return 'Its lease is over, so the next run takes it over by itself. ';
  return `If its run gives no sign, its lease is over in ${secondsWords(expiresIn)} and the next run takes it over by itself. `;
}

/** A run that lost the lock of a shared place can write nothing more there, but what it sent may still take effect. */
function consequence({ shared }: StateStore): string {
  if (shared === undefined) return 'An apply that is still running would no longer be protected.';
  return 'An apply that is still running writes nothing more and sends nothing more once it notices; what it sent last may be carried out twice.';
}
