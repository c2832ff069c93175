// A lock whose CI run is over: what GitHub is asked, and how much sooner the lock is taken over.

import { describe, expect, onTestFinished, test } from 'vitest';
import { isGitHubRunOver } from '../../src/adapters/state/shared/github-run.ts';
import { openStoreOver } from '../../src/adapters/state/shared/open-shared-state.ts';
import { makeMemoryPlace } from '../support/adapters/memory-log.ts';
import { type Act, answer, cutShort, hang, reset, startServer } from '../support/adapters/scripted-server.ts';
import { openMachine } from '../support/adapters/team-machine.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { makeFolder } from '../support/workspace.ts';

const runUrl = 'https://github.com/acme/bi/actions/runs/4711/attempts/2';
const completed = { id: 4711, run_attempt: 2, status: 'completed', conclusion: 'cancelled' };
const locked = expect.objectContaining({ code: 'state-locked' });

describe('what GitHub is asked about a run', () => {
  async function ask(act: Act, { url = runUrl, environment = {} }: { url?: string; environment?: object } = {}) {
    const server = await startServer([act]);
    onTestFinished(() => server.close());
    const isOver = await isGitHubRunOver(url, {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/bi',
      GITHUB_API_URL: `http://127.0.0.1:${server.port}/api/v3`,
      GITHUB_TOKEN: 'ghs_secret',
      ...environment,
    });
    return { isOver, seen: server.seen };
  }

  test('the attempt that the lock names is over when GitHub calls it completed', async () => {
    const { isOver, seen } = await ask(answer(200, completed));
    expect(isOver).toBe(true);
    expect(seen).toMatchObject([{ method: 'GET', url: '/api/v3/repos/acme/bi/actions/runs/4711/attempts/2' }]);
    expect(seen[0]?.headers.authorization).toBe('Bearer ghs_secret');
  });

  test('a lock without an attempt asks for the run', async () => {
    const url = 'https://github.com/acme/bi/actions/runs/4711';
    const { isOver, seen } = await ask(answer(200, completed), { url });
    expect([isOver, seen[0]?.url]).toEqual([true, '/api/v3/repos/acme/bi/actions/runs/4711']);
  });

  test.each<readonly [string, Act]>([
    ['a run that works', answer(200, { ...completed, status: 'in_progress' })],
    ['a run that waits', answer(200, { ...completed, status: 'queued' })],
    ['another run', answer(200, { ...completed, id: 4712 })],
    ['another attempt', answer(200, { ...completed, run_attempt: 3 })],
    ['a token that may not read runs', answer(403, completed)],
    ['a run that is not there', answer(404, { message: 'Not Found' })],
    ['a fault of the server', answer(500, completed)],
    ['another address', answer(301, completed, { location: 'https://elsewhere.example/' })],
    ['something else than JSON', answer(200, '<html>completed</html>')],
    ['a list', answer(200, [completed])],
    ['half an answer', cutShort(200)],
    ['a lost connection', reset],
  ])('%s is no answer that a run is over', async (_, act) => {
    expect((await ask(act)).isOver).toBe(false);
  });

  test('a question that is interrupted has no answer', async () => {
    const server = await startServer([hang]);
    onTestFinished(() => server.close());
    const stop = new AbortController();
    const environment = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/bi',
      GITHUB_API_URL: `http://127.0.0.1:${server.port}`,
      GITHUB_TOKEN: 'ghs_secret',
    };
    const before = performance.now();
    const asked = isGitHubRunOver(runUrl, environment, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await asked).toBe(false);
    expect(performance.now() - before).toBeLessThan(4000);
  });

  test('a server that says nothing is given up after five seconds', async () => {
    const before = performance.now();
    expect((await ask(hang)).isOver).toBe(false);
    expect(performance.now() - before).toBeLessThan(9000);
  });

  test.each<readonly [string, { readonly url?: string; readonly environment?: object }]>([
    ['a run of another repository', { url: 'https://github.com/acme/other/actions/runs/4711' }],
    ['a run of another server', { url: 'https://github.example/acme/bi/actions/runs/4711' }],
    ['a server whose name only begins alike', { url: 'https://github.com.evil.example/acme/bi/actions/runs/4711' }],
    ['a repository whose name only begins alike', { url: 'https://github.com/acme/bi2/actions/runs/4711' }],
    ['a job of GitLab', { url: 'https://gitlab.com/acme/bi/-/jobs/4711' }],
    ['a path that leads elsewhere', { url: 'https://github.com/acme/bi/actions/runs/4711/../../../../user' }],
    ['an address with a query', { url: `${runUrl}?to=elsewhere` }],
    ['a repository that is a path', { environment: { GITHUB_REPOSITORY: '../user' } }],
    ['no token', { environment: { GITHUB_TOKEN: '' } }],
    ['no API', { environment: { GITHUB_API_URL: undefined } }],
    ['an API without encryption', { environment: { GITHUB_API_URL: 'http://api.github.example' } }],
    ['a machine that is no job of GitHub', { environment: { GITHUB_SERVER_URL: undefined } }],
  ])('the token is sent to nobody for %s', async (_, options) => {
    expect(await ask(answer(200, completed), options)).toEqual({ isOver: false, seen: [] });
  });
});

describe('a lock whose run is over', () => {
  async function waitFor(answers: readonly boolean[]) {
    const place = makeMemoryPlace();
    const dead = openMachine(place.open(), { runUrl });
    await dead.store.lock('apply');
    await dead.store.close();
    const asked: string[] = [];
    const isRunOver = async (url: string): Promise<boolean> => {
      asked.push(url);
      return answers[asked.length - 1] ?? answers.at(-1) ?? false;
    };
    const next = openMachine(place.open(), { who: 'ben', isRunOver, clock: makeFakeClock() });
    const tryFor = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await expect(next.store.lock('apply')).rejects.toEqual(locked);
        await next.clock.advance(1000);
      }
    };
    return { ...next, place, asked, tryFor };
  }

  test('a lock whose run is over is taken over after half its lease without a sign', async () => {
    const { store, asked, tryFor } = await waitFor([true]);
    await tryFor(60);
    const { notes } = await store.lock('apply');
    expect(notes[0]).toContain('and its run is over, and it gave no sign for 60 s.');
    expect(asked).toEqual([runUrl]);
  });

  test('a job that has the token of GitHub asks by itself', async () => {
    const server = await startServer([answer(200, completed)]);
    onTestFinished(() => server.close());
    const shared = makeMemoryPlace();
    await openMachine(shared.open(), { runUrl }).store.lock('apply');
    const clock = makeFakeClock();
    const store = openStoreOver(shared.open(), {
      place: { backend: 'git', remote: 'origin', branch: 'almanac-state', lease: 120 },
      root: makeFolder().path,
      clock,
      environment: {
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'acme/bi',
        GITHUB_API_URL: `http://127.0.0.1:${server.port}`,
        GITHUB_TOKEN: 'ghs_secret',
      },
    });
    for (const seconds of [0, 1, 30, 58]) {
      await clock.advance(seconds * 1000 - (clock.monotonic() - 1_700_000_000_000));
      await expect(store.lock('apply')).rejects.toEqual(locked);
    }
    await clock.advance(2000);
    expect((await store.lock('apply')).notes[0]).toContain('its run is over');
    expect(server.seen.map(({ url }) => url)).toEqual(['/repos/acme/bi/actions/runs/4711/attempts/2']);
    await store.close();
  });

  test('the message of such a lock says how soon it may be taken over', async () => {
    const { store, clock } = await waitFor([true]);
    await expect(store.lock('apply')).rejects.toMatchObject({
      hint: expect.stringContaining('taken over in 60 s'),
    });
    await clock.advance(20_000);
    await expect(store.lock('apply')).rejects.toMatchObject({
      hint: expect.stringContaining('taken over in 40 s'),
    });
  });

  test('a run that ends while another one waits is asked about every 30 s, and half a lease counts from then', async () => {
    const { store, asked, tryFor } = await waitFor([false, true]);
    await tryFor(90);
    expect(asked.length).toBe(2);
    expect((await store.lock('apply')).notes[0]).toContain('gave no sign for 90 s');
  });

  test('the whole lease is enough, whenever the run ended', async () => {
    const { store, asked, tryFor } = await waitFor([false, false, false, true]);
    await tryFor(120);
    const { notes } = await store.lock('apply');
    expect(notes[0]).not.toContain('its run is over');
    expect(asked.length).toBe(4);
  });

  test('a run that gives signs keeps its lock, whatever GitHub says of it', async () => {
    const place = makeMemoryPlace();
    const clock = makeFakeClock();
    const alive = openMachine(place.open(), { runUrl, clock });
    const held = await alive.store.lock('apply');
    const next = openMachine(place.open(), { who: 'ben', clock, isRunOver: async () => true });
    for (let second = 0; second < 300; second++) {
      await expect(next.store.lock('apply')).rejects.toEqual(locked);
      await clock.advance(1000);
    }
    expect(held.holds()).toBe(true);
    await held.release();
  });
});
