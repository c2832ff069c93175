// Requests under another host's name, which emulator and webhook listener do not answer. A page in a browser can make
// its own host name lead to this machine (DNS rebinding).

import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isOwnHost } from '../../src/commands/webhook/listen.ts';
import { startEmulator } from '../support/emulator/start-emulator.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { listen } from '../support/listening.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';

interface Sent {
  readonly url: string;
  readonly host: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** With a `Host` of the test's choice, which fetch does not allow. */
function statusOf({ url, host, method = 'GET', headers = {}, body = '' }: Sent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, Host: host } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const foreign = [
  'rebind.evil.test',
  'rebind.evil.test:4010',
  '127.0.0.1.evil.test',
  'localhost.evil.test',
  'evil@127.0.0.1',
  '192.0.2.1',
];

describe('the emulator', () => {
  const authorization = { Authorization: 'Bearer omni_osk_demo_organization_key' };

  test.each(foreign)('the emulator does not answer a request for the host "%s"', async (host) => {
    const { baseUrl, emulator } = await startEmulator();
    const documents = { url: `${baseUrl}/v1/documents`, host, headers: authorization };
    const inspection = { url: baseUrl.replace('/api', '/inspect'), host };
    for (const sent of [documents, inspection]) expect(await statusOf(sent)).toBe(421);
    expect(emulator.requests()).toEqual([]);
  });

  test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1', '127.8.8.8:1', '[::1]:4010', 'emulator.localhost'])(
    'the emulator answers a request for the host "%s"',
    async (host) => {
      const { baseUrl } = await startEmulator();
      expect(await statusOf({ url: `${baseUrl}/v1/documents`, host, headers: authorization })).toBe(200);
    },
  );
});

describe('the webhook listener', () => {
  const post = { method: 'POST', body: '{"jobId":"7","status":"COMPLETE"}' };
  const open = (...argv: string[]) => listen(['--insecure', ...argv], {}, makeInstantClock(start));

  test.each(foreign)('the webhook listener takes no event for the host "%s"', async (host) => {
    const { url, printed, warned } = await open();
    expect(await statusOf({ url, host, ...post })).toBe(421);
    expect(printed()).toBe('');
    expect(warned().replace(/\s+/g, ' ')).toMatch(/foreign-host.*--public-host/);
  });

  test('the webhook listener takes an event for the host of the tunnel that --public-host names', async () => {
    const { url } = await open('--public-host', 'events.example.com', '--public-host', 'other.example.com');
    for (const host of ['events.example.com', 'Other.Example.com:443', 'localhost'])
      expect(await statusOf({ url, host, ...post })).toBe(200);
    expect(await statusOf({ url, host: 'example.com', ...post })).toBe(421);
  });

  test.each(['https://events.example.com', 'events.example.com/omni', ''])(
    'webhook listen refuses --public-host "%s", which is not a host name',
    async (name) => {
      const ran = await workspaceIn(makeFolder(), {}).run('webhook', 'listen', '--insecure', '--public-host', name);
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('host name') });
    },
  );

  test('a listener on every address of the machine takes what names an address, but no other name', () => {
    const hosts = { host: '0.0.0.0', publicHosts: [] };
    expect(['192.0.2.1:4020', '[2001:db8::1]', 'localhost'].filter((each) => !isOwnHost(each, hosts))).toEqual([]);
    expect(['evil.test', '', undefined].filter((each) => isOwnHost(each, hosts))).toEqual([]);
  });

  test('a listener on one address of the machine takes what names that address', () => {
    expect(isOwnHost('192.0.2.7:4020', { host: '192.0.2.7', publicHosts: [] })).toBe(true);
    expect(isOwnHost('[2001:db8::1]:4020', { host: '2001:db8::1', publicHosts: [] })).toBe(true);
    expect(isOwnHost('192.0.2.8:4020', { host: '192.0.2.7', publicHosts: [] })).toBe(false);
  });
});
