// What the service did not take over from two updates is said and not sent again, unless a sink replaced it.

import { expect, it } from 'vitest';
import type { StateResource } from '../../src/model/plan/state.ts';
import type { ObservedResource } from '../../src/model/service/observed.ts';
import type { SealedResource } from '../../src/model/workspace/resource.ts';
import { withoutNotTaken } from '../../src/plan/not-taken.ts';

const at = '2026-03-01T00:00:00.000Z';
const held = { recipients: ['cleo@customer.example'], textBody: 'Old.' };
const prior: StateResource = {
  id: 'a',
  attributes: { recipients: ['qa@acme.com'], textBody: 'New.' },
  undone: { at, fields: held, again: ['recipients', 'textBody'] },
  createdAt: at,
  updatedAt: at,
};
const observed: ObservedResource = {
  found: true,
  attributes: held,
  fields: new Set(['recipients', 'textBody']),
  updatedAt: at,
};
const desired: SealedResource = {
  kind: 'schedule',
  address: 'schedules.mail',
  attributes: prior.attributes,
  origin: { file: 'schedules/all.yaml', document: 0, pointer: '/schedules/mail' },
  line: 1,
};

it('recipients that a sink replaced count as drift however often Omni keeps its own', () => {
  expect(withoutNotTaken({ prior, desired }, observed).notTaken).toEqual(held);
  const sunk = { ...desired, sink: { environment: 'staging', declared: { recipients: ['cleo@customer.example'] } } };
  const found = withoutNotTaken({ prior, desired: sunk }, observed);
  expect(found.notTaken).toEqual({ textBody: held.textBody });
  expect(found.observed).toMatchObject({ attributes: { recipients: held.recipients } });
});
