// Tells the resources of a kind apart, by the service's list or their fields.

import type { IdentityOfRow } from '../service/recognise-rows.ts';
import type { Kind } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import { fieldsOf } from './fields.ts';
import { idKey } from './ids.ts';

interface IdentityTraits {
  /**
   * The fields that the service's list shows: its name, and what it is on, which states and journals record as
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
  /** The fields that make it another resource when they change: no request changes them in place. */
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

/** The name of the resource in the service's list; undefined if no list shows it. */
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

/** Words for the thing that a resource is on; if no list shows the resource, those of a schedule. */
export function onWordsOf(kind: Kind): string {
  return (identities[kind].listedBy ?? table.schedule.listedBy).onWords;
}

/** The key of the list that shows it; undefined if it is not known, or no list shows it. */
export function listKeyOf(kind: Kind, named: IdentityOfRow): string | undefined {
  return identities[kind].listedBy?.key(named);
}

/** True if the list with that key has the row, or may have it because the service does not say. */
export function isInList(kind: Kind, row: IdentityOfRow, key: string): boolean {
  const itsKey = listKeyOf(kind, row);
  return itsKey === undefined || itsKey === key;
}

/** True if two declarations mean different things, so that neither becomes the other in place. */
export function namesAnother(kind: Kind, before: JsonObject, after: JsonObject): boolean {
  return identities[kind].identifying.some((field) => {
    const isId = fieldsOf[kind][field]?.meaning === 'id';
    const [was, is] = [before[field], after[field]].map((value) =>
      isId && typeof value === 'string' ? idKey(value) : value,
    );
    return was !== is;
  });
}

/** The member for whom it is made, as far as that is declared. */
export function ownerOf({
  owner,
  userId,
}: {
  readonly owner?: unknown;
  readonly userId?: unknown;
}): string | undefined {
  return [owner, userId].find((each): each is string => typeof each === 'string');
}
