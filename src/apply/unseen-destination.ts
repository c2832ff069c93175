// Before a routine changes, the row of its list is known. Where it delivers elsewhere than the state says, and this run has not
// looked, somebody whom no review has shown would get what was approved for others.

import { identities } from '../model/fields/identity.ts';
import type { Address, Kind } from '../model/values/address.ts';
import type { Json } from '../model/values/json.ts';
import { countOf, nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { diffAttributes } from '../plan/difference.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { Rows } from './check-ids.ts';

/** Why updates must not be sent. */
export function unseenDestinations(
  { steps, inputs: { state }, seen }: Pick<Proposal, 'steps' | 'inputs' | 'seen'>,
  rows: Rows,
): readonly Failure[] {
  const changed = steps.flatMap(({ change, calls, adopts }) => {
    const { kind, id = '', address: now, previousAddress: address = now } = change;
    const isChanged = identities[kind].isOwners && calls.some(({ send }) => send === 'patch');
    if (!isChanged || adopts !== undefined || seen?.observed.get(address)?.found) return [];
    const recorded = state?.resources[address]?.attributes['destination'];
    const row = rows.get(id);
    return row !== undefined && isSame(kind, recorded, row.destination) ? [] : [{ address, row }];
  });
  const addressesOf = (of: typeof changed) => of.map(({ address }) => address);
  return [
    ...elsewhere(addressesOf(changed.filter(({ row }) => row !== undefined))),
    ...notListed(addressesOf(changed.filter(({ row }) => row === undefined))),
  ];
}

function elsewhere(addresses: readonly Address[]): readonly Failure[] {
  if (addresses.length === 0) return [];
  const deliver = countOf(addresses.length, 'routine delivers', 'routines deliver');
  const message = `${deliver} elsewhere in Omni than the state says, and the change would go there: ${nameSome(addresses)}.`;
  return [
    new Failure('blocked', message, {
      addresses,
      hint: '`almanac plan --refresh` shows to whom, and `almanac apply --refresh` undoes it; `almanac drift --write` keeps it. Nothing was sent.',
    }),
  ];
}

function notListed(addresses: readonly Address[]): readonly Failure[] {
  if (addresses.length === 0) return [];
  const routines = countOf(addresses.length, 'routine', 'routines');
  const message = `Omni does not list ${routines} of the plan, so nobody knows to whom the change would go: ${nameSome(addresses)}.`;
  return [
    new Failure('blocked', message, {
      addresses,
      hint: '`almanac plan --refresh` shows what exists. Apply the others with --target. Nothing was sent.',
    }),
  ];
}

function isSame(kind: Kind, recorded: Json | undefined, listed: Json | undefined): boolean {
  if (recorded === undefined || listed === undefined) return false;
  return diffAttributes(kind, { destination: recorded }, { destination: listed }).length === 0;
}
