// Members of a user group who are outside, as a deep look judges them. What drift says of user groups, the transcript
// drift/user-groups shows.

import { describe, expect, it } from 'vitest';
import { mail } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const withBoard = mail({ userGroups: ['Board'] });
const other = '9d3f1c52-5b0e-4c2f-8a37-6f1f3a2d9b10';

describe('members outside, where recipient-not-inside is on', () => {
  const guarded = {
    config: { checks: { 'recipient-not-inside': 'error' }, safety: { internalDomains: ['example.com'] } },
  };
  const joined = async (declared: object) => {
    const world = await openApplied({ schedules: { a: declared } }, guarded);
    world.emulator.edit(({ members, userGroups = [] }) => {
      members.push({ id: other, name: 'Bo', email: 'bo@partner.example' });
      for (const { memberIds } of userGroups) memberIds.push(other);
    });
    return world;
  };
  const found = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }) =>
    diagnostics.filter(({ code }) => code === 'recipient-not-inside');
  it('drift finds them once for a group and its schedule, and a plan and an apply with the look warn and go on', async () => {
    const world = await joined(withBoard);
    const { code, document } = await world.drift('--deep');
    expect([code, found(document)]).toMatchObject([
      2,
      [
        {
          severity: 'error',
          address: 'schedules.a',
          message: expect.stringMatching(/`Board`.*`bo@partner\.example`\./),
        },
      ],
    ]);
    expect(document.diagnostics[0]?.line).toBeGreaterThan(1);
    expect(found(await world.plan('--refresh=deep'))).toMatchObject([{ severity: 'warning' }]);
    expect(found((await world.drift()).document)).toEqual([]);
    await world.apply('--refresh=deep');
  });
  it('the waiver of the schedule covers them', async () => {
    const accept = { 'recipient-not-inside': { reason: 'a partner', until: '2099-06-30' } };
    const { document } = await (await joined({ ...withBoard, accept })).drift('--deep');
    expect(found(document)).toMatchObject([{ accepted: 'a partner' }]);
  });
});
