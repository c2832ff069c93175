// Reads the service's answers about an AI job. Only the state is required; the other fields depend on the state.

import type { RemoteAiJob } from '../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Reading } from '../answers/read-created.ts';
import { notAnObject, textIn } from '../answers/read-fields.ts';

export function readAiJob(answer: Json | undefined): Reading<RemoteAiJob> {
  if (!isJsonObject(answer)) return notAnObject;
  const state = textIn(answer, 'state') ?? textIn(answer, 'status');
  if (state === undefined) return { problem: 'It does not say what state the job is in.' };
  const { progress, error } = answer;
  const iteration = isJsonObject(progress) ? progress['iteration'] : undefined;
  return {
    value: {
      state,
      ...(isJsonObject(progress) && {
        progress: { ...(typeof iteration === 'number' && { iteration }), ...texts(progress, ['message']) },
      }),
      ...(isJsonObject(error) && { error: texts(error, ['code', 'message', 'detail']) }),
      ...texts(answer, ['resultSummary', 'conversationId', 'omniChatUrl']),
    },
  };
}

/** The complete answer of the service. */
export function readAiJobResult(answer: Json | undefined): Reading<JsonObject> {
  return isJsonObject(answer) ? { value: answer } : notAnObject;
}

function texts<N extends string>(record: JsonObject, names: readonly N[]): { [K in N]?: string } {
  const found: { [K in N]?: string } = {};
  for (const name of names) {
    const value = textIn(record, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
