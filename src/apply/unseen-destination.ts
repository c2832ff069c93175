// Before a routine changes, the row of its list is known. Where it delivers elsewhere than the state says, and this run has not
// looked, somebody whom no review has shown would get what was approved for others.

import { identities } from '../model/fields/identity.ts';
import type { Kind } from '../model/values/address.ts';
import type { Json } from '../model/values/json.ts';
import { countOf, nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { diffAttributes } from '../plan/difference.ts';
import type { Rows } from './check-ids.ts';
import type { Proposal } from './propose/propose.ts';

/** Why updates must not be sent. */
export function unseenDestinations(
  { steps, basis: { state }, observation }: Pick<Proposal, 'steps' | 'basis' | 'observation'>,
  rows: Rows,
): readonly Failure[] {
  const unseen = steps.flatMap(({ change, calls, adopts }) => {
    const { kind, id = '', address: now, previousAddress: address = now } = change;
    const row = rows.get(id);
    const isChanged = identities[kind].isOwners && calls.some(({ send }) => send === 'patch');
    if (!isChanged || adopts !== undefined || row === undefined || observation?.observed.get(address)?.found) return [];
    const recorded = state?.resources[address]?.attributes['destination'];
    return isSame(kind, recorded, row.destination) ? [] : [address];
  });
  if (unseen.length === 0) return [];
  const deliver = countOf(unseen.length, 'routine delivers', 'routines deliver');
  const message = `${deliver} elsewhere in Omni than the state says, and the change would go there: ${nameSome(unseen)}.`;
  return [
    new Failure('blocked', message, {
      addresses: unseen,
      hint: '`almanac plan --refresh` shows to whom, and `almanac apply --refresh` undoes it; `almanac drift --write` keeps it. Nothing was sent.',
    }),
  ];
}

function isSame(kind: Kind, recorded: Json | undefined, listed: Json | undefined): boolean {
  if (recorded === undefined || listed === undefined) return false;
  return diffAttributes(kind, { destination: recorded }, { destination: listed }).length === 0;
}
