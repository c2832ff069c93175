// Omni takes an id in capitals for the same one. In what is read of a state and of a journal an id is spelled as Omni lists it:
// otherwise one that somebody wrote in capitals would be the id of nothing that is listed, and be used unchecked.

import { uuid } from '../../model/fields/patterns.ts';
import type { State } from '../../model/plan/state.ts';
import type { RecordedGroup } from '../../model/plan/user-groups.ts';

const isUuid = new RegExp(uuid);

function plainId(id: string): string {
  const plain = id.toLowerCase();
  return plain !== id && isUuid.test(id) ? plain : id;
}

interface Ids {
  readonly id?: string | undefined;
  readonly replaced?: string | true | undefined;
  readonly existing?: readonly string[] | undefined;
  readonly madeBy?: string | undefined;
  readonly groups?: readonly RecordedGroup[] | undefined;
}

/** A part of a state, or a line of a journal: the very same where all are plain, as almost always. */
export function withPlainId<T extends Ids>(entry: T): T {
  const { id, replaced, existing, madeBy, groups } = entry;
  const isPlain = (of: string | true | undefined) => typeof of !== 'string' || plainId(of) === of;
  const arePlain = (existing ?? []).every(isPlain) && (groups ?? []).every((group) => isPlain(group.id));
  if (isPlain(id) && isPlain(replaced) && isPlain(madeBy) && arePlain) return entry;
  return {
    ...entry,
    ...(id === undefined ? {} : { id: plainId(id) }),
    ...(typeof replaced === 'string' ? { replaced: plainId(replaced) } : {}),
    ...(madeBy === undefined ? {} : { madeBy: plainId(madeBy) }),
    ...(existing === undefined ? {} : { existing: existing.map(plainId) }),
    ...(groups === undefined ? {} : { groups: groups.map((group) => ({ ...group, id: plainId(group.id) })) }),
  };
}

export function withPlainIds(state: State): State {
  const { resources, orphans, unresolved } = state;
  const others = Object.entries(resources).filter(([, resource]) => withPlainId(resource) !== resource);
  const plain = Object.fromEntries(others.map(([address, resource]) => [address, withPlainId(resource)]));
  return {
    ...state,
    resources: others.length === 0 ? resources : { ...resources, ...plain },
    orphans: orphans.map(withPlainId),
    unresolved: unresolved.map(withPlainId),
  };
}
