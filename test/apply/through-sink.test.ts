// What may be delivered at once in an environment with a sink.

import { expect, it } from 'vitest';
import { refuseUnlessThroughSink } from '../../src/apply/through-sink.ts';
import { stateOf } from '../support/apply/declared.ts';
import { schedule } from '../support/plan/planning.ts';

const address = 'schedules.s';
const attributes = schedule({ recipients: ['qa@example.com'] });
const resource = { kind: 'schedule', address, attributes } as const;
const deliver = { environment: 'staging', email: ['qa@example.com'], slack: undefined, webhook: undefined };
const applied = { [address]: { id: 'x', attributes, throughSink: true } } as const;

it('nothing is delivered while it is not known what an open change has sent, although the state records the sink', () => {
  expect(() => refuseUnlessThroughSink(resource, stateOf(applied), deliver)).not.toThrow();
  const open = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes } as const;
  expect(() => refuseUnlessThroughSink(resource, stateOf(applied, { unresolved: [open] }), deliver)).toThrow(
    `${address} was not applied through the sink of staging`,
  );
});
