// The data file of the emulator: what the emulator writes is read back, and what it could not live with is refused.

import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import { type EmulatorData, problemInData } from '../../src/emulator/store.ts';

test('the kept data of an emulator is read back, whatever else the file holds', () => {
  const data = { ...demoOrganization(), note: 'ours' };
  expect(problemInData(data)).toBeUndefined();
});

test.each<[problem: string, change: (data: EmulatorData) => unknown]>([
  ['Expected object, received null', () => null],
  ['organization: Required', ({ organization: _, ...data }) => data],
  [
    'organization.slackConnected: Expected boolean, received number',
    (data) => ({ ...data, organization: { ...data.organization, slackConnected: 1 } }),
  ],
  [
    'tokens.2.memberId: Required',
    (data) => ({ ...data, tokens: data.tokens.map(({ kind, token }) => ({ kind, token })) }),
  ],
  [
    "tokens.0.kind: Invalid enum value. Expected 'organization' | 'personal', received 'x'",
    (data) => ({ ...data, tokens: [{ kind: 'x', token: 't' }] }),
  ],
  [
    'documents.0.dashboard: Expected object, received number',
    (data) => ({ ...data, documents: [{ ...data.documents[0], dashboard: 1 }] }),
  ],
  [
    'schedules.0.fields: Required',
    (data) => ({ ...data, schedules: [{ id: 'a', ownerId: null, createdAt: '', updatedAt: '', hasPassword: false }] }),
  ],
  ['routines.0.ownerId: Required', (data) => ({ ...data, routines: [{ id: 'a', createdAt: '', updatedAt: '' }] })],
])('a data file of an emulator is refused because %s', (problem, change) => {
  expect(problemInData(change(demoOrganization()))).toBe(problem);
});
