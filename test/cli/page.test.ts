// `almanac page`: what its HTML must not hold, its links, and what it does not depend on. What somebody reads on it is in
// the transcripts.

import { expect, it } from 'vitest';
import { aiJob, hook, mail, routine, sftp } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

it('the page has no text of a mail, no path, no user, no prompt and no secret', async () => {
  const schedules = {
    mail: mail({
      subject: 'A subject of a mail',
      textBody: 'The text of a mail',
      meta: { note: 'See https://hooks.slack.com/services/T0/B0/secret' },
    }),
    hook: hook({ url: 'https://hooks.example.com/stock/a-secret-path?token=a-secret-token' }),
    export: sftp({ username: 'a-user-name', path: '/incoming/a-path' }),
  };
  const aiJobs = { summary: aiJob({ prompt: 'A prompt of a job' }) };
  const routines = { digest: routine({ prompt: 'A prompt of a routine' }) };
  const environment = { SFTP_PASSWORD: 'a-password-of-sftp' };
  const { stdout } = await (await openWorld({ schedules, aiJobs, routines }, { environment })).run('page --out -');
  expect(stdout).toContain('Weekly summary');
  for (const hidden of ['of a mail', 'a-secret', 'a-path', 'a-user', 'a-password', 'A prompt', 'services/T0'])
    expect(stdout).not.toContain(hidden);
});

it('the page says from which commit it was made', async () => {
  const openCheckout = async () => ({
    head: async () => 'c0ffee'.repeat(7).slice(0, 40),
    standing: async () => undefined,
    filesAt: async () => undefined,
    commitNamed: async () => undefined,
    tracked: async () => undefined,
    committed: async () => new Map(),
    line: async () => 'no-git' as const,
    changing: async () => [],
    isIn: async () => false,
    moved: async () => [],
    defaultBranch: async () => undefined,
    userEmail: async () => undefined,
  });
  const world = await openWorld({ schedules: { mail: mail() } }, { outside: { openCheckout } });
  const { stdout } = await world.run('page --out -');
  expect(stdout.replace(/<[^>]+>/g, '')).toContain('Made on 1 Mar 2026, 00:00 UTC from commit c0ffeec0ffee.');
});

it('the page links a dashboard in Omni, and tells reports of one name apart by their keys', async () => {
  const two = { schedules: { one: mail(), two: mail() } };
  const world = await openWorld(two, { api: { baseUrl: 'https://acme.omniapp.co/api' } });
  const { stdout } = await world.run('page --out -');
  expect(stdout).toContain('PDF of <a href="#dashboard-12db1a0a">dashboard 12db1a0a</a>');
  const [, card = ''] = /<div class="group" id="dashboard-12db1a0a">([\s\S]*?)<\/div>/.exec(stdout) ?? [];
  expect(card).toContain('<a href="https://acme.omniapp.co/dashboards/12db1a0a" rel="external">');
  expect(stdout).toContain('<a href="#schedules.two">Weekly sales (two)</a>');
});

it('the page links a schedule that is in Omni to its page there, on the dashboard that it is on', async () => {
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b9';
  const at = '2026-02-01T00:00:00.000Z';
  const resources = { 'schedules.one': { id, attributes: mail(), createdAt: at, updatedAt: at } };
  const kept = { version: 2, lineage: 'a', serial: 1, toolVersion: '0.1.0', salt: 'AAAAAAAAAAAAAAAAAAAAAA==' };
  const state = { ...kept, baseUrl: 'https://acme.omniapp.co/api', resources, orphans: [], unresolved: [] };
  const declared = { schedules: { one: mail({ identifier: '3f9c2b71' }), two: mail() } };
  const world = await openWorld(declared, { api: { baseUrl: 'https://acme.omniapp.co/api' } });
  world.write({ 'almanac.state.json': state });
  for (const options of ['', ' --mask-recipients']) {
    const { stdout } = await world.run(`page --out -${options}`);
    const links = [...stdout.matchAll(/href="([^"]*\/schedules\/[^"]*)"/g)].map(([, url]) => url);
    expect(links).toEqual([`https://acme.omniapp.co/dashboards/12db1a0a/schedules/${id}`]);
  }
});

it('the page is the same for the same clock, and has no part that the clock of the machine decides', async () => {
  const world = await openWorld({ schedules: { mail: mail() } });
  const [first, second] = [await world.run('page --out -'), await world.run('page --out -')];
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout).toContain('<time datetime="2026-03-01T00:00:00.000Z">1 Mar 2026, 00:00 UTC</time>');
});

it('the page names the command that proves whose rows are shown, where a table says whose they are', async () => {
  const declared = { schedules: { hook: hook() }, 'tenants.csv': 'shows,receiver\nNorth Pine,cfo@northpine.example\n' };
  const rows = { filters: ['region'], allow: 'tenants.csv' };
  const words = 'The command almanac prove shows whether somebody can see the rows of others.';
  const pageOf = async (safety: object) => (await openWorld(declared, { config: { safety } })).run('page --out -');
  expect((await pageOf({ internalDomains: ['example.com'], rows })).stdout).toContain(words);
  expect((await pageOf({ internalDomains: ['example.com'] })).stdout).not.toContain(words);
});
