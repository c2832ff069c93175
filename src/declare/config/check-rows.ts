// `safety.rows` in almanac.yaml, and the check that needs it: it judges who is outside, so there must be an inside.

import { type Json, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';

/** `value`: the whole of almanac.yaml. */
export function checkRows(value: Json): readonly RuleFinding[] {
  const { internalDomains = [], rows } = mapAt(value, 'safety');
  const severity = mapAt(value, 'checks')['rows-of-others'];
  if (rows === undefined)
    return severity === undefined || severity === 'off'
      ? []
      : [
          {
            code: 'required-field',
            message: '`rows` is missing in `safety`, so the check judges nothing.',
            hint: 'Write `safety: { rows: { filters: [customer], allow: tenants.csv } }`, or remove the check.',
            pointer: pointerTo('checks', 'rows-of-others'),
            at: 'key',
          },
        ];
  if (!Array.isArray(internalDomains) || internalDomains.length > 0 || severity === 'off') return [];
  return [
    {
      code: 'no-internal-domains',
      message: '`safety.internalDomains` is empty, so everybody would count as outside.',
      hint: 'List your domains: `safety: { internalDomains: [example.com] }`.',
      pointer: pointerTo('safety', 'rows'),
      at: 'key',
    },
  ];
}
