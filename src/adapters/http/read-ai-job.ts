// Reads the service's answers about an AI job. Only the state is required; the other fields depend on the state.

import type { RemoteAiJob } from '../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { mapTexts } from '../../model/values/map-texts.ts';
import type { Reading } from '../answers/read-created.ts';
import type { Mask } from './service-text.ts';

/** `mask` is applied to every text. */
export function readAiJob(answer: Json | undefined, mask: Mask): Reading<RemoteAiJob> {
  if (!isJsonObject(answer)) return notAnObject;
  const state = text(answer, 'state', mask) ?? text(answer, 'status', mask);
  if (state === undefined) return { problem: 'It does not say what state the job is in.' };
  const { progress, error } = answer;
  const iteration = isJsonObject(progress) ? progress['iteration'] : undefined;
  return {
    value: {
      state,
      ...(isJsonObject(progress) && {
        progress: { ...(typeof iteration === 'number' && { iteration }), ...texts(progress, ['message'], mask) },
      }),
      ...(isJsonObject(error) && { error: texts(error, ['code', 'message', 'detail'], mask) }),
      ...texts(answer, ['resultSummary', 'conversationId', 'omniChatUrl'], mask),
    },
  };
}

/** The complete answer of the service. */
export function readAiJobResult(answer: Json | undefined, mask: Mask): Reading<JsonObject> {
  if (!isJsonObject(answer)) return notAnObject;
  return { value: mapTexts(answer, mask) as JsonObject };
}

const notAnObject = { problem: 'It is not a JSON object.' } as const;

function text(record: JsonObject, name: string, mask: Mask): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? mask(value) : undefined;
}

function texts<N extends string>(record: JsonObject, names: readonly N[], mask: Mask): { [K in N]?: string } {
  const found: { [K in N]?: string } = {};
  for (const name of names) {
    const value = text(record, name, mask);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
