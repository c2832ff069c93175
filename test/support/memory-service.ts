// The service's schedules in memory, with operations full: for tests of the engine where HTTP would only take
// time. Every request is a point before its work and one after it, at which a test may end the run or lose the answer.

import type { Clock } from '../../src/model/outside.ts';
import type { Created, ListedSchedule, RemoteRecipients, RemoteUser } from '../../src/model/service/remote.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import type { Api, CallOptions } from '../../src/omni/api.ts';
import { refusal } from './emulator/service.ts';

export { answerLost, refusal } from './emulator/service.ts';

export interface MemorySchedule {
  readonly id: string;
  attributes: DeclaredObject;
  paused: boolean;
  stopped?: string;
  readonly createdAt: string;
  /** A membership id; undefined: it belongs to the organization. */
  ownerId?: string | undefined;
}

/** `before POST Weekly`, `after DELETE ID`, with what is sent; may throw or wait. */
export type Reach = (point: string, attributes?: DeclaredObject) => unknown;

export interface MemoryService {
  readonly api: Api;
  readonly schedules: Map<string, MemorySchedule>;
  /** What changes something, in the order in which it was sent: `POST Weekly`, `PUT ID`. */
  readonly sent: string[];
  /** What each of them that has fields sent. */
  readonly bodies: DeclaredObject[];
  closed: boolean;
  /** The identifiers that were listed; undefined for all. */
  readonly listed: (string | undefined)[];
  reach: Reach;
  /** How long a schedule is not found after its creation. */
  consistencyMs: number;
  /** How long a schedule is not listed after its creation, although it is found by its id. */
  listLagMs: number;
  /** What a create is answered with, given what was made. */
  answered: (made: Created) => Created;
  /** The people of the organization. */
  users: readonly RemoteUser[];
  /** As a person would make it in the browser. */
  add(id: string, attributes: DeclaredObject, createdAt?: string): MemorySchedule;
}

/** The id of the nth thing that was made. */
export const madeId = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

/** What the adapter does before a request goes out. */
async function goOut({ beforeRequest, signal, onRequest, maySend }: CallOptions): Promise<void> {
  await beforeRequest?.();
  if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before the request was sent.');
  onRequest?.('POST');
  if (maySend?.() === false) throw new Failure('state-lock-lost', 'The lock was lost, so it was not sent.');
}

export function makeMemoryService(clock: Clock): MemoryService {
  let count = 0;
  const isThere = ({ createdAt }: MemorySchedule) => Date.parse(createdAt) + made.consistencyMs <= clock.now();
  const find = (id: string) => {
    const found = made.schedules.get(id);
    if (found === undefined || !isThere(found)) throw refusal(404);
    return found;
  };
  const change = async <T>(
    what: string,
    options: CallOptions = {},
    work: () => T,
    attributes?: DeclaredObject,
  ): Promise<T> => {
    await goOut(options);
    await made.reach(`before ${what}`, attributes);
    made.sent.push(what);
    if (attributes !== undefined) made.bodies.push(attributes);
    const value = work();
    await made.reach(`after ${what}`, attributes);
    return value;
  };
  const switchTo = (id: string, paused: boolean) => {
    const found = find(id);
    if (found.stopped !== undefined || found.paused === paused) throw refusal(400);
    found.paused = paused;
  };
  const nextId = () => {
    count += 1;
    return madeId(count);
  };
  const made: MemoryService = {
    schedules: new Map(),
    sent: [],
    bodies: [],
    closed: false,
    listed: [],
    reach: () => undefined,
    consistencyMs: 0,
    listLagMs: 0,
    answered: (created) => created,
    users: [],
    add: (id, attributes, createdAt = new Date(clock.now()).toISOString()) => {
      const schedule: MemorySchedule = { id, attributes, paused: false, createdAt };
      made.schedules.set(id, schedule);
      return schedule;
    },
    api: {
      updateFilters: (attributes, options) =>
        change(`PATCH ${text(attributes, 'identifier')}`, options, () => undefined, attributes),
      createSchedule: (attributes, options) =>
        change(
          `POST ${text(attributes, 'name')}`,
          options,
          () => {
            const id = nextId();
            if (attributes['testNow'] === true) return { outputs: {} };
            const { userId } = attributes;
            made.add(id, attributes).ownerId = typeof userId === 'string' ? userId : undefined;
            return made.answered({ id, outputs: {} });
          },
          attributes,
        ),
      createAiJob: (attributes, options) =>
        change(`RUN ${text(attributes, 'prompt')}`, options, () => ({ id: nextId(), outputs: {} }), attributes),
      updateSchedule: (id, attributes, options) =>
        change(
          `PUT ${id}`,
          options,
          () => {
            find(id).attributes = attributes;
          },
          attributes,
        ),
      deleteSchedule: (id, options) =>
        change(`DELETE ${id}`, options, () => {
          find(id);
          made.schedules.delete(id);
        }),
      pauseSchedule: (id, options) => change(`PAUSE ${id}`, options, () => switchTo(id, true)),
      resumeSchedule: (id, options) => change(`RESUME ${id}`, options, () => switchTo(id, false)),
      transferOwnership: (id, owner, options) =>
        change(`TRANSFER ${id} ${owner}`, options, () => {
          const found = find(id);
          if (found.ownerId === owner) throw refusal(400);
          found.ownerId = owner;
        }),
      listUsers: async ({ email }) => made.users.filter((user) => email === undefined || user.email === email),
      listSchedules: async ({ identifier }) => {
        const only = identifier instanceof Secret ? identifier.reveal() : (identifier as string | undefined);
        made.listed.push(only);
        const isListed = ({ createdAt }: MemorySchedule) => Date.parse(createdAt) + made.listLagMs <= clock.now();
        const rows = [...made.schedules.values()].filter((each) => isThere(each) && isListed(each)).map(rowOf);
        return only === undefined ? rows : rows.filter((row) => row.identifier === only);
      },
      getSchedule: async (id) => {
        const found = find(id);
        const { createdAt } = found;
        return { ...rowOf(found), createdAt, updatedAt: createdAt, metadata: {}, destinations: [] };
      },
      getRecipients: async (id) => {
        const { destinationType, recipients, ...settings } = find(id).attributes as JsonObject;
        const emails = Array.isArray(recipients) ? recipients.map(String) : [];
        return { type: String(destinationType), emails, groups: [], settings } as RemoteRecipients;
      },
      getFilters: async (identifier) => ({ identifier, filters: {}, controls: {}, filterOrder: [] }),
      clockDifference: () => undefined,
      close: async () => {
        made.closed = true;
      },
      // No test asks for the rest.
    } satisfies Partial<Api> as unknown as Api,
  };
  return made;
}

function rowOf({ id, attributes, paused, stopped, ownerId }: MemorySchedule): ListedSchedule {
  return {
    id,
    identifier: text(attributes, 'identifier'),
    name: text(attributes, 'name'),
    schedule: text(attributes, 'schedule'),
    timezone: text(attributes, 'timezone'),
    format: text(attributes, 'format'),
    destinationType: text(attributes, 'destinationType'),
    paused,
    isTile: false,
    stopped,
    ownerId,
  };
}

function text(attributes: DeclaredObject, field: string): string {
  const value = attributes[field];
  return String(value instanceof Secret ? value.reveal() : value);
}
