// Reads the service's answers to requests that change something: what was created, or that the change was made.

import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Created } from '../api.ts';
import { notAnObject, type Reading } from './reading.ts';

/** The answer to creating a schedule. A test delivery creates nothing, so it has no id. */
export function readCreatedSchedule(answer: Json | undefined, testNow: boolean): Reading<Created> {
  if (!isJsonObject(answer)) return notAnObject;
  const outputs = textsOf(answer, ['delivererRoleArn', 'externalId']);
  if (testNow) return { value: { outputs } };
  return readId(answer, 'id', outputs);
}

export function readCreatedAiJob(answer: Json | undefined): Reading<Created> {
  if (!isJsonObject(answer)) return notAnObject;
  return readId(answer, 'jobId', textsOf(answer, ['conversationId', 'omniChatUrl']));
}

/** The answer to an update, delete or pause. It only confirms the change; its content is ignored. */
export function readDone(answer: Json | undefined): Reading<undefined> {
  if (answer === undefined || isJsonObject(answer)) return { value: undefined };
  return notAnObject;
}

function readId(answer: JsonObject, name: string, outputs: JsonObject): Reading<Created> {
  const id = answer[name];
  if (typeof id === 'string' && /^[\w.:-]+$/.test(id)) return { value: { id, outputs } };
  return { problem: id === undefined ? `It has no ${name}.` : `Its ${name} is not an id.` };
}

function textsOf(answer: JsonObject, names: readonly string[]): JsonObject {
  const texts: Record<string, Json> = {};
  for (const name of names) {
    const text = answer[name];
    if (typeof text === 'string' && text !== '') texts[name] = text;
  }
  return texts;
}
