// Whether a state that was read may hold a sealed secret: where it is known to hold none, nobody looks for one.

import { expect, it } from 'vitest';
import { isKnownLiteral } from '../../../src/model/plan/state.ts';
import { parseState } from '../../../src/parse/state/parse-state.ts';

function stateWith(password: string): string {
  return `{
    "version": 2, "lineage": "00000000-0000-4000-8000-000000000000", "serial": 1, "toolVersion": "0.1.0",
    "baseUrl": "https://acme.omniapp.co/api", "salt": "AAAAAAAAAAAAAAAAAAAAAA==", "orphans": [], "unresolved": [],
    "resources": { "schedules.a": { "attributes": { "password": ${password} },
      "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z" } }
  }`;
}

it.each([
  ['without a secret', '"x"', true],
  ['with a sealed secret', '{ "$secret": "AAAA" }', false],
  ['with a sealed secret whose key is written with an escape', '{ "\\u0024secret": "AAAA" }', false],
])('a state %s is told apart', (_, password, isLiteral) => {
  const { resources } = parseState(stateWith(password), 'almanac.state.json');
  expect(isKnownLiteral(resources)).toBe(isLiteral);
  expect(isKnownLiteral({ ...resources })).toBe(false);
});
