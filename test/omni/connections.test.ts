// How the adapter reaches the service: what is sent where a connection, a TLS handshake or a proxy fails, and which base
// URLs it accepts.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Api } from '../../src/omni/api.ts';
import type { HttpApiSettings } from '../../src/omni/http-api.ts';
import {
  openApi as against,
  answer,
  apiFailureOf as failureOf,
  openApiAt,
  startServer,
  token,
} from '../support/state/scripted-server.ts';
import { hook } from '../support/vocabulary.ts';

const created = answer(201, { id: 'a-1', message: 'ok' });
const post = (api: Api) => api.createSchedule(hook());
const open = ({ baseUrl, ...settings }: Partial<HttpApiSettings> & { baseUrl: string }) => openApiAt(baseUrl, settings);

describe('no connection', () => {
  async function listen(server: Server | ReturnType<typeof createNetServer>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return (server.address() as AddressInfo).port;
  }

  test('a connection that is refused at first is tried once more, and then reported as unreachable', async () => {
    const server = await startServer([created]);
    await server.close();
    // A request that was not sent takes no slot of the limit, or the next attempt would wait for a minute.
    const { api, clock } = await open({ baseUrl: server.baseUrl, rateLimit: 1 });
    const failure = await failureOf(post(api));
    expect(failure).toMatchObject({ code: 'api-unreachable', cause: { code: 'ECONNREFUSED' } });
    expect(failure.message).toContain(`127.0.0.1:${server.port}`);
    expect(failure).toMatchObject({ message: `No connection to 127.0.0.1:${server.port}: it is refused.` });
    expect(clock.slept).toEqual([1000]);
  });

  test('a connection that is refused after the service has answered is tried as often as other reads', async () => {
    const server = await startServer([created]);
    const { api, clock } = await open({ baseUrl: server.baseUrl });
    await post(api);
    await server.close();
    expect(await failureOf(post(api))).toMatchObject({ code: 'api-unreachable' });
    expect(clock.slept.length).toBeGreaterThan(1);
  });

  test('what is still to be read when the connections are closed is not asked for again', async () => {
    const { api, clock } = await against([created]);
    await api.close();
    expect(await failureOf(api.getSchedule('a-1'))).toMatchObject({ code: 'api-unreachable' });
    expect(clock.slept).toEqual([]);
  });

  test('a TLS handshake that fails or is cut off sends nothing', async () => {
    const plain = await startServer([created]);
    onTestFinished(() => plain.close());
    let connections = 0;
    const rude = await listen(
      createNetServer((socket) => {
        connections += 1;
        socket.on('error', () => {}).once('data', () => socket.resetAndDestroy());
      }),
    );
    for (const port of [plain.port, rude]) {
      const { api, clock } = await open({ baseUrl: `https://127.0.0.1:${port}/api` });
      expect(await failureOf(post(api))).toMatchObject({ code: 'api-unreachable' });
      expect(clock.slept).toHaveLength(2);
    }
    expect([plain.seen.length, connections]).toEqual([0, 3]);
  });

  test('a TLS handshake that never ends is abandoned, and nothing is sent later', async () => {
    const port = await listen(createNetServer((socket) => onTestFinished(() => void socket.destroy())));
    const { api } = await open({ baseUrl: `https://127.0.0.1:${port}/api`, timeout: 0.1, maxAttempts: 1 });
    expect(await failureOf(post(api))).toMatchObject({ code: 'api-unreachable' });
  });

  test('a connection that is made after the timeout sends nothing', async () => {
    const target = await startServer([created]);
    onTestFinished(() => target.close());
    const proxy = createServer();
    const connected = new Promise<void>((resolve) => {
      proxy.on('connect', (_request, socket) => {
        socket.on('error', () => {});
        setTimeout(() => {
          const upstream = connect(target.port, '127.0.0.1', () => {
            socket.write('HTTP/1.1 200 OK\r\n\r\n', () => setTimeout(resolve, 50));
            upstream.pipe(socket).pipe(upstream);
          });
          upstream.on('error', () => {});
        }, 150);
      });
    });
    const environment = { http_proxy: `http://127.0.0.1:${await listen(proxy)}` };
    const settings = { baseUrl: 'http://omni.example/api', allowHttp: true, environment, timeout: 0.1, maxAttempts: 1 };
    expect(await failureOf(post((await open(settings)).api))).toMatchObject({ code: 'api-unreachable' });
    await connected;
    expect(target.seen).toHaveLength(0);
  });

  test.each(['socks5://127.0.0.1:1080', 'SOCKS5H://user:password@proxy.example.com'])(
    'a SOCKS proxy (%s) is refused without a request or a warning of Node',
    async (proxy) => {
      const warned = vi.fn();
      process.on('warning', warned);
      const connecting = open({ baseUrl: 'https://acme.omniapp.co/api', environment: { HTTPS_PROXY: proxy } });
      await expect(connecting).rejects.toMatchObject({
        code: 'usage',
        message: 'HTTPS_PROXY or HTTP_PROXY is not the URL of an HTTP proxy.',
      });
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', warned);
      expect(warned).not.toHaveBeenCalled();
    },
  );

  test('a proxy from the environment is used, and its password is not shown', async () => {
    const target = await startServer([created]);
    onTestFinished(() => target.close());
    let denied = false;
    let asked = 0;
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked += 1;
      if (denied) {
        socket.end('HTTP/1.1 407 Denied\r\n\r\n');
        return;
      }
      expect(request.url).toBe('omni.example:80');
      const upstream = connect(target.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [upstream, socket]) end.on('error', () => {});
    });
    const port = await listen(proxy);
    const environment = { HTTP_PROXY: `http://user:pr0xy-pass@127.0.0.1:${port}` };
    const settings = { baseUrl: 'http://omni.example/api', allowHttp: true, environment, maxAttempts: 1 };
    expect(await post((await open(settings)).api)).toMatchObject({ id: 'a-1' });
    denied = true;
    asked = 0;
    const failure = await failureOf(post((await open({ ...settings, maxAttempts: 5 })).api));
    expect(asked).toBe(1);
    expect(failure).toMatchObject({
      code: 'api-unreachable',
      hint: expect.stringContaining('check the user and the password in its URL'),
    });
    expect(inspect(failure)).not.toContain('pr0xy-pass');
    // As for curl, an empty variable in small letters hides no other.
    denied = false;
    const both = { ...settings, environment: { http_proxy: '', ...environment } };
    expect(await post((await open(both)).api)).toMatchObject({ id: 'a-1' });
    // Loopback is never behind one.
    expect(await post((await open({ ...settings, baseUrl: target.baseUrl })).api)).toMatchObject({ id: 'a-1' });
    const wrong = open({ ...settings, environment: { HTTP_PROXY: 'http://user:pr0xy-pass@' } });
    expect(inspect(await failureOf(wrong))).not.toContain('pr0xy-pass');
  });
});

describe('a base URL', () => {
  test.each([
    ['http://omni.example/api', /HTTPS/],
    ['http://127.0.0.1.example.com/api', /HTTPS/],
    ['https://user:hunter2@omni.example/api', /contains a user name or a password/],
    ['ftp://omni.example/api', /https:\/\//],
    ['https://omni.example/api?x=1', /query/],
    ['omni.example', /not a URL/],
  ])('the base URL %s is refused', async (baseUrl, words) => {
    const failure = await failureOf(open({ baseUrl }));
    expect(failure).toMatchObject({ code: 'usage', message: expect.stringMatching(words) });
    expect(inspect(failure)).not.toContain('hunter2');
  });

  test.each(['https://omni.example/api', 'http://localhost:1/api', 'http://127.8.8.8/api', 'http://[::1]:1/api'])(
    'the base URL %s is accepted',
    async (baseUrl) => {
      await expect(open({ baseUrl })).resolves.toHaveProperty('api');
    },
  );

  test('HTTP is accepted on request, and a token that no header can hold never is', async () => {
    await open({ baseUrl: 'http://omni.example/api', allowHttp: true });
    const baseUrl = 'https://omni.example/api';
    expect(await failureOf(open({ baseUrl, token: `${token}\n` }))).toMatchObject({ code: 'usage' });
  });
});
