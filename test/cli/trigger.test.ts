import { describe, expect, it } from 'vitest';
import type { TriggerDocument } from '../../src/apply/trigger-document.ts';
import type { StatusDocument } from '../../src/deliveries/status-document.ts';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { connecting } from '../support/cli/connecting.ts';
import { daily } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { expectRefused } from '../support/security/refused.ts';
import { inOneLine, says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const named = (name: string, more: object = {}) => ({ ...daily, name, ...more });
const three = { a: named('A'), b: named('B'), c: named('C') };

const postsTo = (stage: World, ...addresses: readonly string[]) =>
  addresses.map((address) => `POST /api/v1/schedules/${stage.idOf(address)}/trigger`);
const approve = (stage: World, ...argv: readonly string[]) => stage.run('trigger', '--auto-approve', ...argv);

describe('almanac trigger', () => {
  it('almanac trigger says to whom, asks Omni for each schedule in the order that was named, and leaves the state as it was', async () => {
    const stage = await openApplied({ schedules: three });
    const before = stage.read('almanac.state.json');
    const { code, stdout, stderr } = await approve(stage, 'schedules.c', 'schedules.a');
    expect(code).toBe(0);
    expect(stderr).toEqual(
      says('2 schedules will be delivered once, now, to 1 recipient: schedules.c webhook to hooks.'),
    );
    expect(stdout).toBe('schedules.c: Omni was asked to deliver it.\nschedules.a: Omni was asked to deliver it.\n');
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.c', 'schedules.a'));
    expect(stage.read('almanac.state.json')).toBe(before);
    expect((await stage.run('plan')).stdout).toContain('No changes');
  });

  it('a trigger names an address under extra too, because nobody knows what such a field does', async () => {
    const stage = await openApplied({ schedules: { a: named('A') } });
    const state = JSON.parse(stage.read('almanac.state.json'));
    state.resources['schedules.a'].attributes.extra = { replyTo: 'eve@evil.example' };
    stage.write({ 'almanac.state.json': state });
    const { stderr } = await approve(stage, 'schedules.a');
    expect(stderr).toEqual(says('to 2 recipients: schedules.a webhook to hooks.example.com, eve@evil.example'));
  });

  it.each([
    ['more than --max', ['--auto-approve', '--max', '2'], '3 schedules would be delivered, and --max is 2.'],
    ['where nobody can confirm', [], 'There is no terminal to ask on, so nothing was sent.'],
    ['an address that was not applied', ['--auto-approve', 'schedules.x'], '`schedules.x` was not applied.'],
    ['such an address where nobody can confirm', ['schedules.x'], '`schedules.x` was not applied.'],
  ])('a trigger is refused as a whole for %s', async (_, argv, words) => {
    const stage = await openApplied({ schedules: three });
    const { code, stderr } = await stage.run('trigger', 'schedules.a', 'schedules.b', 'schedules.c', ...argv);
    expect({ code, words: inOneLine(stderr) }).toEqual({ code: 1, words: expect.stringContaining(words) });
    expect(stage.sent()).toEqual([]);
  });

  it('with --if-stale, what completed lately is left out, and what failed is not', async () => {
    const stage = await openApplied({ schedules: three }, { faults: [{ fault: 'run-error', at: 2 }] });
    stage.until(1, 10);
    await stage.run('status');
    const { code, stdout } = await approve(stage, '--if-stale', '12h', 'schedules.a', 'schedules.b', 'schedules.c');
    expect(code).toBe(0);
    const failed = Object.keys(three)
      .map((key) => `schedules.${key}`)
      .filter((address) => stdout.includes(`${address}: Omni was asked`));
    expect(failed).toHaveLength(1);
    expect(stage.sent()).toEqual(postsTo(stage, ...failed));
    expect(stdout).toEqual(says('not stale. It completed at 2026-03-01T09:00:00.000Z.'));
    stage.until(1, 22);
    await approve(stage, '--if-stale', '12h', 'schedules.a', 'schedules.b', 'schedules.c');
    expect(stage.sent()).toHaveLength(2);
  });

  it('the JSON says of each schedule whether it was sent, and why not, and fits its schema', async () => {
    const stage = await openApplied({ schedules: { ...three, b: named('B', { paused: true }) } });
    stage.until(1, 10);
    await stage.run('status');
    const { code, stdout, stderr } = await approve(
      stage,
      ...['--format', 'json', '--if-stale', '12h', 'schedules.b', 'schedules.a'],
    );
    expect(code).toBe(1);
    expect(stderr).toContain('1 schedule will be delivered once');
    const document = expectDocument<TriggerDocument>('trigger', stdout);
    expect(document.schedules).toEqual([
      {
        address: 'schedules.b',
        id: stage.idOf('schedules.b'),
        name: 'B',
        status: 'failed',
        message: expect.stringContaining('Schedule is paused.'),
        hint: expect.stringContaining('Nothing was delivered by this request.'),
      },
      {
        address: 'schedules.a',
        id: stage.idOf('schedules.a'),
        name: 'A',
        status: 'fresh',
        message: 'It completed at 2026-03-01T09:00:00.000Z.',
      },
    ]);
    expect(document.summary).toEqual({ sent: 0, failed: 1, unknown: 0, skipped: 0, fresh: 1, blocked: 0 });
  });

  it('a schedule is found by its dashboard, or in the whole list, where it is refused if it has left its dashboard', async () => {
    const stage = await openApplied({ schedules: three });
    stage.until(1, 10);
    const listed = async (ifStale: string) => {
      const before = stage.emulator.requests().length;
      const { stdout, stderr } = await approve(stage, '--if-stale', ifStale, 'schedules.a');
      const identifiers = stage.emulator
        .requests()
        .slice(before)
        .filter(({ path }) => path.endsWith('/schedules'));
      return { said: inOneLine(stdout + stderr), on: identifiers.map(({ query }) => query['identifier']) };
    };
    const there = await listed('12h');
    expect(there.said).toContain('schedules.a: Not sent, because it is not stale.');
    expect(there.on).toEqual([three.a.identifier]);
    stage.emulator.edit(({ schedules }) => {
      for (const { fields } of schedules) fields['identifier'] = 'b4d86e20';
    });
    const moved = await listed('10m');
    expect(moved.said).toContain('`almanac state rm schedules.a` stops tracking it');
    expect(moved.on).toEqual([three.a.identifier, undefined]);
  });

  it('what Omni does not say in a readable form is neither sent nor called fresh', async () => {
    const connect = connecting(({ listSchedules }) => ({
      listSchedules: async (only, options) =>
        (await listSchedules(only, options)).map((row) => ({ ...row, lastCompletedAt: 'yesterday' })),
    }));
    const stage = await openApplied({ schedules: three }, { outside: { connect } });
    const { code, stdout, stderr } = await approve(stage, '--if-stale', '12h', 'schedules.a');
    expect(code, stderr).toBe(1);
    expect(inOneLine(stdout), stderr).toContain(
      'schedules.a: Not sent. Omni does not say in a readable form when it last completed.',
    );
    expect(stage.sent()).toEqual([]);
  });

  it('after Ctrl-C the delivery under way is finished and recorded, and no other is sent', async () => {
    const interruption = new AbortController();
    const connect = connecting(({ triggerSchedule }) => ({
      triggerSchedule: async (id, options) => {
        // As where the service asks to send it again later.
        options?.onRequest?.('POST');
        interruption.abort();
        await triggerSchedule(id, options);
      },
    }));
    const stage = await openApplied({ schedules: three }, { outside: { signal: interruption.signal, connect } });
    const { code, stdout, stderr } = await approve(stage, 'schedules.b', 'schedules.a');
    expect(code).toBe(1);
    expect(stderr).toEqual(says('no more deliveries are started. Finishing first: schedules.b. Interrupt'));
    expect(stdout).toBe(
      'schedules.b: Omni was asked to deliver it.\nschedules.a: Not sent. The run was interrupted.\n',
    );
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.b'));
    expect(stage.state().unresolved).toEqual([]);
  });

  it('an unknown outcome blocks the next trigger of that address, and neither plan nor apply nor another trigger', async () => {
    const fault = { fault: 'drop-after', on: 'POST /v1/schedules', at: 4 } as const;
    const stage = await openApplied({ schedules: three }, { faults: [fault] });
    const lost = await approve(stage, 'schedules.a', 'schedules.b');
    expect(lost.code).toBe(1);
    expect(lost.stdout).toEqual(says('schedules.a: The answer was lost. It is not known whether POST'));
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.a', 'schedules.b'));
    expect(stage.state().unresolved).toMatchObject([{ address: 'schedules.a', action: 'trigger', name: 'A' }]);

    expect((await stage.run('plan')).stdout).toContain('No changes');
    stage.write({ 'schedules/all.yaml': { schedules: { ...three, a: named('A2') } } });
    expect((await stage.apply()).summary).toMatchObject({ applied: 1, failed: 0, unknown: 0 });
    stage.sent();
    const again = await approve(stage, 'schedules.a', 'schedules.c');
    expect(again.code).toBe(1);
    expect(again.stdout).toEqual(says('schedules.a: Not sent. It was triggered at'));
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.c'));
    expect((await stage.run('show')).stdout).toContain('almanac state resolve schedules.a --done');

    const { stdout } = await stage.run('state', 'resolve', 'schedules.a', '--done');
    expect(stdout).toMatch(/^The trigger of schedules\.a, sent at \S+Z, is recorded as delivered\.\n$/);
    expect((await approve(stage, 'schedules.a')).code).toBe(0);
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.a'));
  });

  it('a schedule whose last change has an unknown outcome is not delivered: nobody knows to whom', async () => {
    const stage = await openApplied(
      { schedules: three },
      { faults: [{ fault: 'drop-before', on: 'PUT /v1/schedules' }] },
    );
    stage.write({
      'schedules/all.yaml': { schedules: { ...three, a: { ...three.a, url: 'https://other.example.com/in' } } },
    });
    await stage.run('apply', '--auto-approve');
    expect(stage.state().unresolved).toMatchObject([{ address: 'schedules.a', action: 'update' }]);
    stage.sent();
    const { code, stdout } = await approve(stage, 'schedules.a', 'schedules.b');
    expect(code).toBe(1);
    expect(stdout).toEqual(says('schedules.a: Not sent. The outcome of its last change is not known'));
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.b'));
  });

  it('what a lost trigger prints never closes a lost update: the next apply sends that', async () => {
    const faults = [
      { fault: 'drop-after', on: 'POST /v1/schedules', at: 4 },
      { fault: 'drop-before', on: 'PUT /v1/schedules', at: 1 },
    ] as const;
    const stage = await openApplied({ schedules: three }, { faults });
    await approve(stage, 'schedules.a');
    stage.write({ 'schedules/all.yaml': { schedules: { ...three, a: named('A2') } } });
    await stage.run('apply --auto-approve --max-attempts 1');
    expect(stage.state().unresolved).toMatchObject([{ action: 'update' }, { action: 'trigger' }]);
    for (const answer of ['--done', '--retry'])
      await expectRefused(stage, `state resolve schedules.a ${answer}`, `${answer} may mean the update of schedules.a`);
    await stage.apply();
    expect(stage.emulator.data().schedules.map(({ fields }) => fields['name'])).toContain('A2');
    expect((await stage.run('state', 'resolve', 'schedules.a', '--done')).stdout).toMatch(/^The trigger of/);
    expect(stage.state().unresolved).toEqual([]);
  });

  it('in a shared place a trigger waits for no other, and everybody knows of an answer that was lost', async () => {
    const place = makeMemoryPlace('git branch almanac-state of origin');
    const fault = { fault: 'drop-after', on: 'POST /v1/schedules', at: 3 } as const;
    const stage = await openApplied(
      { schedules: { a: three.a, b: three.b } },
      {
        config: { state: { backend: 'git' } },
        outside: { openSharedState: async () => place.open() },
        faults: [fault],
      },
    );
    stage.sent();
    const other = await place.open().lock('trigger');
    expect((await approve(stage, 'schedules.a')).stderr).toContain('error[state-locked]');
    expect(stage.sent()).toEqual([]);
    await other.release();
    expect((await approve(stage, 'schedules.a')).stdout).toEqual(says('schedules.a: The answer was lost.'));
    expect(stage.sent()).toHaveLength(1);
    expect((await approve(stage, 'schedules.a')).stdout).toEqual(says('schedules.a: Not sent. It was triggered at'));
    expect(stage.sent()).toEqual([]);
    const { stdout } = await stage.run('state', 'resolve', 'schedules.a', '--retry');
    expect(stdout).toMatch(
      /^The trigger of schedules\.a, sent at \S+Z, was not delivered: it may be triggered again\.\n$/,
    );
    expect((await approve(stage, 'schedules.a')).code).toBe(0);
    expect(stage.sent()).toHaveLength(1);
  });

  it('an open trigger goes where its schedule goes, and ends with it', async () => {
    const fault = { fault: 'drop-after', on: 'POST /v1/schedules', at: 4 } as const;
    const stage = await openApplied({ schedules: three }, { faults: [fault] });
    await approve(stage, 'schedules.a');
    const open = () => stage.state().unresolved.map(({ address }) => address);
    expect((await stage.run('state', 'mv', 'schedules.a', 'schedules.d')).code).toBe(0);
    expect(open()).toEqual(['schedules.d']);
    stage.write({
      'schedules/all.yaml': {
        schedules: { b: three.b, c: three.c, e: three.a },
        moved: [{ from: 'schedules.d', to: 'schedules.e' }],
      },
    });
    await stage.apply();
    expect(open()).toEqual(['schedules.e']);
    stage.write({ 'schedules/all.yaml': { schedules: { b: three.b, c: three.c } } });
    await stage.apply('--force');
    expect(open()).toEqual([]);
  });

  it('where an environment has sinks, only what was applied through them is delivered', async () => {
    const stage = await openApplied({ schedules: three });
    const { baseUrl } = stage.state();
    const deliver = { webhook: 'http://127.0.0.1:9/sink' };
    stage.write({
      'almanac.yaml': {
        api: { baseUrl, operations: 'full', rateLimit: 0 },
        environments: { staging: { state: { path: 'almanac.state.json' }, deliver } },
      },
    });
    const refused = await approve(stage, '--env', 'staging', 'schedules.b', 'schedules.a');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toEqual(says('schedules.b was not applied through the sink of staging'));
    expect(stage.sent()).toEqual([]);
    await stage.apply('--env', 'staging');
    stage.sent();
    expect((await approve(stage, '--env', 'staging', 'schedules.b')).code).toBe(0);
    expect(stage.sent()).toEqual(postsTo(stage, 'schedules.b'));
  });
});

describe('almanac status --retry', () => {
  it('what failed or was missed is delivered again, and nothing else', async () => {
    const faults = [
      { fault: 'run-error', at: 1 },
      { fault: 'run-missed', at: 2 },
    ] as const;
    const stage = await openApplied({ schedules: three }, { faults });
    stage.until(1, 10, 30);
    await stage.run('status');
    stage.sent();
    const found = await stage.run('status', '--retry', 'failed,missed', '--auto-approve');
    expect(found.code).toBe(0);
    const again = stage.sent();
    expect(again).toHaveLength(2);
    expect(found.stderr).toEqual(says('2 schedules will be delivered once, now,'));
    expect(await stage.run('status')).toMatchObject({ code: 0, stdout: '3 fine\n' });
    await stage.run('status', '--retry', 'failed,missed', '--auto-approve');
    expect(stage.sent()).toEqual([]);
  });

  it('what cannot be delivered again is still something to look at', async () => {
    const stage = await openApplied({ schedules: three }, { faults: [{ fault: 'run-killed', at: 1 }] });
    stage.until(1, 10);
    const { code } = await stage.run('status', '--retry', 'missed', '--auto-approve');
    expect(code).toBe(2);
    expect(stage.sent()).toEqual([]);
    const junit = await stage.run('status', '--retry', 'failed', '--format', 'markdown', '--auto-approve');
    expect(junit.stderr).toEqual(says('it takes no --format markdown'));
    expect(stage.sent()).toEqual([]);
  });

  it('a program reads one document with the report and what was delivered again', async () => {
    const stage = await openApplied({ schedules: three }, { faults: [{ fault: 'run-error', at: 1 }] });
    stage.until(1, 10);
    const retry = async (...more: readonly string[]) => {
      const { code, stdout } = await stage.run('status', '--retry', 'failed', '--format', 'json', ...more);
      return { code, document: expectDocument<StatusDocument>('status', stdout) };
    };
    const { code, document } = await retry('--auto-approve', '--report', 'json=status.json');
    expect(code).toBe(0);
    const [failed] = document.schedules.filter(({ health }) => health === 'failed');
    expect(document.retried).toEqual([
      { address: failed?.address, id: failed?.id, name: failed?.name, status: 'sent' },
    ]);
    expect(stage.sent()).toEqual([`POST /api/v1/schedules/${failed?.id}/trigger`]);
    expect(JSON.parse(stage.read('status.json'))).toEqual(document);
    expect(await retry('--auto-approve')).toMatchObject({ code: 0, document: { retried: [] } });
    expect(stage.sent()).toEqual([]);
  });
});
