import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openReceiver } from '../../src/http/receiver.ts';
import type { ReceivedRequest, Reply } from '../../src/model/outside.ts';

async function open(answer: (request: ReceivedRequest) => Promise<Reply> = async () => ({ status: 200, body: {} })) {
  const seen: ReceivedRequest[] = [];
  const receiver = await openReceiver({
    port: 0,
    host: '127.0.0.1',
    largestBody: 1000,
    onRequest: (request) => {
      seen.push(request);
      return request.body === undefined
        ? Promise.resolve({ status: 413, body: { error: 'too-large' } })
        : answer(request);
    },
  });
  onTestFinished(() => receiver.close());
  return { ...receiver, seen };
}

const post = async (url: string, body: string) => (await fetch(url, { method: 'POST', body })).status;

test('a webhook receiver passes on the bytes as they came', async () => {
  const { url, seen } = await open();
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  await fetch(`${url}a?b=c`, { method: 'POST', body: bytes });
  expect(seen[0]).toMatchObject({ method: 'POST', path: '/a?b=c' });
  expect([...(seen[0]?.body ?? [])]).toEqual([...bytes]);
});

test('a webhook receiver cuts off a growing body without a length', async () => {
  const { url } = await open();
  const stream = new ReadableStream({
    start(controller) {
      for (let index = 0; index < 20; index++) controller.enqueue(new Uint8Array(100));
      controller.close();
    },
  });
  const response = await fetch(url, { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
  expect(response.status).toBe(413);
});

test.each([
  'garbage\r\n\r\n',
  'POST / HTTP/1.1\r\nContent-Length: 50\r\n\r\nhalf',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  '\u0016\u0003\u0001',
])('a webhook receiver survives %j', async (text) => {
  const { url } = await open();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  socket.destroy();
  expect(await post(url, '{}')).toBe(200);
});

test('a webhook receiver survives a bug in its handler', async () => {
  let broken = true;
  const { url } = await open(async () => {
    if (broken) throw new Error('a bug');
    return { status: 200, body: {} };
  });
  expect(await post(url, '{}')).toBe(500);
  broken = false;
  expect(await post(url, '{}')).toBe(200);
});

test('a webhook receiver reports that its port is taken', async () => {
  const { url } = await open();
  const port = Number(new URL(url).port);
  await expect(
    openReceiver({ port, host: '127.0.0.1', largestBody: 1, onRequest: async () => ({ status: 200, body: {} }) }),
  ).rejects.toMatchObject({ code: 'usage' });
});
