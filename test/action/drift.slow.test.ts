// `command: drift` of the action: the step that looks, with a stub in place of almanac, and the step that keeps an issue,
// against a fake of GitHub's API.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bot, openGithub } from '../support/action/fake-github.ts';
import { githubToken, omniToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

const calm = { baseUrl: 'https://acme.omniapp.co/api', drift: [], untracked: [], diagnostics: [] };
const drifted = { ...calm, drift: [{ address: 'schedules.a', diff: [] }] };
const undeclared = { ...calm, untracked: [{ id: 'u1', name: 'Made by hand', identifier: '12db1a0a' }] };

function answerOf(document: object, more: object = {}) {
  const code = (document as typeof drifted).drift.length > 0 ? 2 : 0;
  return { code, reports: { text: 'As text.\n', markdown: '## Almanac drift: …\n', json: document }, ...more };
}

async function opened(files: Readonly<Record<string, unknown>> = {}) {
  const [runner, github] = [openRunner(files), await openGithub()];
  const look = async (answer: object, env: Record<string, string> = {}) => {
    const program = stubProgram(runner, { drift: answer });
    const step = await runner.run('run.mjs', { ALMANAC_COMMAND: 'drift', ...env });
    return { ...step, calls: program.calls() };
  };
  /** Both steps; the second as action.yml calls it, and left out where action.yml leaves it out. */
  const check = async (answer: object, env: Record<string, string> = {}) => {
    const looked = await look(answer, env);
    const { 'json-plan-path': json = '', 'markdown-plan-path': markdown = '' } = looked.outputs;
    if (json === '') return { looked, kept: undefined };
    const kept = await runner.run('issues/keep-issue.mjs', {
      ALMANAC_COMMAND: 'drift',
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
  return { runner, github, look, check, issues, writes };
}

describe('the step that looks', () => {
  test('the action looks at everything and at what nobody declared, and says so in the summary and in its outputs', async () => {
    const { look } = await opened();
    const document = { ...drifted, untracked: undeclared.untracked };
    const step = await look(answerOf(document), { ALMANAC_OPTIONS: '--target=schedules.a' });
    expect(step.code).toBe(0);
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
    expect(step.calls[0]?.args.slice(0, 4)).toEqual(['--no-color', 'drift', '--deep', '--untracked']);
    expect(step.calls[0]?.args.at(-1)).toBe('--target=schedules.a');
    expect(step.summary).toContain('## Almanac drift: …');
    expect(step.summary).toContain('```text\nAs text.\n```');
    expect(step.log).toContain('::warning title=Almanac::Drift: 1 resource.');
    expect(step.log).toContain('::notice title=Almanac::Untracked: 1 schedule in Omni.');
    expect(JSON.parse(readFileSync(step.outputs['json-plan-path'] ?? '', 'utf8'))).toEqual(document);
  });

  test('with detailed-exitcode drift fails the step, and schedules that nobody declared do not', async () => {
    const { look } = await opened();
    const detailed = { ALMANAC_DETAILED_EXITCODE: 'true' };
    expect((await look(answerOf(drifted), detailed)).code).toBe(2);
    expect((await look(answerOf(undeclared), detailed)).code).toBe(0);
    expect((await look(answerOf(calm), detailed)).outputs).toMatchObject({ changes: 'false' });
  });

  test('a check for drift that fails shows why and leaves no report', async () => {
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
    const { check, issues, writes } = await opened();
    const { kept } = await check(answerOf(undeclared), { ALMANAC_ENVIRONMENT: 'prod' });
    expect(kept?.code, kept?.log).toBe(0);
    expect(issues()).toMatchObject([{ state: 'open', title: 'Omni differs from what Almanac declares (prod)' }]);
    expect(issues()[0]?.body).toContain('## Almanac drift: …');
    expect(issues()[0]?.body).toContain('[This run](https://github.example/acme/reports/actions/runs/4711/attempts/1)');
    const prod = { ALMANAC_ENVIRONMENT: 'prod' };
    await check(answerOf(undeclared), prod);
    expect(writes()).toEqual(['POST /repos/acme/reports/issues']);
    const before = issues()[0]?.body;
    await check(answerOf(drifted), prod);
    expect(issues()[0]?.body).not.toBe(before);
    await check(answerOf(calm), prod);
    await check(answerOf(calm), prod);
    expect(issues()).toMatchObject([{ state: 'closed' }]);
    await check(answerOf(drifted), prod);
    expect(issues()).toMatchObject([{ state: 'open' }]);
    expect(writes()).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH'].map((method) => expect.stringContaining(method)));
  });

  test('an issue that a person closed is opened again while the same things differ', async () => {
    const { check, issues, github } = await opened();
    await check(answerOf(drifted));
    const before = issues()[0]?.body;
    github.issues = issues().map((issue) => ({ ...issue, state: 'closed' }));
    expect((await check(answerOf(drifted))).kept?.code).toBe(0);
    expect(issues()).toMatchObject([{ state: 'open', body: before }]);
  });

  test('calm nights write nothing', async () => {
    const { check, writes } = await opened();
    await check(answerOf(calm));
    expect(writes()).toEqual([]);
  });

  test('a check that failed never closes the issue', async () => {
    const { check, issues } = await opened();
    await check(answerOf(drifted));
    const { looked, kept } = await check({ code: 1, stderr: 'no answer' });
    expect(looked.code).toBe(1);
    expect(kept).toBeUndefined();
    expect(issues()).toMatchObject([{ state: 'open' }]);
  });

  test('only issues that the author of the comments wrote count, and pull requests do not', async () => {
    const { check, issues, github } = await opened();
    await check(answerOf(drifted));
    const marked = issues()[0]?.body ?? '';
    const [forged, pull] = [
      { number: 8, title: 'x', body: marked, state: 'open', labels: [], user: { login: 'mallory' } },
      { number: 9, title: 'x', body: marked, state: 'open', labels: [], user: bot, pull_request: {} },
    ] as const;
    github.issues = [forged, pull].map((issue) => ({ ...issue }));
    await check(answerOf(calm));
    expect(issues()).toEqual([forged, pull]);
    await check(answerOf(drifted));
    expect(issues().map(({ number, user }) => [number, user.login])).toContainEqual([10, bot.login]);
  });

  test('each environment and each folder has an issue of its own, however many others there are', async () => {
    const { check, issues, github } = await opened({ 'teams/a/almanac.yaml': '' });
    const folder = { ALMANAC_WORKING_DIRECTORY: 'teams/a' };
    await check(answerOf(drifted));
    await check(answerOf(drifted), { ALMANAC_ENVIRONMENT: 'prod' });
    await check(answerOf(drifted), folder);
    expect(issues()).toHaveLength(3);
    for (let number = 100; number < 350; number += 1)
      github.issues?.push({ number, title: 'x', body: 'x', state: 'open', labels: [], user: bot });
    await check(answerOf(calm), folder);
    expect(
      issues()
        .slice(0, 3)
        .map(({ state }) => state),
    ).toEqual(['open', 'open', 'closed']);
  });

  test.each([
    ['a token that may only read', { readOnly: true }],
    ['a repository without issues', { issues: undefined }],
  ])('with %s the summary says that there is no issue, and the step passes', async (_, state) => {
    const { check, github } = await opened();
    Object.assign(github, state);
    const { looked, kept } = await check(answerOf(drifted), { ALMANAC_DETAILED_EXITCODE: 'true' });
    expect(looked.code).toBe(2);
    expect(kept?.code).toBe(0);
    expect(kept?.summary).toContain('The issue about drift was not written');
    expect(kept?.log).toContain('::warning title=Almanac::');
  });

  test('a failure of GitHub fails the step, because nobody would know that the issue is old', async () => {
    const { check, github } = await opened();
    github.failNext('GET', 500, 500, 500, 500);
    const { kept } = await check(answerOf(drifted));
    expect(kept?.code).toBe(1);
    expect(kept?.summary).toContain('could not be written');
  });

  test('an issue that was perhaps opened is not opened twice in one run', async () => {
    const { check, github, writes } = await opened();
    github.failNext('POST', 502);
    expect((await check(answerOf(drifted))).kept?.code).toBe(1);
    expect(writes()).toHaveLength(1);
  });

  test('the issue is never too long, and holds no secret of the job', async () => {
    const { check, issues } = await opened();
    const markdown = `## Almanac drift\n\n${`| ${omniToken} | a row |\n`.repeat(10_000)}`;
    const { looked } = await check(answerOf(drifted, { reports: { text: omniToken, markdown, json: drifted } }));
    expect(issues()[0]?.body.length).toBeLessThanOrEqual(65_536);
    expect(issues()[0]?.body).toContain('**Cut here because it is too long.**');
    for (const text of [issues()[0]?.body, looked.summary, looked.log, JSON.stringify(looked.outputs)])
      expect(text).not.toContain(omniToken);
  });
});
