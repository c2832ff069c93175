// The step that runs Almanac, with a stub in its place: how it is called, and what the step does with its answers.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { firstLine } from '../../src/commands/ci/comments/marker.ts';
import { keyOf } from '../../src/commands/ci/reviews/changes.ts';
import type { AskGit } from '../../src/commands/ci/step.ts';
import { nextComment } from '../../src/report/text/markdown-parts.ts';
import {
  githubToken,
  headCommit,
  omniToken,
  openRunner,
  type Step,
  stubProgram,
} from '../support/action/fake-runner.ts';

const digest = '5e'.repeat(32);
const summary = { create: 2, update: 1, replace: 0, delete: 3, forget: 0, move: 0, adopt: 0, run: 0, noop: 0 };
const changes = [{ address: 'schedules.a', digest: 'c4'.repeat(32) }];
const document = { formatVersion: 1, digest, summary, changes, drift: [] };
const unchanged = { ...document, summary: {}, changes: [] };
const reports = { text: 'Plan: 2 to create.\n', markdown: '## Almanac plan: 2 to create\n', json: document };
const planned = { code: 2, stdout: 'Plan: 2 to create.\n', reports };
const nothing = {
  code: 0,
  reports: { text: 'No changes.\n', markdown: '## Almanac plan: no changes\n', json: unchanged },
};
const applied = {
  code: 0,
  stdout: JSON.stringify({
    digest,
    results: [{ address: 'schedules.a', action: 'create', status: 'applied', requests: 1 }],
    summary: { applied: 1, failed: 0, skipped: 0, unknown: 0 },
  }),
};

function opened(
  answers: Parameters<typeof stubProgram>[0],
  files: Readonly<Record<string, unknown>> = {},
  git?: AskGit,
) {
  const program = stubProgram(answers);
  const runner = openRunner(files, git === undefined ? program : { ...program, git });
  return { runner, program, run: (env: Record<string, string> = {}) => runner.run('run', env) };
}

const everywhere = (step: Step) => [step.log, step.summary, JSON.stringify(step.outputs)].join('\n');

describe('a plan', () => {
  test('a plan in the action outputs its digest and its reports', async () => {
    const { run, program } = opened({ plan: planned });
    const step = await run({
      ALMANAC_ENVIRONMENT: 'prod',
      ALMANAC_HEAD: headCommit,
      ALMANAC_BASE_BRANCH: 'release',
      ALMANAC_OPTIONS: '--target=schedules.a\n\n  --refresh',
    });
    expect(step.code).toBe(0);
    expect(step.outputs).toMatchObject({ changes: 'true', digest, exitcode: '2' });
    expect(readFileSync(step.outputs['markdown-plan-path'] ?? '', 'utf8')).toBe(reports.markdown);
    expect(JSON.parse(readFileSync(step.outputs['json-plan-path'] ?? '', 'utf8'))).toEqual(document);
    const [call] = program.calls;
    expect(call?.args.slice(0, 4)).toEqual(['--no-color', '--env=prod', 'plan', '--verbose']);
    expect(call?.args).toContain(`--out=${step.outputs['saved-plan-path']}`);
    expect(call?.args.slice(-3)).toEqual(['--detailed-exitcode', '--target=schedules.a', '--refresh']);
    expect(step.summary).toContain('## Almanac plan: 2 to create');
    expect(step.summary).toContain('Environment <code>prod</code>');
    expect(step.summary).toContain('```text\nPlan: 2 to create.\n```');
    const identity = '<!-- almanac:plan environment="prod" directory="."';
    const comment = readFileSync(step.outputs['comment-path'] ?? '', 'utf8');
    expect(comment).toBe(
      `${firstLine(identity, { digest, head: headCommit, base: 'release', changes })}\nEnvironment <code>prod</code>\n\n${reports.markdown}`,
    );
  });

  test('a plan with detailed-exitcode fails if something changes, and only then', async () => {
    expect((await opened({ plan: planned }).run({ ALMANAC_DETAILED_EXITCODE: 'true' })).code).toBe(2);
    const same = await opened({ plan: nothing }).run({ ALMANAC_DETAILED_EXITCODE: 'true' });
    expect(same.code).toBe(0);
    expect(same.outputs).toMatchObject({ changes: 'false', exitcode: '0' });
  });

  test('a plan that fails says so in the summary and in the comment', async () => {
    const { run } = opened({ plan: { code: 1, stderr: 'error[unknown-field]: no such field ``` <b>\n' } });
    const step = await run({ ALMANAC_HEAD: headCommit });
    expect(step.code).toBe(1);
    expect(step.outputs['exitcode']).toBe('1');
    expect(step.summary).toContain('## almanac plan failed');
    expect(step.summary).toContain('````text\nerror[unknown-field]: no such field ``` <b>\n````');
    const comment = readFileSync(step.outputs['comment-path'] ?? '', 'utf8');
    expect(comment).toContain('almanac plan failed');
    expect(comment.split('\n')[0]).toMatch(
      / digest="" head="a{40}" base="" onto="" whole="no" named="" changes="" -->$/,
    );
  });

  test.each<[string, number, string, string]>([
    [
      'the words of fmt first where that fails, too',
      1,
      'schedules/b.yaml\n1 of 2 files would change: run almanac fmt.\n',
      '> **Another step of this check failed, and `almanac fmt --check` fails.** The check stays red.\n\n```text\nschedules/b.yaml\n1 of 2 files',
    ],
    [
      'that something failed, where fmt does not',
      0,
      '',
      '> **Another step of this check failed: see its log.** The check stays red.\n\n#',
    ],
  ])('a plan beside a step that failed counts as a review, and its comment says %s', async (_, code, stdout, words) => {
    const { run, program } = opened({ plan: planned, fmt: { code, stdout } });
    const step = await run({ ALMANAC_HEAD: headCommit, ALMANAC_JOB_STATUS: 'failure' });
    expect(step.code).toBe(0);
    expect(program.calls[0]?.args).toEqual(['--no-color', 'fmt', '--check']);
    const [first = '', ...rest] = readFileSync(step.outputs['comment-path'] ?? '', 'utf8').split('\n');
    expect(first).toContain(` digest="${digest}" head="${headCommit}"`);
    expect(rest.join('\n')).toContain(`> [!WARNING]\n${words}`);
    expect(rest[0]).toBe('> [!WARNING]');
    expect(rest.join('\n')).toContain(reports.markdown);
    expect(step.summary).toContain(words);
  });

  test('a plan that follows a run of a fork that failed says so', async () => {
    const { run, runner } = opened({ plan: planned, fmt: { code: 0 } });
    runner.happens({ workflow_run: { conclusion: 'failure' } });
    const step = await run({ ALMANAC_HEAD: headCommit });
    expect(readFileSync(step.outputs['comment-path'] ?? '', 'utf8')).toContain('Another step of this check failed');
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['an option', { ALMANAC_OPTIONS: '--format=json' }, '.', 'The action sets --format; use its inputs for that.'],
    [
      'a folder that the pull request removed',
      { ALMANAC_WORKING_DIRECTORY: 'teams/a' },
      'teams%2Fa',
      'The input working-directory does not name a folder in the checkout.',
    ],
  ])(
    'an input that is refused is told in the comment of this push, as no review: %s',
    async (_, env, folder, words) => {
      const step = await opened({ plan: planned }).run({
        ALMANAC_HEAD: headCommit,
        ALMANAC_BASE_BRANCH: 'main',
        ...env,
      });
      expect(step.code).toBe(1);
      const [first = '', ...rest] = readFileSync(step.outputs['comment-path'] ?? '', 'utf8').split('\n');
      expect(first).toMatch(
        new RegExp(`^<!-- almanac:plan environment="" directory="${folder}" digest="" head="a{40}" base="main" `),
      );
      expect(rest.join('\n')).toContain('## Almanac did not run');
      expect(rest.join('\n')).toContain(`There is no plan of this push.\n\n\`\`\`text\n${words}\n\`\`\``);
    },
  );

  test('a plan without changes is one short paragraph in the comment, and is recorded', async () => {
    const { run } = opened({
      plan: {
        ...nothing,
        reports: { ...nothing.reports, json: { ...unchanged, baseUrl: 'https://acme.example/api' } },
      },
    });
    const step = await run({ ALMANAC_HEAD: headCommit });
    const [first, ...rest] = readFileSync(step.outputs['comment-path'] ?? '', 'utf8').split('\n');
    expect(first).toMatch(
      new RegExp(` digest="${digest}" head="${headCommit}" base="" onto="" whole="yes" named="" changes="" -->$`),
    );
    expect(rest.join('\n')).toMatch(
      /^\*\*Almanac plan: no changes\*\* at <code>.*<\/code>\. Merging this applies nothing\.\n$/,
    );
  });

  const named = (...addresses: readonly string[]) => `named="${addresses.map(keyOf).join('.')}"`;
  test.each<[string, string, object, string]>([
    ['of everything', '--refresh', {}, 'whole="yes" named=""'],
    ['of a target', '--target=schedules.a', {}, 'whole="no" named=""'],
    ['with a replacement', '--replace=schedules.a', {}, 'whole="no" named=""'],
    ['of the state alone', '--refresh-only', {}, 'whole="no" named=""'],
    ['beside another run', '', { diagnostics: [{ code: 'run-under-way' }] }, 'whole="no" named=""'],
    [
      'with a change that is blocked, and one without a digest',
      '',
      { changes: [{ address: 'schedules.a', digest, blocked: 'why' }, { address: 'schedules.b' }] },
      `whole="yes" ${named('schedules.a', 'schedules.b')}`,
    ],
    [
      'with what is open, what is left and what is not compared',
      '',
      {
        unresolved: [{ address: 'schedules.a' }],
        orphans: [{ address: 'schedules.b' }],
        diagnostics: [
          { code: 'missing-variable', address: 'schedules.c' },
          { code: 'cron-too-frequent', address: 'schedules.d' },
        ],
      },
      `whole="yes" ${named('schedules.a', 'schedules.b', 'schedules.c')}`,
    ],
  ])('a plan %s says in the comment about what it is silent', async (_, option, more, expected) => {
    const plan = { ...nothing, reports: { ...nothing.reports, json: { ...unchanged, ...more } } };
    const onto = 'b'.repeat(40);
    const step = await opened({ plan }).run({ ALMANAC_OPTIONS: option, ALMANAC_BASE_COMMIT: onto });
    const [first] = readFileSync(step.outputs['comment-path'] ?? '', 'utf8').split('\n');
    expect(first).toContain(` onto="${onto}" ${expected} changes=`);
  });

  test('a plan without changes says more in the comment if there is more to say', async () => {
    const json = { ...unchanged, orphans: [{ id: '1' }] };
    const step = await opened({ plan: { ...nothing, reports: { ...nothing.reports, json } } }).run();
    expect(readFileSync(step.outputs['comment-path'] ?? '', 'utf8')).toContain(nothing.reports.markdown);
  });

  test('a plan of any length leaves a summary that GitHub accepts', async () => {
    const text = `${'+ schedule ’name’ 売上\n'.repeat(80_000)}`;
    const { run } = opened({ plan: { ...planned, reports: { ...reports, text } } });
    const { summary: long } = await run();
    expect(Buffer.byteLength(long)).toBeLessThan(1024 * 1024);
    expect(long).toContain('**Cut here because it is too long.**');
    expect(long.match(/^```/gm)).toHaveLength(2);
    expect(long.match(/<details>/g)).toHaveLength(long.match(/<\/details>/g)?.length ?? 0);
  });
});

describe('what belongs to the job alone', () => {
  test('what programs read again is never masked, whatever a secret of the job is called like', async () => {
    const two = `## Almanac plan: ops\n\n${nextComment}\n\ndashboards of schedules.a\n`;
    const { run } = opened({ plan: { ...planned, reports: { ...reports, markdown: two } } }, { 'dashboards/a': '' });
    const step = await run({
      ALMANAC_WORKING_DIRECTORY: 'dashboards',
      ALMANAC_ENVIRONMENT: 'production',
      ALMANAC_BASE_BRANCH: 'release-1',
      KEY_VAULT: 'dashboards',
      SSH_KEY_NAME: 'production',
      KEY_OF_BRANCH: 'release-1',
      TOKEN_OF_SCHEDULES: 'schedules.a',
      HOOK_NAME: 'next-comment',
    });
    const comment = readFileSync(step.outputs['comment-path'] ?? '', 'utf8');
    const identity = '<!-- almanac:plan environment="production" directory="dashboards"';
    const shown = { digest, head: '', base: 'release-1', isWhole: true, changes };
    expect(comment.split('\n')[0]).toBe(firstLine(identity, shown));
    expect(comment).toContain(`\n\n${nextComment}\n\n*** of ***\n`);
  });

  const leaking = `Authorization: Bearer ${omniToken}, half-of-a-list\n`;

  test('secrets of the job are in no output, log, summary or report, whatever Almanac prints', async () => {
    const { run } = opened({
      plan: { code: 2, stdout: leaking, stderr: leaking, reports: { ...reports, text: leaking, markdown: leaking } },
    });
    const step = await run({ OMNI_API_KEY: 'first-of-a-list,half-of-a-list', SLACK_HOOK_SALES: 'path-of-a-hook' });
    const files = ['markdown', 'json'].map((format) => step.outputs[`${format}-plan-path`] ?? '');
    const all = [
      everywhere(step),
      ...[...files, step.outputs['comment-path'] ?? ''].map((f) => readFileSync(f, 'utf8')),
    ];
    for (const text of all) {
      expect(text).not.toContain(omniToken);
      expect(text).not.toContain('half-of-a-list');
    }
    expect(step.masked).toEqual(
      expect.arrayContaining([omniToken, 'first-of-a-list', 'half-of-a-list', 'path-of-a-hook']),
    );
  });

  test('a secret with a quotation mark is masked in the JSON report too, and one that is a word of its format breaks nothing', async () => {
    const secret = 'half "of" a \\ secret';
    const json = { ...document, changes: [{ address: `schedules.a: ${secret}`, digest: 'c4'.repeat(32) }] };
    const { run } = opened({ plan: { code: 2, stdout: '', reports: { ...reports, json } } });
    const step = await run({ HOOK_SECRET: secret, OTHER_SECRET: 'diagnostics', THIRD_SECRET: 'formatVersion' });
    const kept = JSON.parse(readFileSync(step.outputs['json-plan-path'] ?? '', 'utf8')) as typeof document;
    expect(kept.changes[0]?.address).toBe('schedules.a: ***');
    expect(kept.formatVersion).toBe(1);
    expect(step.outputs['digest']).toBe(digest);
  });

  test('secrets of the job are not in a failure either', async () => {
    const failure = JSON.stringify({
      error: { code: 'x', message: `no: ${omniToken}`, hint: omniToken },
      diagnostics: [],
    });
    const { run } = opened({ plan: planned, apply: { code: 1, stdout: failure, stderr: leaking } });
    const step = await run({ ALMANAC_COMMAND: 'apply' });
    expect(step.code).toBe(1);
    expect(step.summary).toContain('no: ***');
    expect(everywhere(step)).not.toContain(omniToken);
  });

  test("variables of GitHub and of the action do not reach Almanac, and Almanac's own do", async () => {
    const { run, program } = opened({ plan: planned });
    const ofGithub = { GITHUB_TOKEN: githubToken, GH_TOKEN: githubToken, ACTIONS_ID_TOKEN_REQUEST_TOKEN: githubToken };
    const own = { ALMANAC_STATE_KEY: 'a key for fingerprints', ALMANAC_PROD_TOKEN: 'another' };
    await run({ ...ofGithub, ...own, ALMANAC_RULES: '{}' });
    const { env } = program.calls[0] ?? { env: {} };
    expect(Object.values(env)).not.toContain(githubToken);
    for (const name of ['GITHUB_OUTPUT', 'GITHUB_ENV', 'ALMANAC_RULES', 'ALMANAC_COMMAND'])
      expect(env).not.toHaveProperty(name);
    expect(env).toMatchObject({ ...own, OMNI_API_TOKEN: omniToken });
  });

  test('the commit that Almanac knows is the one that is checked out, not that of the event', async () => {
    const tip = 'b'.repeat(40);
    const git: AskGit = (args) => ({ status: args.at(-1) === 'HEAD^{commit}' ? 0 : 128, stdout: `${tip}\n` });
    const { run, program } = opened({ plan: planned }, {}, git);
    await run();
    expect(program.calls[0]?.env['GITHUB_SHA']).toBe(tip);
  });
});

describe('what others chose', () => {
  const hostile = '$(touch pwned)`touch pwned`;touch pwned #"\'\n::set-output name=digest::x';

  test('text that others chose is never a command to the runner', async () => {
    const { run } = opened({
      plan: { ...planned, stdout: '::error::from a name\n  ::add-path::/evil\n##[error]old\n' },
    });
    const { log } = await run();
    const [, pause = ''] = /^::stop-commands::(\S+)$/m.exec(log) ?? [];
    expect(pause).toMatch(/^[0-9a-f-]{36}$/);
    const [before = '', between = '', after = ''] = log.split(new RegExp(`::stop-commands::${pause}|::${pause}::`));
    expect(between).toContain('::error::from a name');
    expect(before + after).not.toContain('::error::from a name');
  });

  test('text that others chose reaches Almanac as it is', async () => {
    const folder = 'a $(touch pwned) `b`; \'c\' "d"';
    const { run, program, runner } = opened({ plan: planned }, { [`${folder}/almanac.yaml`]: '' });
    const step = await run({
      ALMANAC_WORKING_DIRECTORY: folder,
      ALMANAC_OPTIONS: '--target=$(touch pwned); `x` && "y"',
      GITHUB_HEAD_REF: hostile,
      GITHUB_REF_NAME: hostile,
    });
    expect(step.code).toBe(0);
    expect(program.calls[0]?.cwd).toBe(`${runner.path}/${folder}`);
    expect(program.calls[0]?.args.at(-1)).toBe('--target=$(touch pwned); `x` && "y"');
    expect(readFileSync(step.outputs['comment-path'] ?? '', 'utf8').split('\n')[0]).not.toMatch(/[$`;]/);
  });

  test.each([
    ['ALMANAC_COMMAND', 'state'],
    ['ALMANAC_WORKING_DIRECTORY', '../..'],
    ['ALMANAC_WORKING_DIRECTORY', '/etc'],
    ['ALMANAC_WORKING_DIRECTORY', 'missing\n::error::x'],
    ['ALMANAC_ENVIRONMENT', 'prod --out=/etc/passwd'],
    ['ALMANAC_ENVIRONMENT', '" --> <b>'],
    ['ALMANAC_DETAILED_EXITCODE', 'yes'],
    ['ALMANAC_EXPECT', 'abc --allow orphans'],
    ['ALMANAC_OPTIONS', '--state=/etc/passwd'],
    ['ALMANAC_OPTIONS', '--expect-changes=/dev/null'],
    ['ALMANAC_OPTIONS', '-C /etc'],
    ['ALMANAC_OPTIONS', 'plan'],
    ['ALMANAC_OPTIONS', '--report=text=/etc/passwd'],
  ])('an input that others chose is refused as %s: %s', async (name, value) => {
    const { run, program } = opened({ plan: planned });
    const step = await run({ [name]: value });
    expect(step.code).toBe(1);
    expect(step.log).toContain('::error title=Almanac::');
    expect(step.log.match(/^::error/gm)).toHaveLength(1);
    expect(step.summary).toContain('## Almanac did not run');
    expect(Object.keys(step.outputs).filter((output) => output !== 'comment-path')).toEqual([]);
    expect(program.calls.filter(({ args }) => args.includes('plan'))).toEqual([]);
  });

  test('text that others chose cannot end an output early', async () => {
    const folder = 'x\ndigest=forged';
    const step = await opened({ plan: planned }, { [`${folder}/almanac.yaml`]: '' }).run({
      ALMANAC_WORKING_DIRECTORY: folder,
    });
    expect(step.outputs['digest']).toBe(digest);
  });
});

describe('an apply', () => {
  test.each([
    ['warns of a state that is lost with the job', 'live.json', true],
    ['does not warn of a shared state', undefined, false],
  ])('an apply in the action %s', async (_, stateFile, isWarned) => {
    const saved = { ...document, workspace: { stateFile, sources: [] } };
    const plan = { ...planned, reports: { ...reports, saved } };
    const { run } = opened({ plan, apply: applied }, { 'almanac.yaml': '' });
    const step = await run({ ALMANAC_COMMAND: 'apply', ALMANAC_EXPECT: digest });
    expect(step.code, step.log).toBe(0);
    const words = '::warning title=Almanac::The state is live.json, and is lost when the job';
    expect(step.log.includes(words)).toBe(isWarned);
  });

  test('an apply in the action shows the plan, then applies the expected digest', async () => {
    const { run, program } = opened({ plan: planned, apply: applied });
    const step = await run({
      ALMANAC_COMMAND: 'apply',
      ALMANAC_EXPECT: digest,
      ALMANAC_OPTIONS: '--target=schedules.a\n--allow=orphans,empty\n--allow=behind',
    });
    expect(step.code).toBe(0);
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '0', digest });
    const [plan, apply] = program.calls;
    expect(plan?.args.filter((option) => /^--(?:target|allow)/.test(option))).toEqual([
      '--target=schedules.a',
      '--allow=empty',
    ]);
    expect(apply?.args.slice(1)).toEqual([
      'apply',
      '--auto-approve',
      '--format=json',
      `--expect=${digest}`,
      '--target=schedules.a',
      '--allow=orphans,empty',
      '--allow=behind',
    ]);
    expect(step.log).toContain('Applied 1 change.');
    expect(step.summary).toContain('## Almanac apply: 1 applied');
  });

  test.each([
    ['another branch', { GITHUB_REF: 'refs/heads/next', GITHUB_REF_NAME: 'next' }],
    ['a tag with the name of the branch', { GITHUB_REF: 'refs/tags/main' }],
  ])('an apply in the action is refused on %s', async (_, env) => {
    const { run, program, runner } = opened({ plan: planned, apply: applied });
    runner.happens({ repository: { default_branch: 'main' } });
    const step = await run({ ALMANAC_COMMAND: 'apply', ...env });
    expect(step.code).toBe(1);
    expect(step.log).toContain('Only the default branch, main, is applied.');
    expect(program.calls).toEqual([]);
    expect((await run({ ALMANAC_COMMAND: 'apply' })).code).toBe(0);
  });

  test.each(['folder', 'list'])(
    'an apply in the action applies nothing if the steps before it left no %s of what was reviewed',
    async (missing) => {
      const { run, program } = opened({ plan: planned, apply: applied });
      const first = await run({ ALMANAC_COMMAND: 'apply', ALMANAC_PREPARE: 'true', ALMANAC_EXPECT: 'reviewed' });
      expect(first.outputs).toMatchObject({ pending: 'true', digest });
      const folder = missing === 'folder' ? '' : (first.outputs['prepared'] ?? '');
      const step = await run({ ALMANAC_COMMAND: 'apply', ALMANAC_EXPECT: 'reviewed', ALMANAC_PREPARED: folder });
      expect(step.code).toBe(1);
      expect(step.log).toContain('::error title=Almanac::');
      expect(program.calls.filter(({ args }) => args.includes('apply'))).toEqual([]);
    },
  );

  test('an apply in the action that fails in part says what failed, and fails', async () => {
    const results = [
      { address: 'schedules.a', action: 'create', status: 'applied' },
      {
        address: 'schedules.b',
        action: 'create',
        status: 'failed',
        error: { code: 'rejected', message: 'no | <img src=x> @octocat `x`\n::error::y' },
      },
    ];
    const stdout = JSON.stringify({ digest, results, summary: { applied: 1, failed: 1, skipped: 0, unknown: 0 } });
    const step = await opened({ plan: planned, apply: { code: 1, stdout } }).run({ ALMANAC_COMMAND: 'apply' });
    expect(step.code).toBe(1);
    expect(step.outputs).toMatchObject({ changes: 'true', exitcode: '1' });
    expect(step.summary).toContain('## Almanac apply: 1 applied, 1 failed');
    expect(step.summary).not.toMatch(/<img|@octocat/);
    expect(step.log.match(/^::error/gm)).toHaveLength(1);
  });
});

describe('a validation', () => {
  test('a validation in the action prints annotations and no other workflow command', async () => {
    const github = '::error file=schedules/a.yaml,line=3::no such field\n::add-path::/evil\n::notice ::fine\n';
    const { run } = opened({ validate: { code: 1, stdout: '1 error.\n', reports: { github } } });
    const step = await run({ ALMANAC_COMMAND: 'validate' });
    expect(step.code).toBe(1);
    expect(step.log).toMatch(/^::error file=schedules\/a.yaml,line=3::no such field$/m);
    expect(step.log).not.toContain('add-path');
    expect(step.summary).toContain('1 error.');
  });
});
