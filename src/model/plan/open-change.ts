// Changes that earlier requests may have carried out: their answers are missing. Tells which of them the next run can
// find out by itself, which it sends again, and which only a person can settle.

import { identities, recordedName } from '../fields/identity.ts';
import type { IdentityOfRow } from '../service/recognise-rows.ts';
import { type Address, kindAt, kinds } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Operations } from '../workspace/config.ts';
import { type Action, actions } from './action.ts';
import type { State, Unresolved } from './state.ts';

/** A change with an unknown outcome. */
export interface OpenChange extends Unresolved {
  readonly action: Action;
}

/** The changes of a state that are unresolved: all that a plan, an apply or an import may know of. */
export function openChanges(state: Pick<State, 'unresolved'> | undefined): readonly OpenChange[] {
  return state?.unresolved.filter((open): open is OpenChange => open.action !== 'trigger') ?? [];
}

const known = new WeakMap<State['unresolved'], ReadonlyMap<Address, OpenChange>>();

/** The open changes by address, one each; made once for a state, whoever asks for each of its changes. */
export function openByAddress(state: Pick<State, 'unresolved'> | undefined): ReadonlyMap<Address, OpenChange> {
  const { unresolved = [] } = state ?? {};
  const found = known.get(unresolved);
  if (found !== undefined) return found;
  const made = new Map(openChanges({ unresolved }).map((open) => [open.address, open]));
  known.set(unresolved, made);
  return made;
}

/** All that was sent by requests with an unknown outcome: the last one first. */
export function allSent({ attributes, earlier = [] }: Unresolved): readonly JsonObject[] {
  return attributes === undefined ? earlier : [attributes, ...earlier];
}

/** The part of it that concerns what is tracked at the address: a create makes something else. */
export function sentToTracked(open: Unresolved | undefined): readonly JsonObject[] {
  if (open === undefined || open.action === 'trigger') return [];
  return actions[open.action].posts ? (open.earlier ?? []) : allSent(open);
}

/** The names, and the dashboards or models, in what was sent to it. */
export function sentNames(open: Unresolved | undefined): readonly IdentityOfRow[] {
  return sentToTracked(open).map((attributes) => recordedName(kindAt(open?.address ?? ''), { attributes }));
}

/** The change that stays open if this one was not carried out: all updates before it, as one; none if there was none. */
export function openBefore({ address, since, groups, earlier = [] }: Unresolved): readonly OpenChange[] {
  const [attributes, ...others] = earlier;
  if (attributes === undefined) return [];
  return [{ address, action: 'update', since, attributes, groups, earlier: others.length > 0 ? others : undefined }];
}

/** True if a change with an unknown outcome can safely be repeated. A POST never can. */
export function mayBeRepeated({ address, action }: OpenChange): boolean {
  return kinds[kindAt(address)].life === 'settings' || !actions[action].posts;
}

/** True if the service's list shows, with operations full, that the change was carried out. */
export function mayBeFound({ address, action }: Pick<OpenChange, 'address' | 'action'>): boolean {
  return identities[kindAt(address)].listedBy !== undefined && actions[action].findable === true;
}

/** True if an apply finds out by itself, before anything else, what became of a change with an unknown outcome. */
export function isLookedFor(open: Pick<OpenChange, 'address' | 'action'>, operations: Operations): boolean {
  return operations === 'full' && mayBeFound(open);
}
