// The state: what was last applied, with the ids that the service gave back; and a version of it, as `state history` lists
// it.

import { groupIdIn } from '../fields/ids.ts';
import type { Address } from '../values/address.ts';
import {
  addressForm,
  constant,
  count,
  described,
  instant,
  keptAddress,
  keyName,
  listOf,
  map,
  mapOf,
  nonEmptyText,
  record,
  serial,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { lockInfoSchema } from '../workspace/lock.ts';
import { effectSchema } from './action.ts';
import { nameIn, namesByIdSchema } from './names.ts';
import { type Groups, groupsIn, groupsSchema } from './user-groups.ts';

const madeBy = described(
  nonEmptyText,
  'The membership id of the member for whom it was made, of what only its owner sees. Every request about it acts for that member.',
);

const entityId = described(
  nonEmptyText,
  'The id of its dashboard, which stays the same when the identifier is renamed.',
);

/** Filters that divide rows and were not read back as they were sent. */
export const notReadBackSchema = record({
  sent: described(map, 'The filters that divide rows, as they were sent, by their ids.'),
  since: described(instant, 'When they were sent.'),
  'other?': described(
    nonEmptyText,
    'What Omni showed in their place, in words. Without it, nothing has been read yet.',
  ),
  'refused?': described(listOf(nonEmptyText), 'The days on which Omni refused to show them.'),
});
export type NotReadBack = TypeOf<typeof notReadBackSchema>;

/** The version of the format of states and journals. */
export const keptVersion = 2;

const resourceSchema = record({
  // The service's id; a schedule that only ran, and a dashboard, have none.
  'id?': nonEmptyText,
  attributes: described(
    map,
    'The declaration as applied. A secret is an object of its fingerprint, `$secret`, and its text with the names of its variables, `text`.',
  ),
  // Values from the service's answer that people need, such as delivererRoleArn.
  'outputs?': map,
  'unread?': described(
    listOf(nonEmptyText),
    'What was not sent since the schedule was adopted, declared or not: the fields that Omni did not return, and the pointers of filters that equalled those of the dashboard, such as `/filterConfig/region`.',
  ),
  'groups?': groupsSchema,
  // An adoption sends nothing.
  'throughSink?': described(
    constant(true),
    'The recipients were sent, to the sink of an environment. Without it they are only what the declaration said.',
  ),
  'madeBy?': madeBy,
  'entityId?': entityId,
  'adopted?': described(
    constant(true),
    'It was there before it was tracked, so `createdAt` does not say since when it is due.',
  ),
  'unsent?': described(constant(true), 'It was adopted, and no request has sent its content since.'),
  'undeclared?': described(
    constant(true),
    'An import tracked it, and no apply has found it declared yet: an apply that nobody watches does not delete it.',
  ),
  'notReadBack?': notReadBackSchema,
  createdAt: instant,
  'retimedAt?': described(
    instant,
    'When its `schedule`, `timezone` or `paused` changed last since it was created, as far as is known: it is not known whether a run that was due before has come.',
  ),
  updatedAt: instant,
});
export type StateResource = TypeOf<typeof resourceSchema>;

export const orphanSchema = record({
  id: nonEmptyText,
  address: keptAddress,
  identifier: text,
  name: text,
  since: instant,
  'replaced?': described(constant(true), 'Its replacement exists: the next apply with operations full deletes it.'),
  'sentAs?': described(
    listOf(record({ identifier: text, name: text })),
    'The dashboards and names that open updates sent for it: it is not known how far they were carried out.',
  ),
  'madeBy?': madeBy,
  'entityId?': entityId,
});
export type Orphan = TypeOf<typeof orphanSchema>;

const unresolvedSchema = record({
  address: keptAddress,
  action: described(
    effectSchema,
    'A trigger concerns only the next trigger of the address; anything else is a change.',
  ),
  'identifier?': text,
  'name?': text,
  // The time by our clock.
  since: instant,
  // Absent if nobody looked.
  'existing?': described(
    listOf(nonEmptyText),
    'The ids of the schedules that were on the dashboard before this one was sent.',
  ),
  'attributes?': described(
    map,
    'What was sent: what the state records once the change is known to be carried out. Some of an update may be there.',
  ),
  'earlier?': described(
    listOf(map),
    'What open updates before it sent, the last one first: it is not known how far they were carried out.',
  ),
  'entityId?': described(nonEmptyText, 'The id of the dashboard on which a create makes the schedule.'),
  'groups?': described(groupsSchema, 'The user groups that may receive it.'),
  'sentFilters?': described(
    map,
    'The filters that divide rows, which are read back once it is known to be carried out.',
  ),
  'replaced?': described(nonEmptyText, 'The id of the old schedule, for a replacement that deletes it.'),
  'madeBy?': madeBy,
});
/** A request with an unknown outcome: a change or a trigger. */
export type Unresolved = TypeOf<typeof unresolvedSchema>;

export const ownerIdsSchema = described(
  mapOf(nonEmptyText),
  'By address in lower case, the membership ids of owners as they were looked up last: a member may get another address.',
);

export const stateSchema = record({
  version: constant(keptVersion),
  lineage: nonEmptyText,
  serial,
  toolVersion: nonEmptyText,
  baseUrl: nonEmptyText,
  // Base64: what secrets' fingerprints are made with.
  salt: nonEmptyText,
  // Absent for fingerprints without a key.
  'secretKey?': described(keyName, 'The first 16 hex digits of the SHA-256 of the key of the fingerprints.'),
  // Known if CI names it. Changes that were reviewed since may be open.
  'commit?': described(nonEmptyText, 'The last commit whose declarations were all applied.'),
  'commitAt?': described(instant, 'When the last apply that left nothing recorded it.'),
  // Whoever has an older one would take back what was applied.
  'checkout?': described(
    nonEmptyText,
    'The commit that was checked out at the last apply or import whose checkout held the commit before, in CI or not.',
  ),
  'names?': namesByIdSchema,
  'owners?': ownerIdsSchema,
  resources: mapOf(resourceSchema, { propertyNames: { pattern: addressForm.pattern } }),
  orphans: listOf(orphanSchema),
  unresolved: listOf(unresolvedSchema),
});
/** A state as Almanac writes it. */
export type State = TypeOf<typeof stateSchema>;

/**
 * The resource that the state tracks at an address. Addresses come from command lines, so one may be the name of a
 * property that every object inherits.
 */
export function trackedAt(state: Pick<State, 'resources'> | undefined, address: Address): StateResource | undefined {
  return state !== undefined && Object.hasOwn(state.resources, address) ? state.resources[address] : undefined;
}

/**
 * The user groups of all resources, as far as they were looked up or read; those that are declared by id have at least
 * a name.
 */
export function groupsOf(state: Pick<State, 'resources' | 'names'> | undefined): Groups {
  const groupOf = groupsIn(() => Object.values(state?.resources ?? {}).flatMap(({ groups = [] }) => groups));
  const nameOf = nameIn(state?.names);
  return (declared) => {
    const group = groupOf(declared);
    const id = groupIdIn(declared);
    if (id === undefined || group?.name !== undefined) return group;
    const name = nameOf(id);
    return name === undefined ? group : { text: declared, id, ...group, name };
  };
}

export const versionSchema = record({
  serial: count,
  lineage: text,
  at: described(instant, 'By the clock of the machine that wrote it.'),
  by: lockInfoSchema,
  changes: described(count, 'How many resources its run changed; 0 for a repair, a push and a move.'),
  'over?': described(lockInfoSchema, 'The run whose lock was taken over.'),
});
/** A state that was written, and by whom. */
export type StateVersion = TypeOf<typeof versionSchema>;
