// The data of the emulated organization: its form, and functions that read and change it.

import { createHash, randomUUID } from 'node:crypto';
import {
  aBoolean,
  aListOf,
  aMapOf,
  aNumber,
  anInteger,
  anObject,
  anObjectOf,
  aString,
  type Check,
  needed,
  oneOf,
  orNull,
  type TypeOf,
} from './checks.ts';
import type { Cell } from './conditions.ts';

type EmulatedValue = null | boolean | number | string | EmulatedValue[] | EmulatedObject;

export interface EmulatedObject {
  [key: string]: EmulatedValue;
}

const text = needed(aString);
const texts = needed(aListOf(aString));
const flag = needed(aBoolean);
const textOrNull = needed(orNull(aString));
/** Such an object came as JSON. */
export const anEmulatedObject = anObject as Check<EmulatedObject>;
const scope = needed(oneOf('restricted', 'organization'));

export type Token = { token: string; permissions?: string[] } & (
  | { kind: 'organization' }
  | { kind: 'personal'; memberId: string }
);

/** A personal one names its member. */
const token = ((value, at) =>
  anObjectOf({
    kind: needed(oneOf('organization', 'personal')),
    token: text,
    /** The permissions that `whoami` lists for each model; all by default. */
    permissions: { check: aListOf(aString) },
  })(value, at) ??
  ((value as Token).kind === 'personal' ? anObjectOf({ memberId: text })(value, at) : undefined)) as Check<Token>;

const member = anObjectOf({
  /** The membership id, which is what `userId` means everywhere in the API. */
  id: text,
  name: text,
  email: text,
  /** False if the account is deactivated. */
  active: { check: aBoolean },
  /** False if the member may have no routines. */
  canUseAi: { check: aBoolean },
});

const tile = anObjectOf({
  /** The key by which schedules name it. */
  key: text,
  /** The page that it is on; absent if the dashboard has only one. */
  page: { check: aString },
  query: needed(
    anObjectOf({
      table: text,
      /** Its columns: fields of the rows, and `view.total_X` and `view.count` of them. */
      fields: texts,
      /** Its own filters, keyed by their fields. */
      filters: needed(aMapOf(anEmulatedObject)),
      /** If it is not empty, no filter reaches the tile. */
      userEditedSQL: text,
    }),
  ),
});

const aFieldOrFalse: Check<string | false> = (value, at) => (value === false ? undefined : aString(value, at));

const dashboard = anObjectOf({
  filters: needed(aMapOf(anEmulatedObject)),
  controls: needed(aListOf(anObjectOf({ id: text }) as Check<Control>)),
  filterOrder: texts,
  /** For each filter, keyed by tiles: the field that it limits there, or false if it does not reach the tile. */
  maps: { check: aMapOf(aMapOf(aFieldOrFalse)) },
  tiles: needed(aListOf(tile)),
  /** True for a layout that operations of the second version refuse. */
  classic: { check: aBoolean },
  /** An open draft blocks an update until the update clears it. */
  draft: needed(orNull(anObjectOf({ memberId: text, createdAt: text }))),
});

const document = anObjectOf({
  identifier: text,
  /** Stays when the identifier changes; derived from the identifier if the data has none. */
  entityId: { check: aString },
  name: text,
  description: textOrNull,
  connectionId: text,
  folderId: textOrNull,
  ownerId: text,
  scope,
  labels: texts,
  deleted: flag,
  updatedAt: text,
  views: needed(aNumber),
  /** Members who marked the document as a favorite; their number is the favorites count. */
  favoriteOf: texts,
  /** Members with whom the document was shared explicitly. */
  sharedWith: texts,
  sharedWithGroups: { check: aListOf(aString) },
  /** False if its schedules must not set a time zone for queries. */
  canUseTimezoneOverride: { check: aBoolean },
  /** False if nobody may download it. */
  canDownload: { check: aBoolean },
  /** Null for a workbook only. */
  dashboard: needed(orNull<Dashboard>(dashboard)),
});

const status = needed(oneOf('COMPLETE', 'ERROR', 'ERROR_DELIVERED', 'KILLED', 'CONDITION_UNMET'));
const stop = oneOf('missingQuery', 'noAccess', 'orphanedFilterConfigKeys');

/** The result of the last delivery; absent before the first. */
const lastRun = { check: anObjectOf({ at: text, status }) };
/** The run that is under way: its end time and result. */
const run = { check: anObjectOf({ until: text, status }) };

const schedule = anObjectOf({
  id: text,
  /** Null if the organization owns the schedule. */
  ownerId: textOrNull,
  createdAt: text,
  updatedAt: text,
  hasPassword: flag,
  /** The fields of the create request, without the password and testNow. */
  fields: needed(anEmulatedObject),
  /** Options that people set in the app and no request can name: the app is newer than the API. */
  options: { check: anEmulatedObject },
  /** The user groups that receive it too: no create request can name them. */
  userGroupIds: { check: aListOf(aString) },
  /** The time when a user paused it. */
  disabledAt: { check: aString },
  /** The time and the reason why the service stopped it. */
  systemDisabled: { check: anObjectOf({ at: text, reason: needed(stop) }) },
  lastRun,
  run,
});

const routine = anObjectOf({
  id: text,
  /** Always a member. */
  ownerId: text,
  createdAt: text,
  updatedAt: text,
  /** The fields of the create request, with the changes of later ones. */
  fields: needed(anEmulatedObject),
  /** The memberships of recipients who had one, keyed by the address in lower case: their current address is shown. */
  memberships: { check: aMapOf(aString) },
  /** True if its owner paused it. */
  disabled: { check: aBoolean },
  /** True if the service stopped it. */
  systemDisabled: { check: aBoolean },
  systemDisabledReason: { check: orNull(aString) },
  lastRun,
  run,
});

/** A request to a webhook, and its attempts so far. `status` is null if there was no answer. */
const attempts = aListOf(anObjectOf({ at: text, status: needed(orNull(aNumber)), error: { check: aString } }));
const waiting = {
  /** The time of the next attempt; absent after the last one. */
  dueAt: { check: aString },
  /** The reason why it was not sent. */
  withheld: { check: aString },
};

const delivery = anObjectOf({
  id: text,
  at: text,
  ownerId: textOrNull,
  identifier: text,
  name: text,
  format: text,
  destinationType: text,
  /** Only deliveries to webhooks are posted. */
  url: { check: aString },
  filterConfig: { check: anEmulatedObject },
  /** The delivered tile; absent for the whole dashboard. */
  queryIdentifierMapKey: { check: aString },
  attempts: { check: attempts },
  ...waiting,
});

const event = anObjectOf({
  id: text,
  jobId: text,
  kind: needed(oneOf('progress', 'job.complete', 'job.failed')),
  at: text,
  /** JSON as it is sent. */
  body: text,
  url: text,
  attempts: needed(attempts),
  ...waiting,
});

const job = anObjectOf({
  id: text,
  conversationId: text,
  status: needed(oneOf('QUEUED', 'EXECUTING', 'DELIVERING', 'COMPLETE', 'FAILED', 'CANCELLED')),
  ownerId: textOrNull,
  createdAt: text,
  hasSigningSecret: flag,
  /** The fields of the create request, without the signing secret. */
  fields: needed(anEmulatedObject),
  /** The number of completed steps; 0 by default. */
  step: { check: anInteger(0) },
  updatedAt: { check: aString },
  /** True if it ends after the current iteration. */
  cancelRequested: { check: aBoolean },
  progress: { check: anObjectOf({ iteration: needed(aNumber), message: text, updatedAt: text }) },
  error: { check: anObjectOf({ code: text, message: text, detail: text }) },
  resultSummary: { check: aString },
  executionStartedAt: { check: aString },
  /** Present if it is complete or has failed. */
  completedAt: { check: aString },
  cancelledAt: { check: aString },
  /** A membership id, or the id of the organization. */
  cancelledBy: { check: aString },
});

const aCell: Check<Cell> = (value, at) => (typeof value === 'object' ? orNull(aString)(value, at) : undefined);

const organization = anObjectOf({
  id: text,
  /** Documents and chats link to it. */
  url: text,
  delivererRoleArn: text,
  slackConnected: flag,
  /** The most active routines of a member; 100 by default. */
  mostRoutines: { check: anInteger(0) },
});

const named = { id: text, name: text };

const userGroup = anObjectOf({ ...named, memberIds: texts });

/** A group with which it was shared may view the documents in it. */
const folder = anObjectOf({ ...named, path: text, scope, sharedWithGroups: { check: aListOf(aString) } });

const model = anObjectOf({
  ...named,
  branches: needed(aListOf(anObjectOf(named))),
  topics: texts,
  /** SHARED by default. A routine may use nothing else; an AI job, an extension as well. */
  kind: { check: oneOf('SHARED', 'SHARED_EXTENSION', 'WORKBOOK') },
});

/**
 * Plain data that survives JSON, so that the command can keep it in a file. Contains no secret of a request: a schedule
 * or a job only records whether it has one. People edit the file, so it may hold fields that the emulator does not
 * know.
 */
const data = anObjectOf({
  organization: needed(organization),
  tokens: needed(aListOf(token)),
  members: needed(aListOf<Member>(member)),
  /** Groups of members, which a schedule may name as recipients. */
  userGroups: { check: aListOf<UserGroup>(userGroup) },
  folders: needed(aListOf(folder)),
  documents: needed(aListOf<EmulatedDocument>(document)),
  /** The rows that all dashboards show, each keyed by field. A day may be `3 days ago`. */
  rows: needed(aListOf(aMapOf(aCell))),
  models: needed(aListOf<EmulatedModel>(model)),
  schedules: needed(aListOf<StoredSchedule>(schedule)),
  /** Test deliveries and triggered ones, in order. */
  deliveries: needed(aListOf<Delivery>(delivery)),
  jobs: needed(aListOf<StoredJob>(job)),
  routines: { check: aListOf<StoredRoutine>(routine) },
  /** The webhook events of jobs, in order. */
  events: { check: aListOf<JobEvent>(event) },
});

export interface Control extends EmulatedObject {
  id: string;
}

export interface EmulatorData extends TypeOf<typeof data> {}
export interface Member extends TypeOf<typeof member> {}
export interface EmulatedDocument extends TypeOf<typeof document> {}
export interface Dashboard extends TypeOf<typeof dashboard> {}
export interface StoredSchedule extends TypeOf<typeof schedule> {}
export interface StoredRoutine extends TypeOf<typeof routine> {}
export type RecurringDelivery = Pick<StoredSchedule, 'createdAt' | 'updatedAt' | 'lastRun' | 'run'>;
export type RunStatus = NonNullable<RecurringDelivery['run']>['status'];
export interface Delivery extends TypeOf<typeof delivery> {}
export interface UserGroup extends TypeOf<typeof userGroup> {}
export interface EmulatedModel extends TypeOf<typeof model> {}
export interface JobEvent extends TypeOf<typeof event> {}
export interface StoredJob extends TypeOf<typeof job> {}

/** The fault of a value as the data; undefined if it has none. */
export function problemInData(value: unknown): string | undefined {
  return data(value, '');
}

export interface Rendering {
  readonly identifier: string;
  readonly format: string;
  /** The filters that override the dashboard's own. */
  readonly filterConfig?: EmulatedObject | undefined;
  /** The key of a tile; undefined for the whole dashboard. */
  readonly tile?: string | undefined;
}

export interface Download extends Rendering {
  readonly id: string;
  /** Null for the organization itself. */
  readonly memberId: string | null;
  /** The name without its extension. */
  readonly filename: string;
  readonly createdAt: string;
  /** In epoch milliseconds. */
  readonly endsAt: number;
  readonly fails: boolean;
}

export interface Store {
  /** Changed in place by the operations, which then call `save`. */
  readonly data: EmulatorData;
  readonly now: () => number;
  /** The signing secrets of jobs, by job id. In memory only, never in a file. */
  readonly signingSecrets: Map<string, string>;
  /** Downloads of dashboards. In memory only. */
  readonly downloads: Download[];
  newId(): string;
  /** `now` as the API writes times. */
  time(): string;
  save(): void;
}

interface StoreOptions {
  readonly data: EmulatorData;
  readonly now?: () => number;
  /** A number from 0 to below 1, like Math.random. */
  readonly random?: () => number;
  readonly onChange?: (data: EmulatorData) => void;
}

export function createStore({ data, now = Date.now, random, onChange }: StoreOptions): Store {
  const live = structuredClone(data);
  return {
    data: live,
    now,
    signingSecrets: new Map(),
    downloads: [],
    newId: () => (random === undefined ? randomUUID() : makeUuid(random)),
    time: () => new Date(now()).toISOString(),
    save: () => onChange?.(structuredClone(live)),
  };
}

export function findDocument(store: Store, identifier: string): EmulatedDocument | undefined {
  return store.data.documents.find((document) => document.identifier === identifier && !document.deleted);
}

/** Takes its short identifier, or its UUID. */
export function findDocumentByEitherId(store: Store, id: string): EmulatedDocument | undefined {
  const named = (document: EmulatedDocument) => document.identifier === id || entityIdOf(document) === id.toLowerCase();
  return store.data.documents.find((document) => !document.deleted && named(document));
}

export function tileKeys(dashboard: Dashboard | null | undefined): readonly string[] {
  return (dashboard?.tiles ?? []).map(({ key }) => key);
}

function makeUuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) % 4);
  return uuidOf(digits.map((digit) => digit.toString(16)).join(''));
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Ids of things that the store keeps without one: the same words always give the same id. */
export function deriveUuid(...words: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return uuidOf(`${hex.slice(0, 12)}5${hex.slice(13, 16)}a${hex.slice(17, 32)}`);
}

/** The dashboard's id for operations that do not use the short identifier. */
export function entityIdOf({ identifier, entityId }: Pick<EmulatedDocument, 'identifier' | 'entityId'>): string {
  return entityId ?? deriveUuid('dashboard', identifier);
}
