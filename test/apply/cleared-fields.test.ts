// What an update sends for fields that are no longer declared. Each such field has a value that means none.

import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

/** The bodies of the updates that follow from one declaration to the next. */
async function updates(before: object, after: object) {
  const world = await openApplied({ schedules: { weekly: { ...weekly, ...before } } });
  world.declare({ weekly: { ...weekly, ...after } });
  const { stderr } = await world.run('apply', '--auto-approve');
  const bodies = world.emulator.requests().flatMap(({ method, body }) => (method === 'PUT' ? [body] : []));
  return { bodies, stderr, state: world.state() };
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
  for (const name of Object.keys(texts)) expect(bodies[0]).not.toHaveProperty(name);
});

it('a text that the new destination does not have is not sent', async () => {
  const gone = { recipients: undefined, subject: undefined };
  const hook = { ...gone, destinationType: 'webhook', url: 'https://hooks.example.com/' };
  const { bodies } = await updates({ textBody: 'See the attachment.' }, hook);
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toHaveProperty('textBody');
});
