// Sends one request of a change, by kind, or transfers a schedule. A request whose effect is there already (deleted,
// paused) counts as done.

import { ownerOf } from '../model/fields/identity.ts';
import type { Clock } from '../model/outside.ts';
import type { Created, RemoteRecipients } from '../model/service/remote.ts';
import { command } from '../model/values/command.ts';
import { Failure, statusOf } from '../model/workspace/failure.ts';
import type { Declared, DeclaredObject } from '../model/workspace/resource.ts';
import { isAddress, isSameId, mayNotAskForPeople, memberAt, ownerIdOf } from '../observe/owners/owners.ts';
import { type Age, retryWhileNew, unlessOpen } from '../observe/sending.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import { withIgnored } from '../plan/kept.ts';
import { clearedFields, pickPatch } from '../plan/patch.ts';
import type { Step } from '../plan/plan.ts';
import { plannedAs } from '../plan/planned-as.ts';
import type { RequestKind } from '../plan/requests.ts';
import { isListed } from './read-lists.ts';
import type { RecipientsSent } from './recipients-sent.ts';

export interface Sender {
  readonly api: Api;
  readonly clock: Clock;
  /** The declaration, with its secrets; undefined if the resource is no longer declared. */
  readonly declared: DeclaredObject | undefined;
  readonly options: CallOptions;
  /** The id that the change has created, or the one in the state. */
  readonly id: string | undefined;
  /** The membership id for which the request acts; only for resources that only their owner sees. */
  readonly madeBy: string | undefined;
  /** The receivers whom the request adds or removes. */
  readonly recipients?: RecipientsSent | undefined;
  /** The time when the request's schedule was created, ISO 8601. */
  readonly createdAt: string | undefined;
}

/** Sends one request of a change. Throws what the api throws. */
type SendOne = (step: Step, sender: Sender) => Promise<Created | undefined>;

/** The functions that send each kind of request. One that a resource's kind lacks is never planned for it. */
export type Requests = Readonly<Partial<Record<RequestKind, SendOne>>>;

export const dashboardRequests: Requests = {
  patch: (step, sender) => nothing(sender.api.updateFilters(patched(step, attributesOf(step, sender)), sender.options)),
};

export const scheduleRequests: Requests = {
  post: (step, sender) => createForOwner(attributesOf(step, sender), sender.api, sender.options),
  put: (step, sender) => nothing(replaceWhole(step, sender)),
  transfer: (step, sender) => nothing(transfer(step, sender)),
  delete: (step, sender) => nothing(deleteAsked(step, sender)),
  pause: (_, sender) => nothing(switchPaused(sender, true)),
  resume: (_, sender) => nothing(switchPaused(sender, false)),
  remove: (_, sender) => nothing(takeOff(sender)),
  add: (_, sender) => nothing(addGroups(sender)),
  settle: (_, sender) => nothing(addGroups(sender)),
};

export const routineRequests: Requests = {
  post: (step, sender) => createFor(step, sender),
  patch: (step, sender) => nothing(updateRoutine(step, sender)),
  delete: (step, sender) => nothing(deleteRoutine(step, sender)),
};

export const aiJobRequests: Requests = {
  post: (step, sender) => sender.api.createAiJob(attributesOf(step, sender), sender.options),
};

async function nothing(done: Promise<unknown>): Promise<undefined> {
  await done;
}

/** The attributes to send, with the present name of the dashboard. */
function attributesOf({ change, ignored, renamedTo }: Step, { declared }: Sender): DeclaredObject {
  if (declared === undefined) throw new Error(`nothing to send for ${change.address}`);
  const attributes = withIgnored<Declared>(declared, ignored) as DeclaredObject;
  return renamedTo === undefined ? attributes : { ...attributes, identifier: renamedTo };
}

/** Creates, or delivers once, a schedule that runs with the rights of its declared owner. Throws what the api throws. */
export async function createForOwner(attributes: DeclaredObject, api: Api, options: CallOptions): Promise<Created> {
  const { owner } = attributes;
  if (typeof owner !== 'string') return api.createSchedule(attributes, options);
  return api.createSchedule({ ...attributes, userId: await ownerIdOf(owner, api, options) }, options);
}

async function transfer(step: Step, sender: Sender): Promise<void> {
  const { api, options } = sender;
  const owner = step.after?.['owner'];
  if (typeof owner !== 'string') throw new Error(`no owner for ${step.change.address}`);
  const to = await ownerIdOf(owner, api, options);
  const gift = { id: idOf(sender.id), to, identifier: attributesOf(step, sender)['identifier'] };
  await transferTo(gift, api, options, (send) => retryWhileNew(ageOf(sender), send));
}

async function takeOff(sender: Sender): Promise<void> {
  const { api, options, recipients } = sender;
  const { remove = [], emails = [] } = recipients ?? {};
  const leaving = {
    ...(emails.length > 0 ? { emails } : {}),
    ...(remove.length > 0 ? { userGroupIds: remove.map(({ id }) => id) } : {}),
  };
  await retryWhileNew(ageOf(sender), () => api.removeRecipients(idOf(sender.id), leaving, options));
}

/** Adds first the groups that the schedule surely had: an id that Omni does not know must not keep them off. */
async function addGroups(sender: Sender): Promise<void> {
  const { api, options, recipients } = sender;
  const { had = [], add = [] } = recipients ?? {};
  const isHad = (id: string) => had.some((group) => group.id === id);
  const ids = add.map(({ id }) => id);
  for (const some of [ids.filter(isHad), ids.filter((id) => !isHad(id))])
    if (some.length > 0) await retryWhileNew(ageOf(sender), () => api.addRecipients(idOf(sender.id), some, options));
}

/** Reads who receives it now. Throws what the api throws. */
export function askRecipients(sender: Sender): Promise<RemoteRecipients> {
  return retryWhileNew(ageOf(sender), () => sender.api.getRecipients(idOf(sender.id), sender.options));
}

function replaceWhole(step: Step, sender: Sender): Promise<void> {
  const { api, options } = sender;
  return retryWhileNew(ageOf(sender), () => api.updateSchedule(idOf(sender.id), replacementOf(step, sender), options));
}

function replacementOf(step: Step, sender: Sender): DeclaredObject {
  const attributes = attributesOf(step, sender);
  return { ...clearedFields(step.before, attributes), ...attributes };
}

function patched({ patch, change: { kind } }: Step, attributes: DeclaredObject): DeclaredObject {
  return patch === undefined ? attributes : pickPatch<Declared>(attributes, patch, plannedAs[kind].patched?.emptied);
}

function createFor(step: Step, sender: Sender): Promise<Created> {
  const { api, options, madeBy } = sender;
  const attributes = attributesOf(step, sender);
  return api.createRoutine(madeBy === undefined ? attributes : { ...attributes, userId: madeBy }, options);
}

function updateRoutine(step: Step, sender: Sender): Promise<void> {
  const { api, options, madeBy: owner } = sender;
  const fields = patched(step, attributesOf(step, sender));
  return retryWhileNew(ageOf(sender), () => api.updateRoutine(idOf(sender.id), fields, { owner }, options));
}

/**
 * Deletes the routine of the change, or the previous one of a replacement. Omni says of a routine of somebody else, and of all
 * that a former member had, that it does not exist: it counts as gone once the list of its owner lacks it.
 */
async function deleteRoutine({ change }: Step, sender: Sender): Promise<void> {
  const { api, options, madeBy: owner } = sender;
  const id = change.action === 'replace' ? idOf(change.id) : idOf(sender.id);
  try {
    await retryWhileNew(ageOf(sender), () => api.deleteRoutine(id, { owner }, options));
  } catch (error) {
    if (![403, 404].includes(statusOf(error) ?? 0)) throw error;
    const listed = owner === undefined ? undefined : await unlessOpen(api.listRoutines({ owner }, options));
    if (listed === undefined) throw ownerNotFound(change, id, owner, error);
    if (listed.some((row) => isSameId(row.id, id))) throw stillListed('routine', id, error);
    const recorded = ownerOf(change.before ?? {});
    if (recorded !== undefined && owner !== undefined && (await isAnotherMember(recorded, owner, sender)))
      throw wrongMember(change, id, [owner, recorded], error);
  }
}

async function isAnotherMember(recorded: string, id: string, { api, options }: Sender): Promise<boolean> {
  if (!isAddress(recorded)) return !isSameId(recorded, id);
  const member = await memberAt(recorded, api, options).catch((error: unknown) => {
    if (!mayNotAskForPeople(error)) throw error;
    return undefined;
  });
  return member !== undefined && !isSameId(member.id, id);
}

/** The state contradicts itself, as the list of the member whom it names says nothing. */
function wrongMember(
  { address }: Step['change'],
  id: string,
  [owner, recorded]: readonly [string, string],
  cause: unknown,
): Failure {
  const why = `According to the state, the routine ${id} was made for ${owner}, but Omni does not find it there, and its owner in the state, ${recorded}, is a different member.`;
  return new Failure('api-rejected', why, {
    hint: `Somebody may have edited the state: restore an earlier state. If the routine is gone from Omni, \`${command('state rm', address)}\` stops tracking it.`,
    cause,
  });
}

/** The refusal if it is not known whether the routine is gone. */
function ownerNotFound(
  { address, reason }: Step['change'],
  id: string,
  owner: string | undefined,
  cause: unknown,
): Failure {
  const why =
    owner === undefined
      ? `Omni does not find the routine ${id} for the member of this token, and it is not known for whom it was made.`
      : `Omni does not find the routine ${id}, and does not list what its owner (${owner}) has: its owner is no longer a member; it may be gone with the account.`;
  const off = reason === 'replaced' ? command('state orphans', '--clear', id) : command('state rm', address);
  return new Failure('api-rejected', why, {
    hint: `Check in Omni. If the routine is gone, \`${off}\` removes it from the state.`,
    cause,
  });
}

/** Deletes the schedule of the change, or the previous one of a replacement. It counts as gone once the list lacks it. */
async function deleteAsked({ change }: Step, sender: Sender): Promise<void> {
  const { api, options } = sender;
  const id = change.action === 'replace' ? idOf(change.id) : idOf(sender.id);
  try {
    await retryWhileNew(ageOf(sender), () => api.deleteSchedule(id, options));
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    if (await isListed('schedule', id, { identifier: change.before?.['identifier'] }, api, options))
      throw stillListed('schedule', id, error);
  }
}

function stillListed(what: string, id: string, cause: unknown): Failure {
  const message = `Omni does not find the ${what} ${id} to delete it, and still lists it.`;
  return new Failure('api-rejected', message, {
    hint: `Apply again in a moment. If the same error comes back, the token may not change the ${what}: delete it in Omni.`,
    cause,
  });
}

/** A 400 means that the schedule is already so, or that the service has stopped it; its details say which. */
async function switchPaused(sender: Sender, paused: boolean): Promise<void> {
  const { api, options } = sender;
  const id = idOf(sender.id);
  try {
    await retryWhileNew(ageOf(sender), () =>
      paused ? api.pauseSchedule(id, options) : api.resumeSchedule(id, options),
    );
  } catch (error) {
    if (statusOf(error) !== 400) throw error;
    const found = await api.getSchedule(id, options);
    if (found.stopped !== undefined && !(paused && found.paused)) throw stoppedByService(paused, found.stopped);
    if (found.paused !== paused) throw error;
  }
}

function stoppedByService(paused: boolean, why: string): Failure {
  return new Failure(
    'api-rejected',
    `It cannot be ${paused ? 'paused' : 'resumed'}: Omni itself has stopped it (${why}).`,
    { hint: 'Fix the cause in Omni, or replace the schedule with --replace.' },
  );
}

function ageOf({ clock, createdAt, options }: Sender): Age {
  return { clock, createdAt, signal: options.signal };
}

function idOf(id: string | undefined): string {
  if (id === undefined) throw new Error('nothing with an id');
  return id;
}

// Transfers one schedule to a member, for an apply and for `offboard`.

interface Transfer {
  readonly id: string;
  /** A membership id. */
  readonly to: string;
  /** The identifier of its dashboard, if known: it makes the list shorter. */
  readonly identifier: Declared | undefined;
}

/**
 * The service answers 400 if the schedule belongs to them already, and also after an answer that was lost; the list says which.
 * `send` sends the request, and may repeat it. Throws what the api throws.
 */
export async function transferTo(
  { id, to, identifier }: Transfer,
  api: Pick<Api, 'transferOwnership' | 'listSchedules' | 'getSchedule'>,
  options: CallOptions,
  send: (transfer: () => Promise<void>) => Promise<void> = (transfer) => transfer(),
): Promise<void> {
  try {
    await send(() => api.transferOwnership(id, to, options));
  } catch (error) {
    if (statusOf(error) !== 400) throw error;
    const listed = await api.listSchedules(identifier === undefined ? {} : { identifier }, options);
    // The list may lag behind.
    const { ownerId = '' } = listed.find((row) => row.id === id) ?? (await api.getSchedule(id, options));
    if (!isSameId(ownerId, to)) throw error;
  }
}
