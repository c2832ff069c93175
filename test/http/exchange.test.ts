// A body that goes to a sink as it comes.

import { expect, onTestFinished, test } from 'vitest';
import { type BodySink, exchange, makeDispatcher } from '../../src/http/exchange.ts';
import { type Act, answer, startServer } from '../support/state/scripted-server.ts';

async function fetchInto(sink: BodySink, act: Act, signal?: AbortSignal) {
  const server = await startServer([act]);
  const origin = `http://127.0.0.1:${server.port}`;
  const base = { origin, host: '', path: '', loopback: true };
  const dispatcher = await makeDispatcher({ base, timeout: 5, connections: 1, environment: {} });
  onTestFinished(() => dispatcher.destroy());
  const request = { method: 'GET', origin, path: '/', headers: {} } as const;
  return exchange(dispatcher, request, { timeoutMs: 5000, mostBytes: 100, sink, signal });
}

const collecting = () => {
  const pieces: Buffer[] = [];
  const sink: BodySink = {
    restart: () => void pieces.splice(0),
    write: (piece) => void pieces.push(Buffer.from(piece)),
  };
  return { sink, text: () => Buffer.concat(pieces).toString() };
};

test('a sink gets the body of a success, which may be larger than what is kept', async () => {
  const { sink, text } = collecting();
  const large = 'x'.repeat(100_000);
  expect(await fetchInto(sink, answer(200, large))).toMatchObject({
    status: 200,
    body: 'whole',
    bytes: Buffer.alloc(0),
  });
  expect(text()).toBe(large);
});

test('a sink gets nothing of a refusal, whose words are kept', async () => {
  const { sink, text } = collecting();
  const refused = await fetchInto(sink, answer(410, 'gone'));
  expect(refused).toMatchObject({ status: 410, bytes: Buffer.from('gone') });
  expect(text()).toBe('');
});

test('what a sink throws ends the request, as for a disk that is full', async () => {
  const full = new Error('ENOSPC');
  const sink: BodySink = {
    restart: () => {},
    write: () => {
      throw full;
    },
  };
  await expect(fetchInto(sink, answer(200, 'x'.repeat(100_000)))).rejects.toBe(full);
});

test('a signal ends a body in the middle', async () => {
  const { sink } = collecting();
  const stop = new AbortController();
  const endless: Act = (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('x', () => stop.abort());
  };
  expect(await fetchInto(sink, endless, stop.signal)).not.toMatchObject({ body: 'whole' });
});
