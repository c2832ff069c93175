// almanac apply --expect-changes as a job runs it: the list comes from the plans of pull requests, and what others have
// changed in Omni meanwhile is a change like any other.

import { expect, it } from 'vitest';
import type { Fault } from '../../src/emulator/faults.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import type { Ran } from '../support/workspace.ts';
import { openApplied } from '../support/world.ts';

const files = (schedules: object) => ({ 'schedules/all.yaml': { schedules } });

/** A workspace of which these schedules were applied. */
async function applied(
  schedules: object,
  secrets: Readonly<Record<string, string>> = {},
  faults: readonly Fault[] = [],
) {
  const world = await openApplied({ schedules }, { environment: secrets, faults });
  const { emulator, baseUrl, organizationKey } = world;
  const list = 'reviewed.txt';
  return {
    ...world,
    /** The digests of the plan of these schedules, one a line. */
    reviewOf: async (declared: object, ...options: readonly string[]) => {
      world.write(files(declared));
      return (await world.plan(...options)).changes.map(({ digest }) => `${digest}\n`).join('');
    },
    applyReviewed: (digests: string, ...options: readonly string[]): Promise<Ran> => {
      world.write({ [list]: digests });
      return world.run('apply', '--auto-approve', '--expect-changes', list, ...options);
    },
    isSettled: async (...options: readonly string[]) => expect((await world.plan(...options)).changes).toEqual([]),
    requests: () => emulator.requests().length,
    changing: () => emulator.requests().filter(({ method }) => method !== 'GET').length,
    pause: (address: string) =>
      fetch(`${baseUrl}/v1/schedules/${world.state().resources[address]?.id}/pause`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${organizationKey}` },
      }),
  };
}

const [hook2, weekly2] = [
  { ...hook, name: 'Hook 2' },
  { ...weekly, name: 'Weekly 2' },
];

it('an apply of reviewed changes applies two pull requests at once, and refuses a third as a JSON document', async () => {
  const stage = await applied({ hook, weekly });
  const digests = (await stage.reviewOf({ hook: hook2, weekly })) + (await stage.reviewOf({ hook, weekly: weekly2 }));
  stage.declare({ hook: hook2, weekly: weekly2, late: { ...hook, name: 'Late' } });
  const sent = stage.requests();
  const refused = await stage.applyReviewed(digests, '--format', 'json');
  expect(refused.code).toBe(1);
  expect(expectDocument('error', refused.stdout)).toMatchObject({
    error: { code: 'not-reviewed', addresses: ['schedules.late'] },
  });
  expect(stage.requests()).toBe(sent);

  stage.declare({ hook: hook2, weekly: weekly2 });
  expect((await stage.applyReviewed(digests)).code).toBe(0);
  await stage.isSettled();
});

it('drift that an apply would undo needs a review like any other change', async () => {
  const stage = await applied({ hook, weekly });
  const digests = await stage.reviewOf({ hook: hook2, weekly });
  expect((await stage.pause('schedules.weekly')).status).toBe(200);
  const sent = stage.changing();
  const refused = await stage.applyReviewed(digests, '--refresh');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error[not-reviewed]: schedules.weekly') });
  expect(stage.changing()).toBe(sent);

  const refreshed = await stage.reviewOf({ hook: hook2, weekly }, '--refresh');
  expect((await stage.applyReviewed(refreshed, '--refresh')).code).toBe(0);
  await stage.isSettled('--refresh');
});

it('an update whose answer was lost is planned as it was reviewed, also where --refresh shows that it was carried out', async () => {
  const stage = await applied({ hook, weekly }, {}, [{ fault: 'drop-after', on: 'PUT', at: 1 }]);
  const digests = await stage.reviewOf({ hook: hook2, weekly }, '--refresh');
  expect((await stage.applyReviewed(digests, '--refresh', '--max-attempts', '1')).code).toBe(1);
  expect((await stage.applyReviewed(digests, '--refresh')).code).toBe(0);
  await stage.isSettled('--refresh');
});
