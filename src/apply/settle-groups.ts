// The user groups of one schedule while its requests are sent: what each request leaves, and what is read on the way. The
// ids that go out are those of the state, those that were written, or those that resolve-groups.ts has found.

import { type KnownGroups, mergeGroups, type RecordedGroup } from '../model/plan/user-groups.ts';
import type { Call } from '../plan/calls.ts';
import { type GroupWork, leavingGroups } from '../plan/group-calls.ts';

/** What is sent for the groups, and what the schedule has once it is done. */
export interface GroupPlan {
  readonly add: readonly RecordedGroup[];
  readonly remove: readonly RecordedGroup[];
  readonly after: KnownGroups;
  /** Removed, although no plan named them. */
  readonly unnamed: readonly RecordedGroup[];
  /** Left alone, because no plan has named them. */
  readonly left: readonly RecordedGroup[];
}

/** What is known while a change is sent. */
export interface GroupsSoFar {
  readonly known: KnownGroups;
  /** What a read before the PUT found and no plan has named: it stays. */
  readonly kept?: readonly RecordedGroup[];
}

/** `targets`: the declared groups with their ids; `found`: what was read, for `groups`. */
export function groupPlan(
  call: Call,
  work: GroupWork,
  { known, kept }: GroupsSoFar,
  targets: readonly RecordedGroup[],
  found: readonly RecordedGroup[] = [],
): GroupPlan {
  const nobody = { add: [], remove: [], unnamed: [], left: [] };
  const ids = new Set(targets.map(({ id }) => id));
  switch (call.send) {
    case 'post':
      return { ...nobody, after: { groups: [], isWhole: work.isEmail } };
    case 'remove': {
      const remove = leavingGroups(work).filter(({ id }) => !ids.has(id));
      const gone = new Set(remove.map(({ id }) => id));
      const groups = known.groups.filter(({ id }) => !gone.has(id));
      return { ...nobody, remove, after: { ...known, groups } };
    }
    case 'add':
      return {
        ...nobody,
        add: missingIn(known.groups, targets),
        after: { ...known, groups: mergeGroups(known.groups, targets) },
      };
    case 'groups': {
      const others = found.filter(({ id }) => !ids.has(id));
      const ofUs = new Set(work.known.groups.map(({ id }) => id));
      const mayStay = !work.known.isWhole && !work.sunk;
      const stay = work.sunk ? [] : mergeGroups(work.found, kept ?? []);
      const left = mergeGroups(stay, mayStay ? others : []).filter(({ id }) => !ofUs.has(id) && !ids.has(id));
      const remove = missingIn(left, others);
      return {
        add: missingIn(found, [...targets, ...left]),
        remove,
        after: { groups: withSeen(targets, found), isWhole: left.length === 0 },
        unnamed: remove.filter(({ id }) => !ofUs.has(id)),
        left,
      };
    }
    default:
      return { ...nobody, after: known };
  }
}

function missingIn(has: readonly RecordedGroup[], wanted: readonly RecordedGroup[]): readonly RecordedGroup[] {
  return wanted.filter(({ id }) => !has.some((group) => group.id === id));
}

/** Under the declared names, with what a read saw of their people. */
function withSeen(wanted: readonly RecordedGroup[], found: readonly RecordedGroup[]): readonly RecordedGroup[] {
  return wanted.map((group) => {
    const { people, outside } = found.find(({ id }) => id === group.id) ?? group;
    return { ...group, people, outside };
  });
}

/** After a read before the PUT: what stays must not be lost if the run ends before it is added again. */
export function afterLook({ known }: GroupsSoFar, work: GroupWork, found: readonly RecordedGroup[]): GroupsSoFar {
  const kept = missingIn(work.known.groups, found).map((group) => ({ ...group, found: true as const }));
  return { known: { ...known, groups: mergeGroups(known.groups, kept) }, kept };
}
