// The first line of a journal, which names the state that its lines continue.

import { ownerOf } from '../model/fields/identity.ts';
import { idKey } from '../model/fields/ids.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import { idsIn, nameIn, namesOf } from '../model/plan/names.ts';
import { openByAddress } from '../model/plan/open-change.ts';
import { keptVersion, type State, trackedAt } from '../model/plan/state.ts';
import { groupBy } from '../model/values/collections.ts';
import { byCodeUnit, type JsonObject } from '../model/values/json.ts';
import type { Service } from '../observe/service.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import type { Proposal } from '../plan/proposal.ts';
import { stateDigest } from '../state/journal-of-state.ts';
import type { ApplyPorts } from './apply-request.ts';

/** `state` is undefined if the journal begins a new state. */
export function journalHeader(
  { state, salt, keying }: Pick<PlanInputs, 'state' | 'salt'> & { readonly keying: Pick<JournalHeader, 'secretKey'> },
  baseUrl: string,
  { randomness, toolVersion }: Pick<ApplyPorts, 'randomness' | 'toolVersion'>,
): JournalHeader {
  const { lineage, serial } = state ?? { lineage: randomness.uuid(), serial: 0 };
  return {
    type: 'header',
    version: keptVersion,
    lineage,
    serial,
    base: state && stateDigest(state),
    baseUrl,
    salt,
    secretKey: keying.secretKey,
    toolVersion,
  };
}

/** The names and the ids of owners that are news to the state, among those that it holds or gets (`recorded`). */
export function namesToRecord(
  state: State | undefined,
  recorded: readonly (JsonObject | undefined)[],
  service: Pick<Service, 'names' | 'members'>,
): Pick<JournalHeader, 'names' | 'owners'> {
  const before = Object.values(state?.resources ?? {}).map(({ attributes }) => attributes);
  const allAttributes = [...before, ...recorded].filter((each) => each !== undefined);
  const [known, heard] = [nameIn(state?.names), nameIn(service.names())];
  const names = namesOf(allAttributes.flatMap(idsIn), (id) => (heard(id) === known(id) ? undefined : heard(id)));
  const { owners = {} } = state ?? {};
  const addresses = new Set(allAttributes.flatMap((attributes) => ownerOf(attributes) ?? []).map(idKey));
  // A member with a new address keeps the old one beside it.
  const ids = new Set(Object.values(owners));
  const news = [...service.members()].filter(
    ([address, id]) => (addresses.has(address) || ids.has(id)) && owners[address] !== id,
  );
  if (news.length === 0) return { names };
  return { names, owners: Object.fromEntries(news.sort(([a], [b]) => byCodeUnit(a, b))) };
}

/**
 * Omni's ids of the dashboards of schedules, as a look found them and the state lacks them. A schedule that is on another dashboard
 * than was applied, or may have been moved by a lost request, would give the id of the wrong one. If somebody moved one between two
 * answers, the schedules of a dashboard have different ids, and it is not known whose is right; both cases are left out.
 */
export function entityIdsSeen({ observation, inputs: { state } }: Proposal): JournalHeader['entityIds'] {
  const open = openByAddress(state);
  const read = [...(observation?.observed ?? [])].flatMap(([address, observed]) => {
    const recorded = trackedAt(state, address);
    if (open.has(address) || recorded?.id === undefined || recorded.entityId !== undefined) return [];
    if (!observed.found || observed.doubt !== undefined || observed.entityId === undefined) return [];
    const { fields, attributes, formerly = attributes['identifier'] } = observed;
    const isSame = fields.has('identifier') && formerly === recorded.attributes['identifier'];
    return isSame ? [{ id: recorded.id, dashboard: formerly, entityId: observed.entityId }] : [];
  });
  const known = [...groupBy(read, ({ dashboard }) => dashboard).values()].filter(
    ([first, ...others]) => !others.some(({ entityId }) => entityId !== first.entityId),
  );
  const ids = known.flat().map(({ id, entityId }) => [id, entityId] as const);
  return ids.length === 0 ? undefined : Object.fromEntries(ids);
}

/** Omni's ids of dashboards by identifier, as this run has read them or else the state has them; none where two schedules disagree. */
export function entityIdsOf({ observation, inputs: { state } }: Proposal): ReadonlyMap<string, string> {
  const read = [...(observation?.observed.values() ?? [])].flatMap((each) => (each.found ? each : []));
  const entityIds = new Map<string, string>();
  for (const each of [Object.values(state?.resources ?? {}), read]) {
    const dashboards = each.flatMap(({ entityId, attributes: { identifier } }) =>
      typeof identifier === 'string' && entityId !== undefined ? { identifier, entityId } : [],
    );
    for (const [identifier, all] of groupBy(dashboards, (dashboard) => dashboard.identifier)) {
      const [id, ...others] = new Set(all.map(({ entityId }) => entityId));
      if (id !== undefined && others.length === 0) entityIds.set(identifier, id);
      else entityIds.delete(identifier);
    }
  }
  return entityIds;
}
