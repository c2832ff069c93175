// The service's answers to what changes something: what was created, or that it was done.

import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Created } from '../../ports/api.ts';

/** What an answer says, or how it is not as documented. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** The answer to the creation of a schedule; a test delivery makes nothing that an id could name. */
export function readCreatedSchedule(answer: Json | undefined, testNow: boolean): Reading<Created> {
  if (!isJsonObject(answer)) return { problem: 'It is not a JSON object.' };
  const outputs = textsOf(answer, ['delivererRoleArn', 'externalId']);
  if (testNow) return { value: { outputs } };
  return readId(answer, 'id', outputs);
}

export function readCreatedAiJob(answer: Json | undefined): Reading<Created> {
  if (!isJsonObject(answer)) return { problem: 'It is not a JSON object.' };
  return readId(answer, 'jobId', textsOf(answer, ['conversationId', 'omniChatUrl']));
}

/** The answer to an update, a delete, a pause: what is there now, or that it was done. Nothing of it is kept. */
export function readDone(answer: Json | undefined): Reading<undefined> {
  if (answer === undefined || isJsonObject(answer)) return { value: undefined };
  return { problem: 'It is not a JSON object.' };
}

function readId(answer: JsonObject, name: string, outputs: JsonObject): Reading<Created> {
  const id = answer[name];
  if (typeof id === 'string' && /^[\w.:-]+$/.test(id)) return { value: { id, outputs } };
  return { problem: id === undefined ? `It holds no ${name}.` : `Its ${name} is no id.` };
}

function textsOf(answer: JsonObject, names: readonly string[]): JsonObject {
  const texts: Record<string, Json> = {};
  for (const name of names) {
    const text = answer[name];
    if (typeof text === 'string' && text !== '') texts[name] = text;
  }
  return texts;
}
