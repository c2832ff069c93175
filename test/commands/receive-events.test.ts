// What the listener decides: each event is handed on once, and counts as received only after that.

import { expect, test } from 'vitest';
import { receiveEvents, remember } from '../../src/commands/webhook/receive-events.ts';
import type { ForwardRequest } from '../../src/model/outside.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { eventBody, signed, webhookSecret } from '../support/signed.ts';

function open(send: ForwardRequest) {
  const clock = makeInstantClock();
  const told: string[] = [];
  const receive = receiveEvents({
    hosts: { host: '127.0.0.1', publicHosts: [] },
    secret: webhookSecret,
    tolerance: 300,
    clock,
    forward: { url: 'http://localhost/', send },
    print: () => told.push('an event'),
    report: (message) => told.push(message.slice(0, 14)),
    isQuiet: false,
  });
  const post = (changes: object = {}) => {
    const body = eventBody(changes);
    const headers = { host: '127.0.0.1', ...signed(body, { at: clock.now() }) };
    return receive({ method: 'POST', path: '/', headers, body: new TextEncoder().encode(body) });
  };
  return { post, told };
}

test('an event that arrives twice at once is handed on once, and both senders hear the result', async () => {
  const answers: ((answer: { status: number }) => void)[] = [];
  const { post, told } = open(() => new Promise((resolve) => answers.push(resolve)));
  const both = [post(), post()];
  expect(answers).toHaveLength(1);
  answers[0]?.({ status: 500 });
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([502, 502]);
  const again = post();
  answers[1]?.({ status: 200 });
  expect(await again).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ body: { repeated: true } });
  expect(told).toEqual(['an event', 'Not forwarded;', 'Received again']);
});

test('an event does not wait for events with other ids', async () => {
  let count = 0;
  const { post } = open(async () => {
    count += 1;
    return { status: 200 };
  });
  await Promise.all([post(), post({ event_id: 'b' }), post({ event_id: 'c' })]);
  expect(count).toBe(3);
});

test('the oldest event ids are forgotten first', () => {
  const seen = new Set<string>();
  for (const key of ['a', 'b', 'b', 'c']) remember(seen, key, 2);
  expect([...seen]).toEqual(['b', 'c']);
});
