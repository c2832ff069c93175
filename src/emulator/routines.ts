// AI routines: a prompt that is answered by a schedule, and whose answer is delivered. A routine belongs to a member, and
// only a request for that member sees it.

import { type Answer, Rejection } from './answers.ts';
import { anId, aString, checkFields, isUuid, oneOf, readQuery } from './checks.ts';
import { aPageSize, cutPage, type Operation, type OperationInput, requireMember, sameId } from './requests.ts';
import {
  checkDestination,
  checkRoutineModel,
  countRecipients,
  createFields,
  currentDestination,
  isOff,
  membershipsOf,
  storedRoutine,
  updateFields,
  whyBroken,
} from './routine-rules.ts';
import { isThereYet } from './schedules.ts';
import type { EmulatedObject, RunStatus, Store, StoredRoutine } from './store.ts';

const prefix = 'Bad Request: ';

/**
 * The member for whom an operation acts: the creator of a personal token, or the member whom an organization key names.
 * Which member it is without `userId` is not published: here it is the first of the organization.
 */
function readOwner({ caller, store }: OperationInput, userId: string | undefined): string {
  if (caller.kind === 'personal' && userId !== undefined) {
    throw new Rejection(403, 'A personal access token cannot be used with userId');
  }
  const asked = caller.kind === 'personal' ? caller.memberId : (userId ?? store.data.members[0]?.id ?? '');
  const id = requireMember(store, asked);
  const member = store.data.members.find((known) => known.id === id);
  if (member?.active === false) throw new Rejection(403, `User with id ${id} is deactivated`);
  if (member?.canUseAi === false) throw new Rejection(403, 'Permission denied: the user may not use AI');
  return id;
}

/** For operations with no other parameter. */
function ownerIn(call: OperationInput): string {
  return readOwner(call, readQuery(call.query, { userId: anId }, prefix).userId);
}

function routinesOf(ownerId: string, call: OperationInput): StoredRoutine[] {
  const { routines = [] } = call.store.data;
  const found = routines.filter((routine) => routine.ownerId === ownerId && isThereYet(routine, call));
  call.runs.routines.catchUp(found);
  return found;
}

/** The routine that a path names. Other members' routines are not found. */
function findRoutine(call: OperationInput): StoredRoutine {
  const owner = ownerIn(call);
  if (!isUuid(call.id)) throw new Rejection(400, `${prefix}routineId: Invalid uuid`);
  const routine = routinesOf(owner, call).find(({ id }) => sameId(id, call.id));
  if (routine === undefined) throw new Rejection(404, `Routine with id ${call.id} does not exist`);
  return routine;
}

const sortValues = {
  createdAt: ({ createdAt }) => createdAt,
  name: (routine) => storedRoutine(routine).name,
  updatedAt: ({ updatedAt }) => updatedAt,
} satisfies Readonly<Record<string, (routine: StoredRoutine) => string>>;

const parameters = {
  cursor: aString,
  pageSize: aPageSize,
  sortDirection: oneOf('asc', 'desc'),
  sortField: oneOf(...(Object.keys(sortValues) as (keyof typeof sortValues)[])),
  userId: anId,
};

/** GET /v1/ai/routines: the routines of one member, whole, sorted and page by page. */
function listRoutines(call: OperationInput): Answer {
  const { userId, pageSize = 20, ...given } = readQuery(call.query, parameters, prefix);
  const asked = { sortField: 'createdAt', sortDirection: 'desc', ...given, pageSize: Number(pageSize) } as const;
  const found = routinesOf(readOwner(call, userId), call);
  const placeOf = (routine: StoredRoutine) => ({ value: sortValues[asked.sortField](routine), id: routine.id });
  const { pageInfo, page } = cutPage(found, asked, placeOf, prefix);
  return { status: 200, body: { pageInfo, records: page.map((routine) => toRoutine(routine, call.store)) } };
}

const labels = {
  COMPLETE: 'Delivered',
  ERROR: 'Failed',
  ERROR_DELIVERED: 'Delivered with errors',
  KILLED: 'Cancelled',
  CONDITION_UNMET: 'Not delivered',
} satisfies Readonly<Record<RunStatus, string>>;

function toRoutine(routine: StoredRoutine, store: Store) {
  const { id, run, lastRun, disabled = false, systemDisabled = false, createdAt, updatedAt } = routine;
  const { name, description, prompt, modelId, branchId, topicName, schedule, timezone } = storedRoutine(routine);
  const ended = lastRun && { completedAt: lastRun.at, label: labels[lastRun.status], state: lastRun.status };
  return {
    id,
    name,
    description: description ?? null,
    prompt,
    modelId,
    branchId: branchId ?? null,
    topicName: topicName ?? null,
    schedule,
    timezone,
    destination: currentDestination(routine, store),
    disabled,
    systemDisabled,
    systemDisabledReason: routine.systemDisabledReason ?? null,
    recipientCount: countRecipients(routine, store),
    lastRun: (run ? { completedAt: null, label: 'Running', state: 'EXECUTING' } : ended) ?? null,
    createdAt,
    updatedAt,
  };
}

const usualMost = 100;

/**
 * POST /v1/ai/routines. Sending the same request twice creates two routines. A member has a limit of active ones:
 * beyond it the answer is a 429 that no waiting cures.
 */
function createRoutine(call: OperationInput): Answer {
  const { data, save, newId, time } = call.store;
  const ownerId = ownerIn(call);
  const fields = checkFields(call.body, createFields, prefix);
  checkRoutineModel(fields, call.store, prefix);
  checkDestination(fields.destination, call.store, prefix);
  const most = data.organization.mostRoutines ?? usualMost;
  const active = (data.routines ?? []).filter((routine) => routine.ownerId === ownerId && !isOff(routine));
  if (active.length >= most) throw new Rejection(429, `User has reached the maximum of ${most} routines`);
  const [id, at] = [newId(), time()];
  data.routines ??= [];
  data.routines.push({
    id,
    ownerId,
    createdAt: at,
    updatedAt: at,
    fields: fields as EmulatedObject,
    memberships: membershipsOf(fields.destination, call.store),
  });
  save();
  return { status: 201, body: { id } };
}

function getRoutine(call: OperationInput): Answer {
  return { status: 200, body: toRoutine(findRoutine(call), call.store) };
}

/** PATCH /v1/ai/routines/{routineId}: absent fields stay; a destination is replaced as a whole. */
function updateRoutine(call: OperationInput): Answer {
  const { store } = call;
  const routine = findRoutine(call);
  const sent = checkFields(call.body, updateFields, prefix);
  if (sent.destination !== undefined) {
    checkDestination(sent.destination, store, prefix);
    routine.memberships = membershipsOf(sent.destination, store);
  }
  routine.fields = { ...routine.fields, ...(sent as EmulatedObject) };
  routine.updatedAt = store.time();
  store.save();
  return { status: 200, body: toRoutine(routine, store) };
}

function deleteRoutine(call: OperationInput): Answer {
  const { data, save } = call.store;
  const routine = findRoutine(call);
  data.routines = data.routines?.filter((known) => known !== routine);
  save();
  return { status: 200, body: { deleted: true, id: routine.id } };
}

/** POST .../trigger: one run now. One that cannot work is refused, and does not stop the routine. */
function triggerRoutine(call: OperationInput): Answer {
  const { store, runs } = call;
  const routine = findRoutine(call);
  if (isOff(routine)) throw new Rejection(404, `Routine with id ${routine.id} is paused or disabled`);
  if (runs.routines.isRunning(routine)) throw new Rejection(409, 'The routine is already running');
  const reason = whyBroken(routine, store);
  if (reason !== undefined) throw new Rejection(400, `${prefix}${reason}`);
  runs.routines.begin(routine);
  const { name, modelId, destination } = storedRoutine(routine);
  const [id, at] = [store.newId(), store.time()];
  const what = { identifier: modelId, name, format: 'routine', destinationType: destination.type };
  store.data.deliveries.push({ id, at, ownerId: routine.ownerId, ...what });
  store.save();
  return { status: 202, body: { id } };
}

const routines = '/v1/ai/routines';
const routine = `${routines}/{routineId}`;

export const routineOperations: readonly Operation[] = [
  { method: 'GET', path: routines, answer: listRoutines },
  { method: 'POST', path: routines, hasBody: true, answer: createRoutine },
  { method: 'GET', path: routine, answer: getRoutine },
  { method: 'PATCH', path: routine, hasBody: true, answer: updateRoutine },
  { method: 'DELETE', path: routine, answer: deleteRoutine },
  { method: 'POST', path: `${routine}/trigger`, answer: triggerRoutine },
];
