// `command: status` of the action, with a stub in place of almanac.

import { expect, test } from 'vitest';
import { openGithub } from '../support/action/fake-github.ts';
import { githubToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

async function look(summary: object, env: Record<string, string> = {}, more: object = {}) {
  const runner = openRunner({});
  const code = Object.values(summary).some((count) => count > 0) ? 2 : 0;
  const reports = { text: 'As text.\n', markdown: '## Almanac status: …\n', json: { schedules: [], summary } };
  const program = stubProgram(runner, { status: { code, reports, ...more } });
  const step = await runner.run('run.mjs', { ALMANAC_COMMAND: 'status', ...env });
  return { ...step, calls: program.calls() };
}

test('the action says in the summary, the log and its outputs which deliveries failed', async () => {
  const step = await look({ failed: 1, missed: 1, stopped: 0 });
  expect(step.code).toBe(0);
  expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
  expect(step.calls[0]?.args.slice(0, 2)).toEqual(['--no-color', 'status']);
  expect(step.summary).toContain('## Almanac status: …');
  expect(step.log).toContain('::warning title=Almanac::Failed, missed or stopped: 2 schedules.');
  expect((await look({ failed: 1 }, { ALMANAC_DETAILED_EXITCODE: 'true' })).code).toBe(2);
});

test('the step passes while nothing is failing, and fails where almanac could not look', async () => {
  const calm = await look({ failed: 0, missed: 0, stopped: 0 }, { ALMANAC_DETAILED_EXITCODE: 'true' });
  expect(calm).toMatchObject({ code: 0, outputs: { changes: 'false', exitcode: '0' } });
  expect((await look({ failed: 0 }, {}, { code: 1, reports: {} })).code).toBe(1);
});

test('an issue is open while a delivery fails, and nothing of it is said about drift', async () => {
  const [runner, github] = [openRunner({}), await openGithub()];
  const keep = async (schedules: readonly object[]) => {
    const document = { schedules, gone: [], summary: {} };
    const reports = { text: 'As text.\n', markdown: '## Almanac status: …\n', json: document };
    stubProgram(runner, { status: { code: schedules.length > 0 ? 2 : 0, reports } });
    const { outputs } = await runner.run('run.mjs', { ALMANAC_COMMAND: 'status' });
    const kept = await runner.run('issues/keep-issue.mjs', {
      ALMANAC_COMMAND: 'status',
      ALMANAC_REPORT_JSON: outputs['json-plan-path'] ?? '',
      ALMANAC_REPORT_MARKDOWN: outputs['markdown-plan-path'] ?? '',
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: githubToken,
    });
    expect(kept.code, kept.log).toBe(0);
    return kept.log;
  };
  expect(await keep([{ address: 'schedules.a', health: 'missed' }])).toContain('Opened an issue about deliveries.');
  expect(github.issues).toMatchObject([
    {
      state: 'open',
      title: 'Deliveries of Omni failed, were missed or stopped',
      body: expect.not.stringMatching(/drift/),
    },
  ]);
  await keep([]);
  expect(github.issues).toMatchObject([{ state: 'closed' }]);
});
