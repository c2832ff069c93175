// Nothing in almanac.yaml is a secret: messages and documents name its places, names and domains. So a key in it is an error,
// which no check lowers, and little else is reported of a workspace that has one.

import { holdsKey } from '../../model/values/credentials.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';

/** Of variables, declarations decide what they are; base URLs and the sink of webhooks are held to rules of their own. */
const judgedElsewhere = /^(?:\/environments\/[^/]+)?\/(?:api\/baseUrl|variables|deliver\/webhook)(?:\/|$)/;

/** `value`: the whole of almanac.yaml. */
export function checkCredentials(value: Json): readonly RuleFinding[] {
  return textsIn(value, '')
    .filter(({ text, pointer }) => holdsKey(text) && !judgedElsewhere.test(pointer))
    .map(({ pointer, at }) => ({
      code: 'secret-in-plain-text',
      severity: 'error',
      message: 'A key is written here. Everyone who can read the repository can read it, now and in its history.',
      hint: 'Remove it from the file, and replace the key.',
      pointer,
      at,
    }));
}

interface Text {
  readonly text: string;
  readonly pointer: Pointer;
  readonly at: 'key' | 'value';
}

function textsIn(value: Json, pointer: Pointer): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, pointer, at: 'value' }];
  if (Array.isArray(value)) return value.flatMap((each: Json, index) => textsIn(each, pointer + pointerTo(index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const below = pointer + pointerTo(key);
    return [{ text: key, pointer: below, at: 'key' } as const, ...textsIn(each, below)];
  });
}
