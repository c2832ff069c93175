// What an update sends for fields that are no longer declared but have a value that means none.

import { expect, it, onTestFinished } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { type Act, answer, startServer } from '../support/state/scripted-server.ts';
import { openWorld } from '../support/world.ts';

const none = { records: [], pageInfo: { hasNextPage: false, totalRecords: 0 } };

/** The bodies of the updates that follow from one declaration to the next. */
async function updates(before: object, after: object) {
  const act: Act = (response, request) =>
    answer(200, request.method === 'GET' ? none : { id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' })(response, request);
  const server = await startServer([act]);
  onTestFinished(() => server.close());
  const stage = await openWorld({
    'almanac.yaml': { api: { baseUrl: server.baseUrl, operations: 'full', rateLimit: 0 } },
    schedules: { weekly: { ...weekly, ...before } },
  });
  stage.environment['OMNI_BASE_URL'] = server.baseUrl;
  await stage.apply();
  stage.write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, ...after } } } });
  const { stderr } = await stage.run('apply', '--auto-approve');
  const bodies = server.seen.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(body));
  return { bodies, stderr, state: stage.state() };
}

const texts = { textBody: 'See the attachment.', filterConfig: { region: { values: ['Europe'] } } };

it('a removed text is sent empty and a removed filter configuration as an empty map', async () => {
  const { bodies, stderr, state } = await updates(texts, {});
  expect(bodies).toEqual([expect.objectContaining({ textBody: '', filterConfig: {} })]);
  expect(stderr).not.toContain('removed-may-stay');
  expect(state.resources['schedules.weekly']?.attributes).toEqual(weekly);
});

it('fields that were never applied are not sent', async () => {
  const { bodies } = await updates({}, { subject: 'Another' });
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toHaveProperty('textBody');
  expect(bodies[0]).not.toHaveProperty('filterConfig');
});

it('a text that the new destination does not have is not sent', async () => {
  const { recipients: _, subject: __, ...rest } = weekly;
  const { bodies } = await updates(
    { textBody: 'See the attachment.' },
    {
      recipients: undefined,
      subject: undefined,
      ...rest,
      destinationType: 'webhook',
      url: 'https://hooks.example.com/',
    },
  );
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toHaveProperty('textBody');
});
