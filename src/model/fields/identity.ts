// What tells the resources of a kind apart: how the service's list names them, and which of their fields say what they are.

import type { IdentityOfRow } from '../service/recognise-rows.ts';
import type { Kind } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import { fieldsOf } from './fields.ts';
import { idKey } from './ids.ts';

interface IdentityTraits {
  /**
   * How the service's list names it: its name, and the field that says what it is on, which states and journals record as
   * `identifier`. Whoever lost the answer to a POST finds by these what it made. Undefined for what no list shows.
   */
  readonly listedBy?: {
    readonly on: string;
    readonly name: string;
    readonly onWords: string;
    /** The key of the list that shows it, in the header of a journal; undefined if it is not known. */
    readonly key: (named: IdentityOfRow) => string | undefined;
  };
  /** Only its owner sees it: each list and each request about it acts for that member. */
  readonly isOwners?: true;
  /** The fields of which another value means another thing: no request changes them in place. */
  readonly identifying: readonly string[];
}

/** A schedule is in the list of its dashboard. */
function dashboardKey({ identifier }: IdentityOfRow): string | undefined {
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

/** A routine is in the list of its owner. No dashboard has an identifier with blanks. */
function ownerKey({ madeBy }: IdentityOfRow): string {
  return madeBy === undefined ? 'routines' : `routines of ${madeBy}`;
}

const table = {
  dashboard: { identifying: ['identifier'] },
  schedule: { listedBy: { on: 'identifier', name: 'name', onWords: 'dashboard', key: dashboardKey }, identifying: [] },
  routine: {
    listedBy: { on: 'modelId', name: 'name', onWords: 'model', key: ownerKey },
    isOwners: true,
    identifying: ['modelId', 'branchId', 'topicName', 'owner'],
  },
  aiJob: { identifying: [] },
} as const satisfies Readonly<Record<Kind, IdentityTraits>>;

export const identities: Readonly<Record<Kind, IdentityTraits>> = table;

/** What the service's list would call it; undefined for what no list shows. */
export function namedOf(kind: Kind, attributes: JsonObject): IdentityOfRow | undefined {
  const { listedBy } = identities[kind];
  return listedBy && { identifier: attributes[listedBy.on], name: attributes[listedBy.name] };
}

/** The name of what is recorded of a resource, or was sent for it. */
export function recordedName(kind: Kind, { attributes = {}, madeBy }: RecordedIdentity): IdentityOfRow {
  return { ...namedOf(kind, attributes), madeBy };
}

interface RecordedIdentity {
  readonly attributes?: JsonObject | undefined;
  readonly madeBy?: string | undefined;
}

/** What a resource is on, in words; of what no list shows, as if it were a schedule. */
export function onWordsOf(kind: Kind): string {
  return (identities[kind].listedBy ?? table.schedule.listedBy).onWords;
}

/** The key of the list that shows it; undefined if it is not known, or no list shows it. */
export function listKeyOf(kind: Kind, named: IdentityOfRow): string | undefined {
  return identities[kind].listedBy?.key(named);
}

/** Whether the list of that key has the row, or may have it because the service does not say. */
export function isInList(kind: Kind, row: IdentityOfRow, key: string): boolean {
  const itsKey = listKeyOf(kind, row);
  return itsKey === undefined || itsKey === key;
}

/** Whether two declarations mean different things, so that none of them becomes the other in place. */
export function namesAnother(kind: Kind, before: JsonObject, after: JsonObject): boolean {
  return identities[kind].identifying.some((field) => {
    const isId = fieldsOf[kind][field]?.meaning === 'id';
    const [was, is] = [before[field], after[field]].map((value) =>
      isId && typeof value === 'string' ? idKey(value) : value,
    );
    return was !== is;
  });
}

/** For whom it is made, as far as that is said. */
export function ownerOf({
  owner,
  userId,
}: {
  readonly owner?: unknown;
  readonly userId?: unknown;
}): string | undefined {
  return [owner, userId].find((each): each is string => typeof each === 'string');
}
