// The lists that each member has of their own, as one look reads them: one list for each member for whom something was made,
// and whether a member is still there where the list does not say what became of something.

import type { ListedRoutine } from '../../model/service/remote.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { refusesOne } from '../sending.ts';
import { isActiveMember } from './owners.ts';

/** By id, or why the list cannot be read. */
export type OwnerList = ReadonlyMap<string, ListedRoutine> | Failure;

export interface OwnerLists {
  /** Of the member for whom something was made; of the token where that is not known. Throws what concerns all lists. */
  readonly of: (owner: string | undefined) => Promise<OwnerList>;
  /** Reads it once more: what was just created is listed a moment later. */
  readonly again: (owner: string | undefined) => Promise<OwnerList>;
  /** Whether it is an active member; undefined where the token may not ask. */
  readonly isActive: (owner: string) => Promise<boolean | undefined>;
}

export function ownerListsOf(api: Api, call: CallOptions): OwnerLists {
  const read = async (owner: string | undefined): Promise<OwnerList> => {
    try {
      return new Map((await api.listRoutines({ owner }, call)).map((row) => [row.id, row]));
    } catch (error) {
      if (refusesOne(error)) return error;
      throw error;
    }
  };
  return {
    of: memoize(read),
    again: read,
    isActive: (owner) => isActiveMember(owner, api, call),
  };
}
