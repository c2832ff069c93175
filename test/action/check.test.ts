// `command: drift` and `command: status` of the action: the step that looks, with a stub in place of almanac, and the step
// that keeps an issue, against a fake of GitHub's API. What an issue says and when it changes, issue.test.ts shows.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bot, openGithub } from '../support/action/fake-github.ts';
import { githubToken, omniToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

const calm = { baseUrl: 'https://acme.omniapp.co/api', drift: [], untracked: [], diagnostics: [] };
const outside = { ...calm, diagnostics: [{ severity: 'error', code: 'recipient-not-inside', seen: true }] };
const drifted = { ...calm, drift: [{ address: 'schedules.a', diff: [] }] };
const undeclared = { ...calm, untracked: [{ id: 'u1', name: 'Made by hand', identifier: '12db1a0a' }] };
const late = { schedules: [], summary: { failed: 1, missed: 1, stopped: 0 } };
const first = { ...undeclared, noState: { neverApplied: true, existing: [] } };
const lost = { ...undeclared, noState: { neverApplied: false, existing: ['schedules.a'] } };
const fine = { schedules: [], summary: { failed: 0, missed: 0, stopped: 0 } };

const answer = (code: number, document: object, more: object = {}) => ({
  code,
  reports: { text: 'As text.\n', markdown: '## Almanac: …\n', json: document },
  ...more,
});

async function opened(command = 'drift') {
  const github = await openGithub();
  const look = async (given: object, env: Record<string, string> = {}) => {
    const program = stubProgram({ [command]: given });
    const step = await openRunner({}, program).run('run', { ALMANAC_COMMAND: command, ...env });
    return { ...step, calls: program.calls };
  };
  /** Both steps; the second as action.yml calls it, and left out where action.yml leaves it out. */
  const check = async (given: object, env: Record<string, string> = {}) => {
    const looked = await look(given, env);
    const { 'json-plan-path': json = '', 'markdown-plan-path': markdown = '' } = looked.outputs;
    if (json === '') return { looked, kept: undefined };
    const kept = await openRunner().run('issue', {
      ALMANAC_COMMAND: command,
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: githubToken,
      ALMANAC_REPORT_JSON: json,
      ALMANAC_REPORT_MARKDOWN: markdown,
      ...env,
    });
    return { looked, kept };
  };
  const issues = () => github.issues ?? [];
  const writes = () => github.requests.filter((request) => !request.startsWith('GET'));
  return { github, look, check, issues, writes };
}

describe('the step that looks', () => {
  test('the action looks at everything and at what nobody declared, and says so in the summary and in its outputs', async () => {
    const { look } = await opened();
    const document = { ...drifted, untracked: undeclared.untracked };
    const step = await look(answer(2, document), { ALMANAC_OPTIONS: '--target=schedules.a' });
    expect(step.code).toBe(0);
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
    expect(step.calls[0]?.args.slice(0, 5)).toEqual(['--no-color', 'drift', '--deep', '--untracked', '--unapplied']);
    expect(step.calls[0]?.args.at(-1)).toBe('--target=schedules.a');
    expect(step.summary).toContain('## Almanac: …');
    expect(step.summary).toContain('```text\nAs text.\n```');
    expect(step.log).toContain('::warning title=Almanac::Drift: 1 resource.');
    expect(step.log).toContain('::notice title=Almanac::Untracked: 1 schedule in Omni.');
    expect(JSON.parse(readFileSync(step.outputs['json-plan-path'] ?? '', 'utf8'))).toEqual(document);
  });

  test('the action says in the summary, the log and its outputs which deliveries failed', async () => {
    const step = await (await opened('status')).look(answer(2, late));
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
    expect(step.calls[0]?.args.slice(0, 2)).toEqual(['--no-color', 'status']);
    expect(step.log).toContain('::warning title=Almanac::Failed, missed or stopped: 2 schedules.');
  });

  test('the action says which deliveries end because a schedule is not there any more', async () => {
    const step = await (await opened('status')).look(answer(2, { ...fine, gone: [{ address: 'schedules.a' }] }));
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
    expect(step.log).toContain('::warning title=Almanac::Gone from Omni, or not seen by this token: 1 schedule.');
  });

  test('what a token just does not see is a warning, and no change', async () => {
    const step = await (await opened('status')).look(answer(0, { ...fine, gone: [{ address: 'schedules.a' }] }));
    expect(step.outputs).toMatchObject({ changes: 'false', exitcode: '0' });
    expect(step.log).toContain('::warning title=Almanac::Gone from Omni, or not seen by this token: 1 schedule.');
  });

  test.each([
    ['fails after drift', 'drift', answer(2, drifted), 2],
    ['fails if somebody receives what they must not', 'drift', answer(2, outside), 2],
    ['passes with schedules that nobody declared', 'drift', answer(0, undeclared), 0],
    ['fails after failed deliveries', 'status', answer(2, late), 2],
    ['passes while nothing is failing', 'status', answer(0, fine), 0],
  ])('with detailed-exitcode the step %s', async (_, command, given, code) => {
    const step = await (await opened(command)).look(given, { ALMANAC_DETAILED_EXITCODE: 'true' });
    expect(step).toMatchObject({ code, outputs: { changes: String(code === 2), exitcode: String(code) } });
  });

  test.each([
    ['drift', first],
    ['status', { ...fine, noState: first.noState }],
  ])(
    'before the first apply the step for %s passes, and says in its summary that nothing was compared',
    async (command, document) => {
      const step = await (await opened(command)).look(answer(1, document), {
        ALMANAC_DETAILED_EXITCODE: 'true',
        OMNI_BASE_URL: calm.baseUrl,
      });
      expect(step).toMatchObject({ code: 0, outputs: { changes: 'false', exitcode: '1' } });
      expect(step.summary).toContain('## Almanac: …');
      expect(step.log).toContain(
        '::notice title=Almanac::Nothing was compared, because this workspace has no state yet.',
      );
      expect(step.log).not.toContain('::warning');
    },
  );

  test('where a state may be lost the step fails, and shows what almanac said', async () => {
    const stdout = 'Nothing was compared: this workspace has no state, but Omni has 1 of the declared schedules.\n';
    const step = await (await opened()).look(answer(1, lost, { stdout }));
    expect(step).toMatchObject({ code: 1, outputs: { exitcode: '1' } });
    expect(step.outputs).not.toHaveProperty('json-plan-path');
    expect(step.summary).toContain('## almanac drift failed');
    expect(step.summary).toContain('this workspace has no state, but Omni has 1');
  });

  test('a check that fails shows why and leaves no report', async () => {
    const { look } = await opened();
    const step = await look({ code: 1, stderr: 'error[api-unreachable]: no answer\n' });
    expect(step.code).toBe(1);
    expect(step.summary).toContain('## almanac drift failed');
    expect(step.summary).toContain('no answer');
    expect(step.outputs).toEqual({ exitcode: '1' });
  });
});

describe('the issue', () => {
  test('the issue is opened, updated when something else differs, closed, and opened again', async () => {
    const { check, issues, writes, github } = await opened();
    const prod = { ALMANAC_ENVIRONMENT: 'prod' };
    await check(answer(0, calm), prod);
    expect(writes()).toEqual([]);
    const { kept } = await check(answer(0, undeclared), prod);
    expect(kept?.code, kept?.log).toBe(0);
    expect(issues()).toMatchObject([{ state: 'open', title: 'Omni differs from what Almanac declares (prod)' }]);
    expect(issues()[0]?.body).toContain('## Almanac: …');
    expect(issues()[0]?.body).toContain('[This run](https://github.example/acme/reports/actions/runs/4711/attempts/1)');
    await check(answer(0, undeclared), prod);
    expect(writes()).toEqual(['POST /repos/acme/reports/issues']);
    await check(answer(2, drifted), prod);
    await check(answer(0, calm), prod);
    expect(issues()).toMatchObject([{ state: 'closed' }]);
    await check(answer(2, drifted), prod);
    expect(issues()).toMatchObject([{ state: 'open' }]);
    const [opening, comment, ...changes] = writes();
    expect(opening).toBe('POST /repos/acme/reports/issues');
    expect(comment).toBe('POST /repos/acme/reports/issues/1/comments');
    expect(changes).toEqual(Array(3).fill('PATCH /repos/acme/reports/issues/1'));
    expect(github.comments).toMatchObject([
      { pull: 1, body: expect.stringContaining('<code>schedules&#46;a</code> differs') },
    ]);
  });

  test('the issue about deliveries says nothing of drift', async () => {
    const { check, issues } = await opened('status');
    const schedules = [{ address: 'schedules.a', health: 'missed' }];
    const { kept } = await check(answer(2, { schedules, gone: [], summary: { missed: 1 } }));
    expect(kept?.log).toContain('Opened an issue about deliveries.');
    expect(issues()).toMatchObject([{ state: 'open', body: expect.not.stringMatching(/drift/) }]);
  });

  test('a workspace without a state opens no issue before the first apply, and closes none after it', async () => {
    const { check, issues, writes } = await opened();
    const { looked, kept } = await check(answer(1, first));
    expect([looked.code, kept?.code]).toEqual([0, 0]);
    expect(writes()).toEqual([]);
    await check(answer(2, drifted));
    expect((await check(answer(1, lost))).looked.code).toBe(1);
    await check(answer(1, first));
    expect(issues()).toMatchObject([{ state: 'open' }]);
    expect(writes()).toHaveLength(1);
  });

  test('a check that failed never closes the issue', async () => {
    const { check, issues } = await opened();
    await check(answer(2, drifted));
    const { looked, kept } = await check({ code: 1, stderr: 'no answer' });
    expect(looked.code).toBe(1);
    expect(kept).toBeUndefined();
    expect(issues()).toMatchObject([{ state: 'open' }]);
  });

  test('only issues that the author of the comments wrote count, however many others there are, and no pull requests', async () => {
    const { check, issues, github } = await opened();
    await check(answer(2, drifted));
    const [own] = issues();
    const others = Array.from({ length: 250 }, (_, index) => ({ ...own, number: 100 + index, body: 'x' }));
    const forged = { ...own, number: 8, user: { login: 'mallory' } };
    const pull = { ...own, number: 9, user: bot, pull_request: {} };
    github.issues = structuredClone([own, ...others, forged, pull]) as typeof github.issues;
    await check(answer(0, calm));
    expect(issues()[0]).toMatchObject({ state: 'closed' });
    expect(issues().slice(1)).toEqual([...others, forged, pull]);
  });

  test.each([
    ['a token that may only read', { readOnly: true }],
    ['a repository without issues', { issues: undefined }],
  ])('with %s the summary says that there is no issue, and the step passes', async (_, state) => {
    const { check, github } = await opened();
    Object.assign(github, state);
    const { looked, kept } = await check(answer(2, drifted), { ALMANAC_DETAILED_EXITCODE: 'true' });
    expect(looked.code).toBe(2);
    expect(kept?.code).toBe(0);
    expect(kept?.summary).toContain('The issue about drift was not written');
    expect(kept?.log).toContain('::warning title=Almanac::');
  });

  test.each([
    ['that nobody can read', 'GET', [500, 500, 500, 500], 0],
    ['that was perhaps opened, so that it is not opened twice', 'POST', [502], 1],
  ])('a failure of GitHub fails the step for an issue %s', async (_, method, statuses, written) => {
    const { check, github, writes } = await opened();
    github.failNext(method, ...statuses);
    const { kept } = await check(answer(2, drifted));
    expect(kept?.code).toBe(1);
    expect(kept?.summary).toContain('could not be written');
    expect(writes()).toHaveLength(written);
  });

  test('where more issues are listed than are read, no second one is opened', async () => {
    const { check, issues, github, writes } = await opened();
    await check(answer(2, drifted));
    const [own] = issues();
    const newer = Array.from({ length: 5100 }, (_, index) => ({ ...own, number: 5200 - index, body: 'x' }));
    github.issues = structuredClone([...newer, own]) as typeof github.issues;
    const { kept } = await check(answer(0, undeclared));
    expect(kept?.code).toBe(1);
    expect(kept?.summary).toContain('could not be written');
    expect(kept?.log).toContain('too many to read');
    expect(writes()).toHaveLength(1);
  });

  test('the issue is never too long, and holds no secret of the job', async () => {
    const { check, issues } = await opened();
    const markdown = `## Almanac drift\n\n${`| ${omniToken} | a row |\n`.repeat(10_000)}`;
    const { looked } = await check(answer(2, drifted, { reports: { text: omniToken, markdown, json: drifted } }));
    expect(issues()[0]?.body.length).toBeLessThanOrEqual(65_536);
    expect(issues()[0]?.body).toContain('**Cut here because it is too long.**');
    for (const text of [issues()[0]?.body, looked.summary, looked.log, JSON.stringify(looked.outputs)])
      expect(text).not.toContain(omniToken);
  });
});
