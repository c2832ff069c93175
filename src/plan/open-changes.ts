// Changes that earlier applies left open, by resource, and why new changes wait.

import { identities, namedOf, onWordsOf } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import { isLookedFor, mayBeRepeated, type OpenChange } from '../model/plan/open-change.ts';
import type { Change } from '../model/plan/plan.ts';
import { type Address, type Kind, kindAt } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { canonicalJson, type JsonObject } from '../model/values/json.ts';
import type { Operations } from '../model/workspace/config.ts';
import type { Decision, Facts } from './decide.ts';
import type { Match } from './match.ts';

/**
 * The changes that an earlier apply left open, by the resources that they concern now: an entry moves with its resource, and an
 * entry whose resource is no longer declared or tracked must be listed on its own, or it would disappear.
 */
export interface OpenIntents {
  /** The entry about this resource; if there are two, the one that blocks. */
  of(match: Match): OpenChange | undefined;
  /**
   * An entry, of any address, whose POST would have made what this change makes: the key of a declaration may have
   * changed since, and the request would be sent a second time.
   */
  samePostOpen(decision: Decision, kind: Kind, after: JsonObject | undefined): OpenChange | undefined;
  /** Entries that cannot be repeated and whose resource is no longer declared or tracked. */
  readonly remaining: readonly OpenChange[];
}

const none: OpenIntents = { of: () => undefined, samePostOpen: () => undefined, remaining: [] };

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
    samePostOpen: ({ action }, kind, after) =>
      byContent.size === 0 || after === undefined || action === 'no-op' || !actions[action].posts
        ? undefined
        : byContent.get(identityOf(kind, after)),
    remaining: posted.filter(({ address }) => !known.has(address)),
  };
}

/** Identifies a posted resource: by its name in a list, and by its owner if that matters, or by all of it. */
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

/** The reasons why changes stay open, by their address, for which an apply has looked in Omni. */
export type Unsettled = ReadonlyMap<Address, string>;

/**
 * Blocks the change at `at` after a POST whose answer was lost: only Omni knows if it was carried out. With operations full an apply
 * looks first, and then leaves only the changes that would make the same.
 */
export function blockedByUnresolved(
  open: OpenChange,
  at: Address,
  { operations, unsettled }: { readonly operations: Operations; readonly unsettled: Unsettled | undefined },
): Pick<Change, 'blocked' | 'lookedFor' | 'left'> {
  const { address, action, name, identifier, since } = open;
  const what =
    name === undefined
      ? address
      : `"${name}"${identifier === undefined ? '' : ` on the ${onWordsOf(kindAt(address))} ${identifier}`}`;
  const done = action === 'run' ? ['--done'] : ['--id', 'ID'];
  const sent = `An earlier apply was to send this change at ${since}, and no answer is known, so it may have been carried out.`;
  const ways = `if it is there, run \`${command('state resolve', address, ...done)}\`; if it is not, run \`${command('state resolve', address, '--retry')}\`.`;
  if (operations === 'full' && unsettled !== undefined) {
    const why = unsettled.get(address) ?? `${sent} Check in Omni for ${what}: ${ways}`;
    return { left: at === address ? why : `It would make the same as ${address}, and waits for that. ${why}` };
  }
  return isLookedFor(open, operations)
    ? {
        blocked: `${sent} \`${command('apply')}\` looks in Omni for ${what} before anything else, and goes on. Only if that is refused, check by hand: ${ways}`,
        lookedFor: true,
      }
    : { blocked: `${sent} Check in Omni for ${what}: ${ways}` };
}

/** Blocks after a lost answer to a PUT or DELETE that operations core cannot repeat: a plan of the state alone would forget it. */
export function blockedByOpenUpdate(
  { action, sends }: Decision,
  { kind, prior, uncertain, operations }: Facts,
  open: OpenChange | undefined,
): string | undefined {
  // Operations core have all requests of every other kind, or not one.
  const isForgotten = uncertain && kind === 'schedule' && prior === 'tracked' && action === 'update' && !sends;
  if (!isForgotten || operations !== 'core' || open === undefined) return undefined;
  const { address, since } = open;
  return (
    `An earlier apply with operations full sent ${open.action === 'delete' ? 'its deletion' : 'an update of it'} at ${since} and the answer was lost; operations core cannot send it again. ` +
    `Apply with operations full, or check in Omni: if it was carried out, run \`${command('state resolve', address, '--done')}\`; if it was not, run \`${command('state resolve', address, '--retry')}\`.`
  );
}
