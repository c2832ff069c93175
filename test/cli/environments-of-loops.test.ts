// A loop that exists in one environment only asks nothing of the others. How a sink replaces the recipients of its instances
// is in the transcripts.

import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/validate-document.ts';
import { mail, openStage, production, type Stage, staging } from '../support/cli/environments-stage.ts';

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
