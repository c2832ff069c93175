// An apply from the lock to the written state, in its order: read, check what the files alone refuse, find out what
// became of lost requests, propose, refuse, look at what is adopted, confirm, execute. All that is asked for this is asked
// before the question, which says what it takes. Nothing that is refused has changed anything.

import { guardedService } from '../observe/service.ts';
import { type Basis, configOf, makeBasis, withState } from '../plan/inputs.ts';
import { type Proposal, propose } from '../plan/proposal.ts';
import { planOf, selectionOf } from '../plan/selection.ts';
import { checkSameOrganization, lockWait, settledState, withLock } from '../state/current-state.ts';
import type { LockedStore } from '../state/state-store.ts';
import type { Applied, ApplyPorts, ApplyRequest } from './apply-request.ts';
import { checkSecretsSent, noteLeft, noteNotCompared, noteRotated, noteToken } from './check-before-asking.ts';
import { execute } from './execute.ts';
import { observeAdopted } from './observe-adopted.ts';
import { needsRecovery, recover } from './recover.ts';
import { costOf, refuse } from './refusals.ts';
import { finishedByApply, outcomeOf } from './results.ts';

export function apply(request: ApplyRequest, ports: ApplyPorts): Promise<Applied> {
  return withLock(ports.store, lockWait('apply', request.lockTimeout, ports), (locked) =>
    applyLocked(request, locked, ports),
  );
}

async function applyLocked(request: ApplyRequest, locked: LockedStore, outside: ApplyPorts): Promise<Applied> {
  const config = configOf(request.loaded);
  const ports = { ...outside, service: guardedService(outside.service, locked, config.api.timeout) };
  const { store, service, randomness } = ports;
  const recorded = await settledState(locked, ports);
  const behind = await ports.checkout?.behind(recorded);
  if (behind !== undefined) ports.reporter.emit({ type: 'note', message: behind });
  checkSameOrganization(recorded, config.api.baseUrl, store.name);
  const before = await makeBasis(request.loaded, recorded, randomness, resendsSecrets(request));
  const selection = selectionOf(request, before);
  // Before the service is asked anything, and again with what its answers add to the plan.
  const { value, part } = planOf(before, selection);
  checkSecretsSent(request, value.steps, part, ports);
  const basis = await settleLost(before, locked, ports);
  const proposal = await propose(request, basis, ports, selection);
  const { document } = proposal;
  checkSecretsSent(request, proposal.steps, proposal.part, ports);
  noteNotCompared(request.loaded, selection, basis, ports);
  const { expectChanges } = request;
  const { existing, listed, makers, groups } = await refuse(proposal, request, ports);
  if (proposal.part !== undefined) noteLeft(proposal.part, ports);
  const undone = { plan: document, state: basis.state };
  if (document.changes.length === 0) return { ...undone, document: outcomeOf(document, [], basis.state) };
  const looked = await observeAdopted(proposal, listed, makers, ports);
  noteToken(document, request.loaded, ports);
  if (expectChanges !== undefined) noteRotated(document, ports);
  if (!(await ports.confirm(document, costOf(document, service)))) return undone;
  const options = { failFast: request.failFast, isWhole: isWhole(proposal), existing, makers, groups };
  const applied = await execute(looked, options, locked, ports);
  return { ...applied, finished: finishedByApply(before, applied.state) };
}

/** Whether the plan covers the whole workspace and what it declares. */
function isWhole({ selection: { targets, refresh }, part }: Proposal): boolean {
  return targets === undefined && !refresh?.only && (part === undefined || part.left.length === 0);
}

/** Not where the whole plan must be the one that was reviewed, nor where only the state is to change. */
function resendsSecrets({ saved, expect, refresh }: ApplyRequest): boolean {
  return saved === undefined && expect === undefined && !refresh?.only;
}

/**
 * With operations full, the service is asked what became of the requests whose answers were lost. What was found out is
 * written, even if the rest is refused.
 */
async function settleLost(basis: Basis, locked: LockedStore, ports: ApplyPorts): Promise<Basis> {
  const { state, config } = basis;
  if (state === undefined || config.api.operations !== 'full' || !needsRecovery(state)) return basis;
  const recovered = await recover(state, ports);
  const settled = recovered.state === state ? state : { ...recovered.state, serial: state.serial + 1 };
  if (settled !== state) await locked.commit(settled);
  if (recovered.refusal !== undefined) throw recovered.refusal;
  return withState(basis, settled);
}
