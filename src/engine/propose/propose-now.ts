// A proposal for the state as it is now, made without the lock: what plan and drift print.

import type { Randomness } from '../../ports/randomness.ts';
import type { StateStore } from '../../ports/state-store.ts';
import type { Loaded } from '../load/load.ts';
import { checkSameOrganization, stateForPlan } from '../state/current-state.ts';
import { makeBasis } from './basis.ts';
import { type PlanPorts, type PlanRequest, type Proposal, propose } from './propose.ts';

export interface PlanNowPorts extends PlanPorts {
  readonly store: StateStore;
  readonly randomness: Randomness;
}

/** Throws what propose throws, and Failure state-conflict where the state is another organization's. */
export async function proposeNow(loaded: Loaded, request: PlanRequest, ports: PlanNowPorts): Promise<Proposal> {
  const { store, randomness } = ports;
  const { state, findings } = await stateForPlan(store);
  const basis = { ...(await makeBasis(loaded, state, randomness)), findings };
  checkSameOrganization(state, basis.config.api.baseUrl, store.name);
  return propose(request, basis, ports);
}
