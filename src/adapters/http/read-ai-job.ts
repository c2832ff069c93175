// Reads the service's answers about an AI job. Only the state is required; the other fields depend on the state.

import type { RemoteAiJob } from '../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Reading } from '../answers/read-created.ts';
import { notAnObject, textIn, textsIn } from '../answers/read-fields.ts';

export function readAiJob(answer: Json | undefined): Reading<RemoteAiJob> {
  if (!isJsonObject(answer)) return notAnObject;
  const state = textIn(answer, 'state') ?? textIn(answer, 'status');
  if (state === undefined) return { problem: 'It does not say what state the job is in.' };
  const { progress, error } = answer;
  return {
    value: {
      state,
      progress: isJsonObject(progress) ? progressIn(progress) : undefined,
      error: isJsonObject(error) ? textsIn(error, ['code', 'message', 'detail']) : undefined,
      ...textsIn(answer, ['resultSummary', 'conversationId', 'omniChatUrl']),
    },
  };
}

/** The complete answer of the service. */
export function readAiJobResult(answer: Json | undefined): Reading<JsonObject> {
  return isJsonObject(answer) ? { value: answer } : notAnObject;
}

function progressIn(progress: JsonObject): RemoteAiJob['progress'] {
  const { iteration } = progress;
  return { iteration: typeof iteration === 'number' ? iteration : undefined, message: textIn(progress, 'message') };
}
