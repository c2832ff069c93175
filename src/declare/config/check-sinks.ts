// The sinks in almanac.yaml: what its schema cannot tell. They receive everything of an environment, so they are held to
// the rules of recipients.

import { refused, skipped } from '../../model/fields/config-fields.ts';
import { holdsKey } from '../../model/values/credentials.ts';
import { type Json, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { checkUrl } from '../formats/check-url.ts';
import { secretPartsOf } from '../rules/secrets.ts';

/** `value`: the whole of almanac.yaml. */
export function checkSinks(value: Json): readonly RuleFinding[] {
  const environments = mapAt(value, 'environments');
  return Object.keys(environments).flatMap((name) => {
    const { email, webhook } = mapAt(environments, name, 'deliver');
    const pointer = pointerTo('environments', name, 'deliver');
    return [...emailFaults(email, `${pointer}/email`), ...webhookFaults(webhook, `${pointer}/webhook`)];
  });
}

function emailFaults(email: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof email === 'string' && email !== refused && email !== skipped)
    return checkEmail(email).map((fault) => ({ ...fault, pointer }));
  if (!Array.isArray(email)) return [];
  return email.flatMap((address: Json, index) =>
    typeof address === 'string'
      ? checkEmail(address).map((fault) => ({ ...fault, pointer: pointer + pointerTo(index) }))
      : [],
  );
}

function webhookFaults(url: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof url !== 'string' || url === refused || url === skipped) return [];
  return [
    ...checkUrl(url).map((fault) => ({ ...fault, pointer })),
    ...secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `webhook contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Use an address that may be public.',
      pointer,
      at: 'key' as const,
      // Plans and the state show a sink as it is.
      ...(holdsKey(url) ? { severity: 'error' as const } : {}),
    })),
  ];
}
