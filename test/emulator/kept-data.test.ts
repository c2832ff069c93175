// The data file of the emulator: what the emulator writes is read back, and what it could not live with is refused.

import { expect, test } from 'vitest';
import { parseEmulatorData } from '../../src/commands/emulator/parse-emulator-data.ts';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatorData } from '../../src/emulator/store.ts';

const read = (data: unknown) => parseEmulatorData(JSON.stringify(data), 'kept.json');

test('the kept data of an emulator is read back, whatever else the file holds', () => {
  const data = { ...demoOrganization(), note: 'ours' };
  expect(read(data)).toEqual(data);
});

test.each<[problem: string, change: (data: EmulatorData) => unknown]>([
  ['it is not an object', () => null],
  ['/organization is missing', ({ organization: _, ...data }) => data],
  [
    '/organization/slackConnected is not true or false',
    (data) => ({ ...data, organization: { ...data.organization, slackConnected: 1 } }),
  ],
  [
    '/tokens/2/memberId is missing',
    (data) => ({ ...data, tokens: data.tokens.map(({ kind, token }) => ({ kind, token })) }),
  ],
  ['/tokens/0/kind is not "organization" or "personal"', (data) => ({ ...data, tokens: [{ kind: 'x', token: 't' }] })],
  [
    '/documents/0/dashboard is not an object or null',
    (data) => ({ ...data, documents: [{ ...data.documents[0], dashboard: 1 }] }),
  ],
  [
    '/schedules/0/fields is missing',
    (data) => ({ ...data, schedules: [{ id: 'a', ownerId: null, createdAt: '', updatedAt: '', hasPassword: false }] }),
  ],
])('a data file of an emulator is refused because %s', (problem, change) => {
  expect(() => read(change(demoOrganization()))).toThrow(`kept.json is not what the emulator keeps: ${problem}.`);
});
