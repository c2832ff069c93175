// Loops and audiences in environments: a loop that exists in one environment only asks nothing of the others, and its
// instances are replaced by the sink as every schedule is.

import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/document.ts';
import {
  bodiesOf,
  hook,
  mail,
  openStage,
  production,
  type Stage,
  staging,
  stored,
} from '../support/cli/environments-stage.ts';

const sinks = { email: ['qa@acme.com'], slack: 'C0TEST0000', webhook: 'http://127.0.0.1:9/sink' };
const only = { in: ['production'] };
const group = { ...mail, name: 'Mail ${each.key}', recipients: '${each.to}' };
const items = {
  emea: { to: ['cleo@customer.example'] },
  amer: { to: ['dan@customer.example', 'cleo@customer.example'] },
};

async function codesOf(stage: Stage, ...argv: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await stage.run('validate', '--format', 'json', ...argv);
  const { diagnostics } = JSON.parse(stdout) as ValidateDocument;
  return diagnostics.map(({ code }) => code);
}

async function planned(stage: Stage, ...argv: readonly string[]): Promise<readonly string[]> {
  return (await stage.plan(...argv)).changes.map(({ action, reason, address }) => `${action} ${reason} ${address}`);
}

describe('a loop that exists in production only', () => {
  it('a loop that exists in production only takes its entries with it, also those of the whole loop, and its audience has a user', async () => {
    const old = { schedules: { mail, old: { ...group, forEach: items } } };
    const stage = await openStage(old);
    await stage.apply(...staging);
    await stage.apply(...production);
    stage.write({
      'schedules/all.yaml': {
        schedules: { mail, group: { ...group, ...only, forEach: { ...items, apac: { to: ['${audience.sales}'] } } } },
        audiences: { sales: { emails: ['sam@acme.com'] } },
        moved: [{ from: 'schedules.old', to: 'schedules.group' }],
      },
    });
    expect(await codesOf(stage, ...staging)).toEqual([]);
    expect(await planned(stage, ...staging)).toEqual([
      'delete not-in-environment schedules.old.amer',
      'delete not-in-environment schedules.old.emea',
    ]);
    expect(await planned(stage, ...production)).toEqual([
      'move moved-entry schedules.group.amer',
      'create not-in-state schedules.group.apac',
      'move moved-entry schedules.group.emea',
    ]);
    await stage.apply(...production);
    expect(await stage.run('fmt', '--prune')).toMatchObject({ code: 0 });
    expect(stage.read('schedules/all.yaml')).not.toContain('schedules.old');
  });

  it('a loop that exists in production only has an address of its own, whoever has the same elsewhere', async () => {
    const stage = await openStage({ schedules: { group: { ...group, ...only, forEach: items } } });
    stage.write({ 'schedules/more.yaml': { schedules: { group: { ...mail, in: ['staging'] } } } });
    expect(await codesOf(stage)).toEqual(['duplicate-address']);
    expect(await codesOf(stage, ...staging)).toEqual(['duplicate-address']);
  });
});

describe('a loop in an environment with sinks', () => {
  it('a loop in an environment with sinks sends each instance to the sink and counts who is replaced after lists are put together', async () => {
    const stage = await openStage(
      {
        schedules: {
          group: { ...group, forEach: { ...items, apac: { to: ['${audience.sales}', 'sam@acme.com'] } } },
          rows: {
            ...group,
            name: 'Row ${each.code}',
            recipients: ['${each.to}'],
            forEachRow: { file: 'rows.csv', key: 'code' },
          },
        },
        audiences: { sales: { emails: ['sam@acme.com', 'SAM@acme.com', 'qa@acme.com'] } },
      },
      sinks,
    );
    stage.write({ 'schedules/rows.csv': 'code,to\na,eve@customer.example\nb,cleo@customer.example\n' });
    // cleo, dan, sam and eve; the fifth of the lists is the sink itself.
    expect((await stage.plan(...staging)).sink).toEqual({ environment: 'staging', recipients: 4 });
    await stage.apply(...staging);
    expect(bodiesOf(stage)).not.toMatch(/customer|sam@/i);
    expect(Object.values(stored(stage)).map(({ recipients }) => recipients)).toEqual(Array(5).fill(['qa@acme.com']));
    expect(await planned(stage, ...staging)).toEqual([]);
  });

  it('lacks a sink once, for all of its instances', async () => {
    const stage = await openStage({ schedules: { group: { ...group, forEach: items } } }, { slack: 'C0TEST0000' });
    const { stdout } = await stage.run('validate', '--format', 'json', ...staging);
    expect((JSON.parse(stdout) as ValidateDocument).diagnostics).toMatchObject([
      { code: 'no-sink', address: 'schedules.group', message: expect.stringContaining('It concerns all 2 instances.') },
    ]);
  });

  it('a loop in an environment with sinks needs no secret that stands in an item and that the sink replaces', async () => {
    const hooks = { ...hook, name: 'Hook ${each.key}' };
    const forEach = { a: { url: 'https://customer.example/${env.KEY_A}' }, b: { url: 'https://customer.example/b' } };
    for (const url of ['${each.url}', '${each.url}/in']) {
      const stage = await openStage({ schedules: { hooks: { ...hooks, url, forEach } } }, sinks);
      expect([url, await codesOf(stage, ...staging)]).toEqual([url, []]);
      expect([url, await codesOf(stage, ...production)]).toEqual([url, ['missing-variable']]);
      await stage.apply(...staging);
      expect(bodiesOf(stage)).not.toContain('customer');
    }
  });

  it('a loop in an environment with sinks says where each value comes from, and what the sink replaced', async () => {
    const stage = await openStage({ schedules: { group: { ...group, in: ['staging'], forEach: items } } }, sinks);
    const { stdout } = await stage.run('show', '--resolved', 'schedules.group.emea', ...staging);
    expect(stdout).toContain('qa@acme.com');
    expect(stdout).not.toContain('customer');
    expect(stdout).toMatch(/recipients: # sink of staging, almanac\.yaml:\d+\n/);
    expect(stdout).toMatch(/in: # schedules\/all\.yaml:\d+\n {6}- staging\n/);
  });
});
