// `almanac webhook listen` and `verify`, over real HTTP.

import { describe, expect, it } from 'vitest';
import { remember } from '../../src/commands/webhook/listen.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { listen } from '../support/listening.ts';
import { eventBody, type SignOptions, signed, webhookSecret } from '../support/signed.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';

const environment = { OMNI_WEBHOOK_SECRET: webhookSecret };
const body = eventBody();

async function stage(...argv: readonly string[]) {
  const clock = makeInstantClock(start);
  const listening = await listen(argv, environment, clock);
  const send = async (text = body, options: Partial<SignOptions> = {}, method = 'POST') => {
    const headers = signed(text, { at: clock.now(), ...options });
    const response = await fetch(listening.url, { method, headers, body: method === 'POST' ? text : undefined });
    return response.status;
  };
  return { ...listening, clock, send };
}

describe('webhook listen', () => {
  it('webhook listen prints an event with its result or the whole reason of a failure, and not again when it is repeated', async () => {
    const { send, printed, warned, stop } = await stage();
    expect(await send()).toBe(200);
    expect(await send()).toBe(200);
    expect(printed()).toBe('00:00:00Z job.complete 7 COMPLETE\n  Up by 4 %.\n');
    expect(warned()).toContain('Received again');
    const error = { code: 'X', message: 'No query', detail: 'The field is gone' };
    await send(eventBody({ event_id: 'b', status: 'FAILED', result_summary: undefined, error }));
    expect(printed()).toContain('  No query: The field is gone\n');
    expect(await stop()).toBe(0);
  });

  it('webhook listen prints lines of JSON', async () => {
    const { send, printed } = await stage('--format', 'json');
    await send();
    await send(eventBody({ event_id: 'b', status: 'FAILED', error: { message: '\u001b[2J\u202e' } }));
    const lines = printed().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        receivedAt: '2026-03-01T00:00:00.000Z',
        verified: true,
        id: 'evt_7_COMPLETE_1772323210',
        kind: 'job.complete',
        jobId: '7',
        status: 'COMPLETE',
        event: JSON.parse(body),
      },
      { kind: 'job.failed', event: { error: { message: '\u001b[2J\u202e' } } },
    ]);
    for (const hostile of ['\u001b', '\u202e']) expect(printed()).not.toContain(hostile);
  });

  it('webhook listen refuses forged, old, too large and invalid requests, and continues', async () => {
    const { send, printed, warned, clock, url } = await stage();
    expect(await send(body, { secret: 'guessed' })).toBe(401);
    expect(await send(body, { at: clock.now() - 301_000 })).toBe(401);
    expect(await send('x'.repeat(1_000_001))).toBe(413);
    expect(await send('[1]')).toBe(400);
    expect((await fetch(url)).headers.get('allow')).toBe('POST');
    expect(await send('', {}, 'GET')).toBe(405);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    expect(printed()).toBe('');
    for (const reason of ['wrong-signature', 'stale', 'too-large', 'bad-body', 'not-a-post', 'no-signature'])
      expect(warned()).toContain(`(${reason})`);
    expect(await send()).toBe(200);
    expect(`${printed()}${warned()}`).not.toContain(webhookSecret);
  });

  it('webhook listen distinguishes events without an id by their bytes', async () => {
    const { send, printed } = await stage();
    for (const iteration of [1, 2, 2]) {
      await send(
        eventBody({
          event_id: undefined,
          result_summary: undefined,
          status: 'EXECUTING',
          progress: { iteration, message: `no. ${iteration}` },
        }),
      );
    }
    expect(printed().match(/no\. \d/g)).toEqual(['no. 1', 'no. 2']);
  });

  it('the oldest event ids are forgotten first', () => {
    const seen = new Set<string>();
    for (const key of ['a', 'b', 'b', 'c']) remember(seen, key, 2);
    expect([...seen]).toEqual(['b', 'c']);
  });

  it('webhook listen ends when its output is closed', async () => {
    const { send, ended, readerGone, warned, url } = await stage();
    expect(await send()).toBe(200);
    readerGone();
    expect(await ended).toBe(1);
    expect(warned()).toContain('The output was closed');
    await expect(fetch(url, { method: 'POST', body })).rejects.toThrow();
  });

  it('webhook listen needs a secret or an explicit choice of none', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    const refused = await workspace.run('webhook', 'listen', '--port', '0');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('OMNI_WEBHOOK_SECRET') });
    expect((await workspace.run('webhook', 'listen', '--secret-env', 'OTHER')).stderr).toContain('OTHER');
    const { stderr } = await workspace.run('webhook', 'listen', '--secret-env', 'whsec_7f');
    expect(stderr).toEqual(says('the name of the variable, not the secret'));
    expect(stderr).not.toContain('whsec_7f');
    const { url, printed, warned } = await listen(['--insecure'], {}, makeInstantClock(start));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(printed()).toContain('job.complete 7 COMPLETE (not verified)');
    expect(warned()).toContain('Events are not verified');
  });
});

it.each<[string, Partial<SignOptions>, readonly string[], number, string]>([
  ['an event that is valid', {}, [], 0, 'The signature is valid.'],
  ['an event of another secret', { secret: 'x' }, [], 1, 'does not belong'],
  ['an event while the named variable is not set', {}, ['--secret-env', 'OTHER'], 1, 'OTHER'],
  ['an old event, with its age', { at: start - 3_600_000 }, [], 1, '3600 seconds ago'],
  ['an old event as it is allowed to be', { at: start - 3_600_000 }, ['--tolerance', '4000'], 0, 'job.complete 7'],
])('webhook verify judges %s', async (_, options, argv, code, words) => {
  const headers = signed(body, { at: start, ...options });
  const sent = ['--signature', headers['X-Omni-Signature'], '--timestamp', headers['X-Omni-Signature-Timestamp']];
  const { run } = workspaceIn(makeFolder({ 'body.json': body }), environment);
  const ran = await run('webhook', 'verify', 'body.json', ...sent, ...argv);
  expect({ ...ran, words: ran.stdout + ran.stderr }).toMatchObject({ code, words: expect.stringContaining(words) });
});
