// Answers of the emulator to each operation, whole and with one field broken. Whatever an answer may hold occurs in
// their organization.

import { demoOrganization } from '../../../src/emulator/demo-organization.ts';
import type { EmulatedObject, StoredRoutine, StoredSchedule } from '../../../src/emulator/store.ts';
import { isJsonObject, type Json } from '../../../src/model/values/json.ts';
import { operations } from '../../../src/omni/operations.ts';
import { bucket, hook, mail, routine, sftp, slack } from '../vocabulary.ts';
import { ids, startFull } from './start-emulator.ts';

export type OperationName = keyof typeof operations;

const at = '2026-03-01T00:00:00.000Z';
const alert = {
  conditionType: 'RESULTS_CHANGED',
  conditionQueryMapKey: '1',
  filterConfig: { region: { values: ['EU'] } },
};
const made: readonly Partial<StoredSchedule>[] = [
  {
    fields: mail({
      ...alert,
      fanOut: true,
      recipients: ['a@x.com', 'ana@example.com'],
    }) as EmulatedObject,
  },
  { fields: mail({ queryIdentifierMapKey: '1' }) as EmulatedObject, userGroupIds: ['g'] },
  { fields: slack() as EmulatedObject, disabledAt: at, lastRun: { at, status: 'COMPLETE' } },
  { fields: sftp({ passwordUnencrypted: undefined }) as EmulatedObject, systemDisabled: { at, reason: 'noAccess' } },
  { fields: bucket() as EmulatedObject, ownerId: ids.bo, options: { newOption: true } },
  { fields: hook({ timezoneOverride: 'Europe/Berlin' }) as EmulatedObject },
];

const routines: readonly Partial<StoredRoutine>[] = [
  {
    fields: routine({ description: 'For all', branchId: ids.branch, topicName: 'customers' }) as EmulatedObject,
    lastRun: { at, status: 'COMPLETE' },
  },
  {
    fields: routine({ destination: { type: 'email', userGroupIds: [ids.board] } }) as EmulatedObject,
    disabled: true,
  },
  {
    fields: routine({
      destination: { type: 'slack', recipientId: 'C1', slackRecipientType: 'channel' },
    }) as EmulatedObject,
    systemDisabled: true,
    systemDisabledReason: 'No access',
  },
];

const idOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

function organization() {
  const data = demoOrganization();
  data.userGroups = [{ id: 'g', name: 'Team', memberIds: [ids.ana, ids.cleo] }];
  made.forEach((schedule, index) => {
    const known = { id: idOf(index), ownerId: null, createdAt: at, updatedAt: at, hasPassword: false, fields: {} };
    data.schedules.push({ ...known, ...schedule });
  });
  data.routines = routines.map((routine, index) => {
    const known = { id: idOf(index), ownerId: ids.ana, createdAt: at, updatedAt: at, fields: {} };
    return { ...known, ...routine };
  });
  const [done] = data.jobs;
  if (done === undefined) throw new Error('The demo has no job.');
  const progress = { iteration: 1, message: 'Reads', updatedAt: at };
  const error = { code: 'model', message: 'No.', detail: 'No such field.' };
  data.jobs.push(
    { ...done, id: idOf(7), completedAt: at },
    { ...done, id: idOf(8), status: 'EXECUTING', progress },
    { ...done, id: idOf(9), status: 'FAILED', error },
  );
  return data;
}

/** Whole answers, by the operation that they answer. */
export async function everyAnswer(): Promise<readonly (readonly [OperationName, Json])[]> {
  const { send } = await startFull({ data: organization() });
  const answers: [OperationName, Json][] = [];
  const ask = async (name: OperationName, id = '', query = '', body?: object) => {
    const { method, path } = operations[name];
    const reply = await send(method, path.replace(/\{\w+\}/, id) + query, body);
    if (reply.status >= 300) throw new Error(`${name}: ${JSON.stringify(reply.body)}`);
    answers.push([name, reply.body as unknown as Json]);
  };
  await ask('listSchedules', '', '?pageSize=4');
  await ask('listSchedules', '', '?pageSize=4&cursor=2');
  await ask('listDocuments', '', '?pageSize=3&include=_count,labels,includeDeleted');
  await ask('listQueries', '12db1a0a');
  await ask('listUsers');
  await ask('listEmailOnlyUsers');
  for (const dashboard of ['12db1a0a', '3f9c2b71', 'e5521fd8']) await ask('getFilters', dashboard);
  for (const [index] of made.entries()) {
    await ask('getSchedule', idOf(index));
    await ask('getRecipients', idOf(index));
  }
  for (const job of [idOf(7), idOf(8), idOf(9)]) await ask('getAiJob', job);
  await ask('getAiJobResult', idOf(7));
  await ask('createSchedule', '', '', bucket());
  await ask('testDelivery', '', '', hook({ testNow: true }));
  await ask('createAiJob', '', '', { modelId: ids.model, prompt: 'Why?' });
  await ask('updateFilters', '12db1a0a', '', { filters: { region: { values: ['EU'] } } });
  await ask('updateSchedule', idOf(5), '', hook());
  await ask('pauseSchedule', idOf(5));
  await ask('resumeSchedule', idOf(5));
  await ask('triggerSchedule', idOf(5));
  await ask('transferOwnership', idOf(5), '', { userId: ids.cleo });
  await ask('cancelAiJob', idOf(8));
  await ask('deleteSchedule', idOf(5));
  await ask('listRoutines', '', '?pageSize=2');
  await ask('createRoutine', '', `?userId=${ids.bo}`, routine());
  await ask('updateRoutine', idOf(0), '', { description: null });
  await ask('triggerRoutine', idOf(0));
  await ask('deleteRoutine', idOf(0));
  return answers;
}

export interface Broken {
  /** What was broken, and how. */
  readonly how: string;
  readonly answer: Json | undefined;
}

/** The answer with one value, at any depth, left out or replaced by something else. */
export function* broken(answer: Json, at = ''): Generator<Broken> {
  yield* others(answer, at);
  if (Array.isArray(answer)) {
    for (const [index, each] of answer.entries()) {
      const place = `${at}/${index}`;
      yield { how: `without ${place}`, answer: answer.toSpliced(index, 1) };
      for (const { how, answer: other = null } of broken(each, place)) yield { how, answer: answer.with(index, other) };
    }
  } else if (isJsonObject(answer)) {
    for (const [name, each] of Object.entries(answer)) {
      const place = `${at}/${name}`;
      const { [name]: _, ...rest } = answer;
      yield { how: `without ${place}`, answer: rest };
      for (const { how, answer: other = null } of broken(each, place))
        yield { how, answer: { ...answer, [name]: other } };
    }
  }
}

function* others(value: Json, at: string): Generator<Broken> {
  const kinds: readonly Json[] = [null, true, 7, '', 'other', [], ['other'], {}, { other: 1 }];
  for (const answer of kinds)
    if (JSON.stringify(answer) !== JSON.stringify(value))
      yield { how: `${at || 'all'} is ${JSON.stringify(answer)}`, answer };
}
