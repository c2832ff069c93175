// The sinks in almanac.yaml: what its schema cannot tell. They receive everything of an environment, so they are held to
// the rules of recipients.

import { refused } from '../../model/fields/deliver-fields.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { checkUrl } from '../formats/check-url.ts';
import { secretPartsOf } from './secrets.ts';

/** `value`: the whole of almanac.yaml. */
export function checkSinks(value: Json): readonly RuleFinding[] {
  const environments = isJsonObject(value) ? value['environments'] : undefined;
  if (!isJsonObject(environments)) return [];
  return Object.entries(environments).flatMap(([name, environment]) => {
    const deliver = isJsonObject(environment) ? environment['deliver'] : undefined;
    if (!isJsonObject(deliver)) return [];
    const below = pointerTo('environments', name, 'deliver');
    return [
      ...emailFaults(deliver['email'], `${below}/email`),
      ...webhookFaults(deliver['webhook'], `${below}/webhook`),
    ];
  });
}

function emailFaults(email: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof email === 'string' && email !== refused) return checkEmail(email).map((fault) => ({ ...fault, pointer }));
  if (!Array.isArray(email)) return [];
  return email.flatMap((address: Json, index) =>
    typeof address === 'string'
      ? checkEmail(address).map((fault) => ({ ...fault, pointer: pointer + pointerTo(index) }))
      : [],
  );
}

function webhookFaults(url: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof url !== 'string' || url === refused) return [];
  return [
    ...checkUrl(url).map((fault) => ({ ...fault, pointer })),
    ...secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `webhook contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Use an address that may be public.',
      pointer,
      at: 'key' as const,
    })),
  ];
}
