// An apply from the lock to the written state, in its order: read, check what the files alone refuse, find out what became
// of lost requests, propose, refuse, confirm, execute. Nothing that is refused has changed anything.

import type { State } from '../../model/plan/state.ts';
import type { LockedStore } from '../../ports/state-store.ts';
import { type Basis, configOf, makeBasis, withState } from '../propose/basis.ts';
import { propose } from '../propose/propose.ts';
import { selectMatches } from '../propose/selection.ts';
import { checkSameOrganization, currentState } from '../state/current-state.ts';
import { waitForLock } from '../state/wait-for-lock.ts';
import type { Applied, ApplyPorts, ApplyRequest } from './apply-request.ts';
import { checkSecrets } from './check-secrets.ts';
import { executePlan, outcomeOf } from './execute-plan.ts';
import { noteUserIds } from './note-user-ids.ts';
import { needsRecovery, recover } from './recover.ts';
import { costOf, refuse } from './refusals.ts';

export async function apply(request: ApplyRequest, ports: ApplyPorts): Promise<Applied> {
  const locked = await lock(request, ports);
  try {
    const state = await readState(request, locked, ports);
    const declared = await makeBasis(request.loaded, state, ports.randomness);
    checkSecretsOf(request, declared, ports);
    const basis = await settleLost(declared, locked, ports);
    const proposal = await propose(request, basis, ports);
    await refuse(proposal, request, ports);
    const { document } = proposal;
    noteUserIds(document, ports);
    const undone = { plan: document, state: basis.state };
    if (document.changes.length === 0) return { ...undone, document: outcomeOf(document, [], basis.state) };
    if (!(await ports.confirm(document, costOf(document, ports.service)))) return undone;
    return await executePlan(proposal, request, locked, ports);
  } finally {
    await locked.release();
  }
}

async function lock(
  { lockTimeout }: ApplyRequest,
  { store, clock, signal, reporter }: ApplyPorts,
): Promise<LockedStore> {
  const onWait = (why: string) => reporter.emit({ type: 'waiting', seconds: lockTimeout, why });
  const locked = await waitForLock(store, { command: 'apply', timeout: lockTimeout, clock, signal, onWait });
  for (const message of locked.notes) reporter.emit({ type: 'note', message });
  return locked;
}

/** The state, with what an interrupted apply left in its journal written into it. */
async function readState(
  { loaded }: ApplyRequest,
  locked: LockedStore,
  { store }: ApplyPorts,
): Promise<State | undefined> {
  const { api } = configOf(loaded);
  const stored = await locked.read();
  const state = currentState(stored, store.name);
  if (stored.journal !== undefined) await locked.commit(state);
  checkSameOrganization(state, api.baseUrl, store.name);
  return state;
}

/** A plan of the state alone sends no secret. */
function checkSecretsOf(
  { loaded, saved, refresh, targets }: ApplyRequest,
  basis: Basis,
  { environment }: ApplyPorts,
): void {
  if ((saved === undefined ? refresh : saved.refresh)?.only) return;
  const about = saved?.changes ?? (targets && selectMatches(basis, targets));
  checkSecrets(
    loaded,
    environment,
    about?.map(({ address }) => address),
  );
}

/** With operations full, the service is asked what became of the requests whose answers were lost. */
async function settleLost(basis: Basis, locked: LockedStore, ports: ApplyPorts): Promise<Basis> {
  const { state, config } = basis;
  if (state === undefined || config.api.operations !== 'full' || !needsRecovery(state)) return basis;
  const settled = { ...(await recover(state, basis, ports)), serial: state.serial + 1 };
  await locked.commit(settled);
  return withState(basis, settled);
}
