import { createHash, randomUUID } from 'node:crypto';

/**
 * The data of the emulated organization. Plain data that survives JSON, so that the command can keep it in a file.
 * Contains no secret of a request: a schedule or a job only records whether it has one.
 */
type EmulatedValue = null | boolean | number | string | EmulatedValue[] | EmulatedObject;

export interface EmulatedObject {
  [key: string]: EmulatedValue;
}

export interface EmulatorData {
  organization: Organization;
  tokens: Token[];
  members: Member[];
  /** Groups of members, which a schedule may name as recipients. */
  userGroups?: UserGroup[];
  folders: Folder[];
  documents: EmulatedDocument[];
  models: Model[];
  schedules: StoredSchedule[];
  /** The deliveries of `testNow`, in order. */
  deliveries: Delivery[];
  jobs: StoredJob[];
  /** The webhook events of jobs, in order. */
  events?: JobEvent[];
}

interface Organization {
  id: string;
  /** The web address of the organization; documents and chats link to it. */
  url: string;
  delivererRoleArn: string;
  slackConnected: boolean;
}

export type Token = { kind: 'organization'; token: string } | { kind: 'personal'; token: string; memberId: string };

/** `id` is the membership id, which is what `userId` means everywhere in the API. */
export interface Member {
  id: string;
  name: string;
  email: string;
  /** false: the account is deactivated. */
  active?: boolean;
}

export interface UserGroup {
  id: string;
  name: string;
  /** Membership ids. */
  memberIds: string[];
}

interface Folder {
  id: string;
  name: string;
  path: string;
  scope: 'restricted' | 'organization';
}

export interface EmulatedDocument {
  identifier: string;
  name: string;
  description: string | null;
  connectionId: string;
  folderId: string | null;
  ownerId: string;
  scope: 'restricted' | 'organization';
  labels: string[];
  deleted: boolean;
  updatedAt: string;
  views: number;
  /** Members who marked the document as a favorite; their number is the favorites count. */
  favoriteOf: string[];
  /** Members with whom the document was shared explicitly. */
  sharedWith: string[];
  /** null: a workbook only. */
  dashboard: Dashboard | null;
}

export interface Dashboard {
  filters: { [filterId: string]: EmulatedObject };
  controls: Control[];
  filterOrder: string[];
  /** The keys of the dashboard's queries, one for each tile. */
  queryKeys: string[];
  /** An open draft blocks an update until the update clears it. */
  draft: { memberId: string; createdAt: string } | null;
}

export interface Control extends EmulatedObject {
  id: string;
}

export interface Model {
  id: string;
  name: string;
  branches: { id: string; name: string }[];
  topics: string[];
}

export interface StoredSchedule {
  id: string;
  /** null: the organization owns the schedule. */
  ownerId: string | null;
  createdAt: string;
  updatedAt: string;
  hasPassword: boolean;
  /** The fields of the create request, without the password and testNow. */
  fields: EmulatedObject;
  /** The user groups that receive it too: no create request can name them. */
  userGroupIds?: string[];
  /** When a user paused it. */
  disabledAt?: string;
  /** When and why the service stopped it. */
  systemDisabled?: { at: string; reason: 'missingQuery' | 'noAccess' | 'orphanedFilterConfigKeys' };
  /** The result of its last delivery; absent before the first. */
  lastRun?: { at: string; status: RunStatus };
  /** The run that is under way: when and how it will end. */
  run?: { until: string; status: RunStatus };
}

export type RunStatus = 'COMPLETE' | 'ERROR' | 'ERROR_DELIVERED' | 'KILLED' | 'CONDITION_UNMET';

/** Only deliveries to webhooks are posted. */
export interface Delivery extends Partial<Posting> {
  id: string;
  at: string;
  ownerId: string | null;
  identifier: string;
  name: string;
  format: string;
  destinationType: string;
}

/** A request to a webhook, and its attempts so far. */
export interface Posting {
  url: string;
  attempts: Attempt[];
  /** The time of the next attempt; absent after the last one. */
  dueAt?: string;
  /** Why it was not sent. */
  withheld?: string;
}

interface Attempt {
  at: string;
  /** null: there was no answer. */
  status: number | null;
  error?: string;
}

export interface JobEvent extends Posting {
  id: string;
  jobId: string;
  kind: 'progress' | 'job.complete' | 'job.failed';
  at: string;
  /** As it is sent, JSON. */
  body: string;
}

export interface StoredJob {
  id: string;
  conversationId: string;
  status: 'QUEUED' | 'EXECUTING' | 'DELIVERING' | 'COMPLETE' | 'FAILED' | 'CANCELLED';
  ownerId: string | null;
  createdAt: string;
  hasSigningSecret: boolean;
  /** The fields of the create request, without the signing secret. */
  fields: EmulatedObject;
  /** How many steps it has completed; 0 by default. */
  step?: number;
  updatedAt?: string;
  /** It ends after the current iteration. */
  cancelRequested?: boolean;
  progress?: { iteration: number; message: string; updatedAt: string };
  error?: { code: string; message: string; detail: string };
  resultSummary?: string;
  executionStartedAt?: string;
  /** Of one that is complete or has failed. */
  completedAt?: string;
  cancelledAt?: string;
  /** A membership id, or the id of the organization. */
  cancelledBy?: string;
}

export interface Store {
  /** Changed in place by the operations, which then call `save`. */
  readonly data: EmulatorData;
  readonly now: () => number;
  /** The signing secrets of jobs, by job id. In memory only, never in a file. */
  readonly signingSecrets: Map<string, string>;
  newId(): string;
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
    newId: () => (random === undefined ? randomUUID() : makeUuid(random)),
    save: () => onChange?.(structuredClone(live)),
  };
}

export function findDocument(store: Store, identifier: string): EmulatedDocument | undefined {
  return store.data.documents.find((document) => document.identifier === identifier && !document.deleted);
}

/** By its short identifier, or by the UUID derived from it. */
export function findDocumentByEitherId(store: Store, id: string): EmulatedDocument | undefined {
  const named = (document: EmulatedDocument) =>
    document.identifier === id || dashboardUuid(document.identifier) === id.toLowerCase();
  return store.data.documents.find((document) => !document.deleted && named(document));
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

/** The dashboard's id where the service does not use the short identifier. */
export function dashboardUuid(identifier: string): string {
  return deriveUuid('dashboard', identifier);
}
