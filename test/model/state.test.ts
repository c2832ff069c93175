import { expect, test } from 'vitest';
import { trackedAt } from '../../src/model/plan/state.ts';

const resource = { attributes: {}, createdAt: '2026-11-01T09:00:00Z', updatedAt: '2026-11-01T09:00:00Z' };
const state = { resources: { 'schedules.a': resource } };

test('trackedAt returns what is tracked at an address', () => {
  expect(trackedAt(state, 'schedules.a')).toBe(resource);
  expect(trackedAt(state, 'schedules.b')).toBeUndefined();
  expect(trackedAt(undefined, 'schedules.a')).toBeUndefined();
});

test.each(['constructor', 'toString', '__proto__'])('trackedAt finds nothing at %s', (name) => {
  expect(trackedAt(state, name)).toBeUndefined();
});
