// A token that may not ask for people, however the service says so.

import { describe, expect, it } from 'vitest';
import { askAboutPerson } from '../../src/commands/offboard/ask-omni.ts';
import { membershipsOf } from '../../src/commands/who/who.ts';
import { refusal } from '../support/emulator/service.ts';

const email = 'ana@example.com';

function refusing(status: number) {
  const listUsers = () => Promise.reject(refusal(status));
  return { token: () => 'omni_osk_1', api: async () => ({ listUsers }) as never, call: {} };
}

describe.each([401, 403, 404, 405])('where the list of people answers %i,', (status) => {
  it('nothing is said about who is a member', async () => {
    expect(await membershipsOf([email], new Set(), refusing(status))).toBeUndefined();
  });

  it('somebody who leaves can still be searched for in the files', async () => {
    const asked = askAboutPerson({ email, to: undefined }, refusing(status) as never);
    await expect(asked).rejects.toMatchObject({ hint: expect.stringContaining('With --offline') });
  });
});

it('a failure of the service is no answer about its members', async () => {
  const failing = refusing(500);
  await expect(membershipsOf([email], new Set(), failing)).rejects.toMatchObject({ code: 'api-rejected' });
});
