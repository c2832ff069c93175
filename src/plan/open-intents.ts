// What earlier applies left open, by the resources that it concerns now.

import { identities, namedOf } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import { mayBeRepeated, type OpenChange } from '../model/plan/open-change.ts';
import { type Address, type Kind, kindAt } from '../model/values/address.ts';
import { canonicalJson, type JsonObject } from '../model/values/json.ts';
import type { Decision } from './decide.ts';
import type { Match } from './match.ts';

/**
 * What an earlier apply left open, by the resource that it concerns now: an entry moves with its resource, and an entry
 * whose resource is no longer declared or tracked must be listed on its own, or it would disappear.
 */
export interface OpenIntents {
  /** The entry about this resource; if there are two, the one that blocks. */
  of(match: Match): OpenChange | undefined;
  /**
   * An entry, of any address, whose POST would have made what this change makes: the key of a declaration may have
   * changed since, and the request would be sent a second time.
   */
  twinOf(decision: Decision, kind: Kind, after: JsonObject | undefined): OpenChange | undefined;
  /** Entries that cannot be repeated and whose resource is no longer declared or tracked. */
  readonly left: readonly OpenChange[];
}

const none: OpenIntents = { of: () => undefined, twinOf: () => undefined, left: [] };

export function openIntents(unresolved: readonly OpenChange[], matches: readonly Match[]): OpenIntents {
  if (unresolved.length === 0) return none;
  const byAddress = new Map(unresolved.map((entry) => [entry.address, entry]));
  const movedFrom = new Set(matches.flatMap(({ moved }) => moved?.from ?? []));
  const about = ({ address, moved }: Match): readonly OpenChange[] =>
    (moved === undefined ? [] : [moved.from])
      .concat(movedFrom.has(address) ? [] : [address])
      .flatMap((each) => byAddress.get(each) ?? []);
  const known = new Set<Address>(matches.flatMap((match) => about(match).map(({ address }) => address)));
  const posted = unresolved.filter((entry) => !mayBeRepeated(entry));
  const byContent = new Map(
    posted.map((entry) => {
      const kind = kindAt(entry.address);
      return [identityOf(kind, entry.attributes ?? named(kind, entry)), entry];
    }),
  );
  return {
    of: (match) => {
      const entries = about(match);
      return entries.find((entry) => !mayBeRepeated(entry)) ?? entries[0];
    },
    twinOf: ({ action }, kind, after) =>
      byContent.size === 0 || after === undefined || action === 'no-op' || !actions[action].posts
        ? undefined
        : byContent.get(identityOf(kind, after)),
    left: posted.filter(({ address }) => !known.has(address)),
  };
}

/** What identifies a posted resource: what a list would call it and who owns it where that matters, or all of it. */
function identityOf(kind: Kind, attributes: JsonObject): string {
  const list = namedOf(kind, attributes);
  if (list === undefined) return canonicalJson([kind, attributes]);
  const owner = identities[kind].isOwners ? [attributes['owner'] ?? null] : [];
  return canonicalJson([kind, list.identifier ?? null, list.name ?? null, ...owner]);
}

function named(kind: Kind, { identifier, name }: OpenChange): JsonObject {
  const { on = 'identifier' } = identities[kind].listedBy ?? {};
  return { ...(identifier === undefined ? {} : { [on]: identifier }), ...(name === undefined ? {} : { name }) };
}
