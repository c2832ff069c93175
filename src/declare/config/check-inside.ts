// The check `recipient-not-inside` in almanac.yaml: it needs a list of domains, and the sinks of environments receive, too.

import { type Json, type JsonObject, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { outsideTest, outsideWords } from '../inside/recipients-inside.ts';

/** `value`: the whole of almanac.yaml. */
export function checkInside(value: Json): readonly RuleFinding[] {
  const severity = mapAt(value, 'checks')['recipient-not-inside'];
  if (severity !== 'warning' && severity !== 'error') return [];
  const { internalDomains = [] } = mapAt(value, 'safety');
  const domains = Array.isArray(internalDomains) ? internalDomains : undefined;
  if (domains?.length === 0)
    return [
      {
        code: 'no-internal-domains',
        message: '`safety.internalDomains` is empty, so the check would call every address outside.',
        hint: 'List your domains: `safety: { internalDomains: [example.com] }`.',
        pointer: pointerTo('checks', 'recipient-not-inside'),
        at: 'key',
      },
    ];
  const isOutside = outsideTest(
    (domains ?? []).flatMap((each: Json) => (typeof each === 'string' ? each.toLowerCase() : [])),
  );
  return Object.keys(mapAt(value, 'environments')).flatMap((name) => {
    const deliver = mapAt(value, 'environments', name, 'deliver');
    return sinksIn(deliver).flatMap(({ address, pointer }): readonly RuleFinding[] => {
      if (!isOutside(address)) return [];
      const words = outsideWords(address, `everything that the environment ${name} sends by e-mail goes there`);
      const hint = 'Use an address of your own, or list its domain. A sink cannot be waived.';
      return [{ ...words, hint, pointer: pointerTo('environments', name, 'deliver', 'email') + pointer }];
    });
  });
}

function sinksIn({ email }: JsonObject): readonly { readonly address: string; readonly pointer: string }[] {
  if (typeof email === 'string') return [{ address: email, pointer: '' }];
  const list: readonly Json[] = Array.isArray(email) ? email : [];
  return list.flatMap((address, index) =>
    typeof address === 'string' ? [{ address, pointer: pointerTo(index) }] : [],
  );
}
