// The user groups of a schedule: which of them an update has to take away or to add, and where in the order of its requests
// that goes. A group that may no longer receive it is taken away before new content goes out. Nobody knows whether a PUT
// keeps groups, so what a schedule has is read after each one, unless the state knows that it has none, and before it where
// groups stay that no plan has named.

import { namesIn, withNames } from '../model/fields/attributes.ts';
import type { OpenChange } from '../model/plan/open-change.ts';
import type { StateResource } from '../model/plan/state.ts';
import {
  isNamedBy,
  type KnownGroups,
  knownGroups,
  mergeGroups,
  type RecordedGroup,
} from '../model/plan/user-groups.ts';
import { equalJson, type JsonObject } from '../model/values/json.ts';
import type { Send } from './calls.ts';

/** What a change means for the user groups of a schedule. */
export interface GroupWork {
  /** As declared, names or ids; none where a sink or another destination replaces them. */
  readonly wanted: readonly string[];
  /** What it has as far as the state, an open change or a look knows. */
  readonly known: KnownGroups;
  /** Those of the state, whose ids count whatever a look has found. */
  readonly recorded: readonly RecordedGroup[];
  /** Those of an open change. */
  readonly open: readonly RecordedGroup[];
  /** Those that an open change found and no plan has named: a PUT of it may have dropped them. */
  readonly found: readonly RecordedGroup[];
  readonly sunk: boolean;
  readonly isEmail: boolean;
  readonly wasEmail: boolean;
}

interface Compared {
  readonly after: JsonObject | undefined;
  /** With what a look has found. */
  readonly prior: StateResource | undefined;
  readonly recorded: StateResource | undefined;
  readonly open: OpenChange | undefined;
  readonly sunk: boolean;
}

/** Undefined where there is nothing to know: what is no longer declared, and what exists without groups and gets none. */
export function groupWork({ after, prior, recorded, open, sunk }: Compared): GroupWork | undefined {
  if (after === undefined) return undefined;
  const isEmail = after['destinationType'] === 'email';
  const { groups, isWhole } = knownGroups(prior);
  const named = mergeGroups(groups, open?.groups?.filter((group) => group.found === undefined) ?? []);
  return {
    wanted: isEmail ? namesIn(after) : [],
    known: { groups: named, isWhole },
    recorded: recorded?.groups ?? [],
    open: open?.groups ?? [],
    found: (open?.groups ?? []).filter(({ id, found }) => found && !named.some((group) => group.id === id)),
    sunk,
    isEmail,
    wasEmail: (prior?.attributes['destinationType'] ?? 'email') === 'email',
  };
}

/** The known groups that are not declared. */
export function leavingGroups({ wanted, known }: GroupWork): readonly RecordedGroup[] {
  return known.groups.filter((group) => !wanted.some((text) => isNamedBy(text, group)));
}

/** Whether it keeps groups that no plan has named, so that a PUT must not lose them. */
export function keepsUnnamed({ isEmail, wasEmail, known, sunk }: GroupWork): boolean {
  return isEmail && wasEmail && !known.isWhole && !sunk;
}

function lacksGroups({ wanted, known }: GroupWork): boolean {
  return wanted.some((text) => !known.groups.some((group) => isNamedBy(text, group)));
}

/** The requests of a change with those for its groups in their places. `isLost`: an earlier update may have been carried out. */
export function withGroupSends(sends: readonly Send[], work: GroupWork, isLost: boolean): readonly Send[] {
  if (sends.includes('post')) {
    if (work.wanted.length === 0) return sends;
    const rest = sends.filter((send) => send !== 'delete');
    return [...rest, 'add', ...sends.slice(rest.length)];
  }
  const puts = sends.includes('put');
  const has = work.known.groups.length + work.found.length + work.wanted.length > 0;
  const mayHave = has || !work.known.isWhole || work.sunk;
  const reads = work.isEmail && ((puts && mayHave) || (isLost && has));
  const lacks = lacksGroups(work);
  const first = sends.filter((send) => send === 'pause');
  const last = sends.filter((send) => send === 'resume');
  const between = sends.filter((send) => send !== 'pause' && send !== 'resume');
  return [
    ...(puts && keepsUnnamed(work) ? (['look'] as const) : []),
    ...first,
    ...(leavingGroups(work).length > 0 ? (['remove'] as const) : []),
    ...between,
    // What else it has is not known, so it is read before anything is recorded.
    ...(reads || (lacks && !work.known.isWhole) ? (['groups'] as const) : lacks ? (['add'] as const) : []),
    ...last,
  ];
}

/** The number of requests if nothing fails. To bring the groups to what is declared takes a read, and an addition where some lack. */
export function requestsOf(sends: readonly Send[], work: GroupWork | undefined): number {
  const adds = sends.includes('groups') && work !== undefined && lacksGroups(work);
  return sends.length + (adds ? 1 : 0);
}

/** Whether what may have been sent was a change of groups and nothing else. */
export function isOnlyGroups(before: JsonObject | undefined, sent: JsonObject): boolean {
  if (before === undefined) return false;
  if (equalJson(namesIn(before), namesIn(sent))) return false;
  return equalJson(withNames(before, []), withNames(sent, []));
}
