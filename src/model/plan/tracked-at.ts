// What the state tracks at an address. Addresses come from command lines, so one may be the name of a property that every
// object inherits.

import type { Address } from '../values/address.ts';
import type { State, StateResource } from './state.ts';

export function trackedAt(state: Pick<State, 'resources'> | undefined, address: Address): StateResource | undefined {
  return state !== undefined && Object.hasOwn(state.resources, address) ? state.resources[address] : undefined;
}
