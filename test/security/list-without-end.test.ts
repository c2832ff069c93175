// A service whose list never ends does not keep a run busy. A next page is always named, or a count never fits.

import { expect, it, onTestFinished } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { type Act, answer, startServer } from '../support/state/scripted-server.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const row = (id: string) => ({ id, name: id, identifier: 'other', schedule: '0 9 ? * MON *', timezone: 'UTC' });
const page = (records: readonly object[], nextCursor: string | undefined, totalRecords: number | undefined) =>
  answer(200, {
    records,
    pageInfo: { hasNextPage: nextCursor !== undefined, nextCursor: nextCursor ?? null, pageSize: 100, totalRecords },
  });

/** A stage whose service answers each GET with the next page. */
async function stageWith(pageOf: (request: number) => Act) {
  let requests = 0;
  const server = await startServer([
    (response, request) => {
      requests += 1;
      pageOf(requests)(response, request);
    },
  ]);
  onTestFinished(() => server.close());
  const stage = await openWorld({
    'almanac.yaml': { api: { baseUrl: server.baseUrl, operations: 'full', rateLimit: 0 } },
    schedules: { weekly },
  });
  stage.environment['OMNI_BASE_URL'] = server.baseUrl;
  return { stage, requests: () => requests };
}

const records = (count: number, from = 0) => Array.from({ length: count }, (_, index) => row(`r${from + index}`));

it.each([
  ['the same schedules on every page', (request: number) => page(records(5), `cursor-${request}`, 5), 20],
  ['new schedules on every page', (request: number) => page(records(5, 5 * request), `cursor-${request}`, 15), 20],
  ['empty pages alone', (request: number) => page([], `cursor-${request}`, 5), 20],
])('a list of schedules with %s ends with a clear error', async (_, pageOf, most) => {
  const { stage, requests } = await stageWith(pageOf);
  await expectRefused(stage, 'apply --auto-approve', 'The list of schedules has no end');
  expect(requests()).toBeLessThanOrEqual(most);
});

it('a list of documents whose cursor is new each time ends with a clear error', async () => {
  const { stage, requests } = await stageWith((request) =>
    page([{ identifier: 'a', name: 'A' }], `cursor-${request}`, 1),
  );
  await expectRefused(stage, 'list documents', 'The list of documents has no end');
  expect(requests()).toBeLessThanOrEqual(20);
});

it('a count that steadily differs from the list is said once, and the list is used', async () => {
  const { stage, requests } = await stageWith(() => page(records(3), undefined, 5));
  const applied = await stage.run('apply', '--auto-approve');
  expect(applied.stderr).toEqual(
    says('Omni counts 5 schedules, but its list holds 3. Two reads agree, so the list is used as it is.'),
  );
  expect(applied.stderr.match(/Omni counts/g)).toHaveLength(1);
  expect(requests()).toBeGreaterThan(1);
});

it('a list that differs at every read is given up as before', async () => {
  const { stage } = await stageWith((request) => page(records(3, request), undefined, 5));
  await expectRefused(stage, 'apply --auto-approve', 'The list of schedules changed 3 times while it was read.');
});
