// `offboard --apply`: gives what somebody owns to their successor, after a confirmation, under the lock of the state, so that
// no apply transfers the same schedules at the same time.

import { countOf } from '../../model/values/words.ts';
import { guardedService } from '../../observe/service.ts';
import { currentState, withLock } from '../../state/current-state.ts';
import { requireConfirmed } from '../base/confirm.ts';
import type { Run } from '../base/run.ts';
import { type OffboardInput, ownedIn, type Told } from './ask-omni.ts';
import type { OffboardOptions } from './offboard-command.ts';
import type { Transferred } from './offboard-document.ts';
import { renderToTransfer, renderTransferred } from './offboard-report.ts';
import type { OwnedHere } from './owned-schedules.ts';
import { transferOwned } from './transfer-owned.ts';

/** What became of each; nothing where there is nothing to transfer. */
export async function transferNow(asking: OffboardInput, told: Told): Promise<readonly Transferred[]> {
  const { run, options, session, config, service, reporter } = asking;
  const { successor } = told;
  const { to } = options;
  if (to === undefined || successor === undefined) throw new Error('a transfer without a successor');
  const store = await run.store(session, 'changes');
  const note = (message: string) => reporter.emit({ type: 'note', message });
  const { clock, signal } = run;
  const wait = { command: 'offboard', timeout: 0, clock, signal, onWait: note, onNote: note };
  return withLock(store, wait, async (locked) => {
    const state = currentState(await locked.read(), store.name);
    // Reading who receives what may have taken long.
    const listed = await (await service.api()).listSchedules({}, service.call);
    const owned = ownedIn(asking, { ...told, listed }, state).filter(({ instead }) => instead === undefined);
    if (owned.length === 0) return [];
    await confirm(asking, owned, to);
    const guarded = guardedService(service, locked, config.api.timeout);
    return transferOwned(owned, successor.id, guarded, signal);
  });
}

async function confirm({ run, options, config, email }: OffboardInput, owned: readonly OwnedHere[], to: string) {
  const { quiet, autoApprove } = options;
  if (!quiet || !autoApprove) run.stderr.write(`\n${renderToTransfer(owned, email, to, run.page())}`);
  if (autoApprove) return;
  const question = `Transfer ${countOf(owned.length, 'schedule')} to ${to} at ${config.api.baseUrl ?? ''}?`;
  await requireConfirmed(run, `\n${question}`, { what: 'The transfer was', nothing: 'nothing was transferred' });
}

export function printTransfers(run: Run, options: OffboardOptions, transfers: readonly Transferred[]): void {
  const words =
    transfers.length === 0
      ? 'There is nothing to transfer.\n'
      : renderTransferred(transfers, options.to ?? '', run.page());
  run.stdout.write(`\n${words}`);
}

export type About = Pick<OffboardInput, 'run' | 'options' | 'session' | 'email'>;
