// Warnings that a team has decided about: what each report, a plan and an apply make of them.

import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/document.ts';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { hook } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { openWorld } from '../support/world.ts';

const often = { ...hook, schedule: '0/15 * ? * * *' };
const accept = { 'cron-too-frequent': 'our organization allows it' };

async function stage(files: Readonly<Record<string, object>>, settings: object = {}) {
  const named = Object.entries(files).map(([file, schedules]) => [`schedules/${file}.yaml`, { schedules }]);
  const workspace = await openWorld(Object.fromEntries(named), { config: settings });
  return { ...workspace, workspace };
}

const sent = ({ emulator }: Awaited<ReturnType<typeof stage>>) =>
  emulator.requests().filter(({ method }) => method !== 'GET').length;

describe('an accepted warning', () => {
  it('an accepted warning is in JSON, suppressed in SARIF, counted in the text and in no other report', async () => {
    const { workspace } = await stage({ all: { a: { ...often, name: 'A', accept }, b: { ...often, name: 'B' } } });
    const report = async (format: string) => (await workspace.run('validate', '--format', format)).stdout;
    const document = expectDocument<ValidateDocument>('validate', await report('json'));
    expect(document.summary).toMatchObject({ warnings: 1, accepted: 1 });
    expect(document.diagnostics.map(({ address, accepted }) => [address, accepted])).toEqual([
      ['schedules.a', 'our organization allows it'],
      ['schedules.b', undefined],
    ]);
    const sarif = JSON.parse(await report('sarif')) as { runs: { results: { suppressions?: object }[] }[] };
    expect(sarif.runs[0]?.results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'inSource', justification: 'our organization allows it' }],
      undefined,
    ]);
    expect((await report('text')).match(/cron-too-frequent/g)).toHaveLength(1);
    expect(await report('text')).toContain('1 warning, 1 accepted in 1 file.');
    expect((await workspace.run('plan', '-v')).stderr.match(/cron-too-frequent/g)).toHaveLength(1);
    expect((await report('github')).match(/^::warning/gm)).toHaveLength(1);
    expect(JSON.parse(await report('gitlab'))).toHaveLength(1);
    expect((await report('junit')).match(/<testcase/g)).toHaveLength(1);
    expect(await report('junit')).not.toContain('/schedules/a/');
  });
});

describe('the severity of a warning', () => {
  const checks = (value: string) => ({ checks: { 'cron-too-frequent': value } });

  it('a warning that counts as an error stops plan and apply before anything is sent', async () => {
    const made = await stage({ all: { a: { ...often, name: 'A' } } }, checks('error'));
    for (const command of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
      const { code, stdout, stderr } = await made.workspace.run(...command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stdout + stderr).toContain('error[cron-too-frequent]');
    }
    expect(sent(made)).toBe(0);
    made.write({ 'schedules/all.yaml': { schedules: { a: { ...often, name: 'A', accept } } } });
    expect((await made.workspace.run('apply', '--auto-approve')).code).toBe(0);
  });

  it('a warning of the planner that counts as an error stops a plan as well', async () => {
    const { workspace } = await stage(
      { all: { a: { ...hook, name: 'A', queryIdentifierMapKey: '1' } } },
      { checks: { 'removed-may-stay': 'error' } },
    );
    await workspace.apply();
    workspace.write({ 'schedules/all.yaml': { schedules: { a: { ...hook, name: 'A' } } } });
    const { code, stderr } = await workspace.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('error[removed-may-stay]');
    const accepted = { 'removed-may-stay': 'nobody reads it' };
    workspace.write({ 'schedules/all.yaml': { schedules: { a: { ...hook, name: 'A', accept: accepted } } } });
    expect((await workspace.run('plan')).code).toBe(0);
  });

  it('an apply does not start without a variable, although nobody is told that it is missing', async () => {
    const url = 'https://hooks.example.com/${env.HOOK}';
    const made = await stage({ all: { a: { ...hook, name: 'A', url } } }, { checks: { 'missing-variable': 'off' } });
    expect((await made.workspace.run('validate')).stdout).toBe('No errors in 1 file.\n');
    const { code, stdout } = await made.workspace.run('apply', '--auto-approve', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'missing-secret' },
      diagnostics: [{ severity: 'error', code: 'missing-variable' }],
    });
    expect(sent(made)).toBe(0);
  });

  it('a warning that an apply gives about the token follows the checks and the acceptances', async () => {
    const userId = '987fcdeb-51a2-43d7-9b56-254415f67890';
    const code = 'user-id-needs-organization-key';
    const made = await stage({ all: { a: { ...hook, name: 'A', userId }, b: { ...hook, name: 'B', userId } } });
    const { workspace, personalToken } = made;
    workspace.environment['OMNI_API_TOKEN'] = personalToken;
    const settings = JSON.parse(workspace.read('almanac.yaml')) as object;
    const said = async () => (await workspace.run('apply', '--auto-approve')).stderr.replace(/\s+/g, ' ');
    workspace.write({ 'almanac.yaml': { ...settings, checks: { [code]: 'error' } } });
    expect(await said()).toContain(`error[${code}]`);
    expect(sent(made)).toBe(0);
    const accepted = {
      a: { ...hook, name: 'A', userId, accept: { [code]: 'it is mine' } },
      b: { ...hook, name: 'B', userId },
    };
    workspace.write({ 'almanac.yaml': settings, 'schedules/all.yaml': { schedules: accepted } });
    expect(await said()).toContain('answers 403 to schedules.b.');
  });
});

describe('many findings', () => {
  const many = Object.fromEntries(
    Array.from({ length: 52 }, (_, index) => [`s${index}`, { ...often, name: `${index}` }]),
  );

  it('plan, apply and drift only count the findings about resources that they do not change', async () => {
    const { workspace } = await stage({ all: many, other: { calm: { ...hook, name: 'Calm' } } });
    await workspace.apply();
    const counted = /^52 findings about resources that this plan does not change: almanac plan -v\n/;
    workspace.write({ 'schedules/other.yaml': { schedules: { calm: { ...hook, name: 'Calmer' } } } });
    expect((await workspace.run('plan')).stderr).toMatch(counted);
    expect((await workspace.run('plan', '-v')).stderr.match(/warning\[cron-too-frequent\]/g)).toHaveLength(52);
    expect((await workspace.run('apply', '--auto-approve')).stderr).toMatch(counted);
    const drift = await workspace.run('drift');
    expect(drift.stderr).toBe('52 findings about what has not drifted: almanac drift -v\n\n');
    const markdown = (await workspace.run('drift', '--format', 'markdown')).stdout;
    expect(markdown).toContain('- 52 findings about what has not drifted: `almanac drift -v`');
    expect(markdown.length).toBeLessThan(1_000);
    const renamed = Object.entries(many).map(([key, fields]) => [key, { ...fields, name: `Report ${key}` }]);
    workspace.write({ 'schedules/all.yaml': { schedules: Object.fromEntries(renamed) } });
    const { stderr } = await workspace.run('plan');
    expect(stderr).toContain('warning[cron-too-frequent]: 49 more: almanac plan -v\n');
  });

  it('an error hides the warnings beside it in the text, and in no other format', async () => {
    const { workspace } = await stage({ all: { ...many, wrong: { ...often, name: 'Wrong', timezone: 'Berlin' } } });
    const report = async (format: string) => (await workspace.run('validate', '--format', format)).stdout;
    for (const text of [await report('text'), (await workspace.run('plan')).stderr]) {
      expect(text).toContain('error[invalid-timezone]');
      expect(text).not.toContain('cron-too-frequent');
      expect(text).toContain('53 warnings not listed: almanac validate -v\n');
    }
    const count = async (format: string, pattern: RegExp) => (await report(format)).match(pattern)?.length;
    expect(await count('json', /"code": "cron-too-frequent"/g)).toBe(53);
    expect(await count('sarif', /"ruleId": "cron-too-frequent"/g)).toBe(53);
    expect(await count('gitlab', /"check_name": "cron-too-frequent"/g)).toBe(53);
    expect(await count('github', /^::warning/gm)).toBe(53);
    expect(await count('junit', /<testcase [^>]*cron-too-frequent/g)).toBe(53);
  });
});

describe('what drift ignores', () => {
  it('a schedule that almanac.yaml ignores is neither listed nor counted, and -v says how many there are', async () => {
    const { workspace } = await stage(
      { all: { a: { ...hook, name: 'A' } } },
      { ignore: [{ name: 'tmp *' }, { owner: 'Nobody', name: '*' }] },
    );
    await workspace.apply();
    for (const name of ['tmp one', 'tmp two', 'Weekly']) workspace.makeByHand({ ...hook, name });
    const text = async (...argv: readonly string[]) => (await workspace.run(...argv)).stdout.replace(/\s+/g, ' ');
    const ignored = '2 schedules in Omni are untracked and may stay so (`ignore` in almanac.yaml).';
    expect(await text('drift')).toContain('1 schedule in Omni is untracked;');
    expect(await text('drift')).not.toContain('need not be');
    expect(await text('drift', '-v')).toContain(ignored);
    expect(await text('drift', '--untracked')).toContain(ignored);
    expect(await text('drift', '--untracked')).not.toContain('tmp');
    expect(await text('plan', '--refresh')).toContain('1 schedule in Omni is untracked;');
    const { stdout: asJson } = await workspace.run('drift', '--untracked', '--format', 'json');
    const document = expectDocument<DriftDocument>('plan', asJson);
    expect(document.untracked?.map(({ name }) => name)).toEqual(['Weekly']);
    expect(document.ignored).toBe(2);
  });
});
