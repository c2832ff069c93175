// Many warnings: what each report lists and what it only counts. What a team has decided about is in the transcripts.

import { describe, expect, it } from 'vitest';
import { hook, inOneLine, mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const often = (name: string, more: object = {}) => hook({ name, schedule: '0/15 * ? * * *', ...more });
const stage = (files: Readonly<Record<string, object>>) =>
  openWorld(
    Object.fromEntries(Object.entries(files).map(([file, schedules]) => [`schedules/${file}.yaml`, { schedules }])),
  );

describe('many findings', () => {
  const many = Object.fromEntries(Array.from({ length: 52 }, (_, index) => [`s${index}`, often(`${index}`)]));

  it('plan, apply and drift only count the findings about resources that they do not change', async () => {
    const workspace = await stage({ all: many, other: { calm: hook({ name: 'Calm' }) } });
    await workspace.apply();
    const counted = /^52 findings about resources that this plan does not change: `almanac plan -v`\n/;
    workspace.write({ 'schedules/other.yaml': { schedules: { calm: hook({ name: 'Calmer' }) } } });
    expect((await workspace.run('plan')).stderr).toMatch(counted);
    expect((await workspace.run('plan', '-v')).stderr.match(/warning\[cron-too-frequent\]/g)).toHaveLength(52);
    expect((await workspace.run('apply', '--auto-approve')).stderr).toMatch(counted);
    const drift = await workspace.run('drift');
    expect(drift.stderr).toBe('52 findings about what has not drifted: `almanac drift -v`\n\n');
    const markdown = (await workspace.run('drift', '--format', 'markdown')).stdout;
    expect(markdown).toContain('- 52 findings about what has not drifted: `almanac drift -v`');
    expect(markdown.length).toBeLessThan(1_000);
    const renamed = Object.entries(many).map(([key, fields]) => [key, { ...fields, name: `Report ${key}` }]);
    workspace.write({ 'schedules/all.yaml': { schedules: Object.fromEntries(renamed) } });
    const { stderr } = await workspace.run('plan');
    expect(stderr).toContain('warning[cron-too-frequent]: 49 more: almanac plan -v\n');
  });

  it('an error hides the warnings beside it in the text, and in no other format', async () => {
    const workspace = await stage({ all: { ...many, wrong: often('Wrong', { timezone: 'Berlin' }) } });
    const report = async (format: string) => (await workspace.run('validate', '--format', format)).stdout;
    for (const text of [await report('text'), (await workspace.run('plan')).stderr]) {
      expect(text).toContain('error[invalid-timezone]');
      expect(text).not.toContain('cron-too-frequent');
      expect(text).toContain('53 warnings not listed: `almanac validate -v`\n');
    }
    const count = async (format: string, pattern: RegExp) => (await report(format)).match(pattern)?.length;
    expect(await count('json', /"code": "cron-too-frequent"/g)).toBe(53);
    expect(await count('sarif', /"ruleId": "cron-too-frequent"/g)).toBe(53);
    expect(await count('gitlab', /"check_name": "cron-too-frequent"/g)).toBe(53);
    expect(await count('github', /^::warning/gm)).toBe(53);
    expect(await count('junit', /<testcase [^>]*cron-too-frequent/g)).toBe(53);
  });
});

it('a plan without changes is no quiet plan while a cell is nearly a text of except', async () => {
  const usage = {
    ...hook({ name: 'Usage ${each.code}', url: 'https://hooks.example.com/${each.code}' }),
    forEachRow: { file: 'c.csv', key: 'code', except: { status: 'churned' } },
  };
  const table = 'code,status\nk1,active\nk2,active\nk3,churned\n';
  const workspace = await openWorld({ schedules: { usage }, 'schedules/c.csv': table });
  await workspace.apply();
  expect((await workspace.run('plan')).stdout).toContain('No changes.');
  workspace.write({ 'schedules/c.csv': table.replace('k2,active', 'k2,Churned') });
  const { stdout, stderr } = await workspace.run('plan');
  expect(stderr).toContain('schedules/c.csv:3:4: warning[for-each-nearly]');
  expect(inOneLine(stdout)).toContain('Nothing is planned, but 1 cell is nearly a text of `only` or `except`');
});

it('an odd value that the filter of the dashboard has is none for whoever has looked', async () => {
  const filterConfig = { region: { type: 'string', kind: 'EQUALS', values: ['-Europe', '-Asia'] } };
  const workspace = await openWorld({ schedules: { mail: mail({ filterConfig }) } });
  workspace.emulator.edit(({ documents }) => {
    for (const { dashboard } of documents)
      Object.assign(dashboard?.filters['region'] ?? {}, { values: ['-Europe', 'Asia'] });
  });
  const found = async (...argv: readonly string[]) =>
    (await workspace.run(...argv)).stdout.match(/`-\w+` is an expression of another tool/g);
  const both = ['`-Europe` is an expression of another tool', '`-Asia` is an expression of another tool'];
  expect(await found('validate', '-v')).toEqual(both);
  expect(await found('validate', '-v', '--online')).toEqual(both.slice(1));
  await workspace.apply();
  const { diagnostics } = await workspace.plan('--refresh=deep');
  expect(diagnostics.filter(({ code }) => code === 'filter-value')).toHaveLength(1);
});
