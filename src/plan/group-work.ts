// The user groups of a schedule: which ones a change wants, which of those that are known it takes away, and which it lacks.
// What requests that takes, requests.ts says.

import { groupIdIn, isGroupId } from '../model/fields/ids.ts';
import type { OpenChange } from '../model/plan/open-change.ts';
import type { StateResource } from '../model/plan/state.ts';
import {
  type GroupsInOmni,
  groupNamed,
  groupNow,
  isReplaced,
  mergeGroups,
  type RecordedGroup,
  takenWords,
} from '../model/plan/user-groups.ts';
import type { JsonObject } from '../model/values/json.ts';
import { userGroupsIn } from '../model/workspace/resource.ts';

/** The effect of a change on the user groups of a schedule. */
export interface GroupWork {
  /** The declared names or ids; empty if a sink or another destination replaces them. */
  readonly declared: readonly string[];
  /** The groups that it has according to a look, or else the state, and those that an open change may have sent to. */
  readonly inOmni: readonly RecordedGroup[];
  /** The groups whose ids count for declared names: of the state, of an open change and of a look. */
  readonly onRecord: readonly RecordedGroup[];
  /** The declared names of groups that are gone from Omni, where a look has found another group of that name. */
  readonly replaced?: readonly string[];
  /** Names and ids that are no longer declared and of which no group is known, as after an adoption: a group with one of them leaves. */
  readonly unmatched: readonly string[];
  /** The names as of the last apply or look. */
  readonly lastApplied: readonly string[];
  /** True if it delivers to a sink, which takes the place of all groups. */
  readonly toSink: boolean;
}

interface GroupVersions {
  readonly after: JsonObject | undefined;
  /** The state's record, updated by what a look has found. */
  readonly prior: StateResource | undefined;
  readonly recorded: StateResource | undefined;
  readonly open: OpenChange | undefined;
  /** The groups that a look has seen. */
  readonly received: GroupsInOmni | undefined;
  readonly sunk: boolean;
}

/** Returns undefined for a resource that is no longer declared. */
export function groupWork(versions: GroupVersions): GroupWork | undefined {
  const { after, prior, recorded, open, received, sunk: toSink } = versions;
  if (after === undefined) return undefined;
  const ofAll = mergeGroups(mergeGroups(recorded?.groups ?? [], open?.groups ?? []), prior?.groups ?? []);
  const isThere = (group: RecordedGroup) => !isReplaced(group, received);
  const onRecord = ofAll.filter(isThere);
  const declared = after['destinationType'] === 'email' ? userGroupsIn(after) : [];
  const lastApplied = userGroupsIn(prior?.attributes ?? {});
  return {
    declared,
    inOmni: mergeGroups(prior?.groups ?? [], open?.groups ?? []).filter(isThere),
    onRecord,
    replaced: newNames({ declared, onRecord }).filter((name) => ofAll.some(({ text }) => text === name)),
    lastApplied,
    unmatched: lastApplied.filter((text) => !declared.includes(text) && !ofAll.some((group) => isCalled(group, text))),
    toSink,
  };
}

/** The declared names of which no group is known. */
export function newNames({ declared, onRecord }: Pick<GroupWork, 'declared' | 'onRecord'>): readonly string[] {
  return declared.filter((text) => !isGroupId(text) && groupNamed(text, onRecord) === undefined);
}

/** The reason why nothing is sent to a name that another group has now, as a look has seen it. */
export function leftByTakenName({ declared, onRecord }: GroupWork, received: GroupsInOmni | undefined) {
  for (const text of declared) {
    const group = groupNamed(text, onRecord);
    const [taken] = received !== undefined && group?.text === text ? groupNow(group, received).others : [];
    if (group === undefined || taken === undefined) continue;
    const { message, hint } = takenWords(text, group, taken);
    return `${message} ${hint}`;
  }
  return undefined;
}

export function isCalled({ text, id }: Pick<RecordedGroup, 'id' | 'text'>, declared: string): boolean {
  return text === declared || id === groupIdIn(declared);
}

/** True if the groups before and after are the same ones under different names. */
export function areSameGroups({ lastApplied, declared, onRecord }: GroupWork): boolean {
  const idsOf = (texts: readonly string[]) => new Set(texts.map((text) => groupNamed(text, onRecord)?.id ?? text));
  const [was, is] = [idsOf(lastApplied), idsOf(declared)];
  return was.size === is.size && [...was].every((id) => is.has(id));
}

export function leavingGroups({ declared, inOmni, onRecord }: GroupWork): readonly RecordedGroup[] {
  const ids = new Set(declared.map((text) => groupNamed(text, onRecord)?.id));
  return inOmni.filter(({ id }) => !ids.has(id));
}

/** True if there is a group to remove according to a look, or else the state. */
export function removesGroups(work: GroupWork): boolean {
  return leavingGroups(work).length > 0 || work.unmatched.length > 0;
}

/** An addition is repeatable, so what was not named by the last apply or look is added although it may be there. */
export function lacksGroups({ declared, inOmni, onRecord, lastApplied }: GroupWork): boolean {
  const idsInOmni = new Set(inOmni.map(({ id }) => id));
  const named = new Set(lastApplied.map((text) => groupNamed(text, onRecord)?.id));
  return declared.some((text) => {
    const id = groupNamed(text, onRecord)?.id;
    return id === undefined || !idsInOmni.has(id) || !named.has(id);
  });
}

/**
 * The recorded id of each declared group, keyed by name: a review of a change that sends to them is a review of these. A name
 * that nothing was sent to yet, or whose group is gone, is left out.
 */
export function recordedIds({ declared, onRecord }: GroupWork): Readonly<Record<string, string>> | undefined {
  const ids = declared.flatMap((text) => {
    const group = isGroupId(text) ? undefined : groupNamed(text, onRecord);
    return group === undefined ? [] : [[text, group.id] as const];
  });
  return ids.length === 0 ? undefined : Object.fromEntries(ids);
}
