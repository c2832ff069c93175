// The steps of the action as processes: which program they start, whatever lies in PATH, in the checkout and in its
// node_modules, and that they start no shell and read no file that was not named to them.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startedBy } from '../support/action/composite.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { githubToken, openRunner } from '../support/action/fake-runner.ts';
import type { Action } from '../support/action/workflow-files.ts';
import { commitAll, gitIn } from '../support/git.ts';
import { makeFolder } from '../support/workspace.ts';

test('the almanac that the action came with is run, and nothing of the checkout or of its names', async () => {
  const folder = 'a $(touch pwned) `touch pwned`;touch pwned #"\'';
  const evil = `${folder}/node_modules/.bin/almanac`;
  const runner = openRunner(
    { [evil]: '#!/bin/sh\ntouch pwned\n', [`${folder}/schedules/none.yaml`]: '' },
    'dist/cli.cjs',
  );
  chmodSync(`${runner.path}/${evil}`, 0o755);
  const step = await runner.run('run', {
    ALMANAC_COMMAND: 'validate',
    ALMANAC_WORKING_DIRECTORY: folder,
    GITHUB_HEAD_REF: folder,
    GITHUB_REF_NAME: folder,
  });
  expect(step.summary, step.log).toContain('the declarations are valid');
  for (const path of ['pwned', `${folder}/pwned`]) expect(() => readFileSync(`${runner.path}/${path}`)).toThrow();
});

test('the git that a plan asks gets no variable that the step keeps from the plan', async () => {
  const { path, write } = makeFolder();
  const wrapper = `#!/bin/sh\n(echo "$@"; env) | tr '\\n' ' ' >>"${path}/calls"\necho >>"${path}/calls"\nexec ${git} "$@"\n`;
  write({ 'bin/git': wrapper });
  chmodSync(join(path, 'bin/git'), 0o755);
  const runner = openRunner({ 'schedules/none.yaml': '{}\n' }, 'dist/cli.cjs');
  const clone = gitIn(runner.path);
  clone('init', '-q');
  commitAll(clone);
  const token = 'a token that only the step may use';
  const variables = { PATH: `${join(path, 'bin')}:${process.env['PATH']}`, ALMANAC_COMMAND: 'plan', GH_TOKEN: token };
  expect((await runner.run('run', variables)).code).toBe(0);
  const calls = readFileSync(join(path, 'calls'), 'utf8').trim().split('\n');
  const ofPlan = calls.filter((call) => call.startsWith('-C '));
  expect(ofPlan).not.toEqual([]);
  expect(ofPlan.filter((call) => call.includes(token))).toEqual([]);
});

const { steps } = (parse(readFileSync('.github/actions/almanac/action.yml', 'utf8')) as Action).runs;
const withToken = steps.filter(({ env = {} }) => env['GITHUB_TOKEN'] !== undefined);

test('the steps that have a token are those that ask GitHub', () => {
  expect(withToken.map(({ run = '' }) => startedBy(run))).toEqual(['pull', 'rules', 'reviewed', 'comment', 'issue']);
});

test.each(withToken.map(({ id = '', run = '' }) => [id, run]))(
  'the step %s, which has a token, starts no almanac of PATH, the checkout or its node_modules, and opens no file there',
  async (id, run) => {
    const github = await openGithub();
    const evil = '#!/usr/bin/env node\nrequire("node:fs").writeFileSync(process.env.PWNED, "");\n';
    const names = ['almanac', 'bin/almanac', 'dist/cli.cjs', 'node_modules/.bin/almanac'];
    const installed = ['node_modules/almanac/dist/cli.cjs', 'node_modules/almanac/index.js', 'node_modules/undici.js'];
    const programs = [...names, ...installed];
    const runner = openRunner(Object.fromEntries(programs.map((path) => [path, evil])), 'dist/cli.cjs');
    for (const path of programs) chmodSync(join(runner.path, path), 0o755);
    // Whoever opens one of these waits for ever.
    for (const path of ['almanac.yaml', 'almanac.yml', 'package.json', '.npmrc', '.env', 'almanac.state.json'])
      spawnSync('mkfifo', [join(runner.path, path)]);
    const [pwned, comment] = [join(runner.home, 'pwned'), join(runner.home, 'comment.md')];
    runner.write({ '../comment.md': `${firstLine}\nthe plan\n`, '../report.json': { drift: [] }, '../report.md': '' });
    runner.happens({ pull_request: { number: 7 } });
    const child = runner.begin(run, {
      ...github.env,
      GITHUB_TOKEN: githubToken,
      PATH: `${runner.path}/bin:${runner.path}/node_modules/.bin:${process.env['PATH']}`,
      PWNED: pwned,
      ALMANAC_COMMAND: 'drift',
      ALMANAC_COMMENT_PATH: comment,
      ALMANAC_PULL: '7',
      ALMANAC_REPORT_JSON: join(runner.home, 'report.json'),
      ALMANAC_REPORT_MARKDOWN: join(runner.home, 'report.md'),
      ALMANAC_STATE_PLACE: 'git branch almanac-state of origin',
    });
    const [code] = await once(child, 'exit');
    expect(code).not.toBeNull();
    expect(existsSync(pwned)).toBe(false);
    if (id === 'comment')
      expect([code, github.comments.map(({ body }) => body)]).toEqual([0, [expect.stringContaining('the plan')]]);
  },
);

/** The git of this machine. */
const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();

const firstLine = `<!-- almanac:plan environment="" directory="." digest="${'5e'.repeat(32)}" head="" base="" onto="" whole="yes" named="" changes="" -->`;

test('an action that came without its program says so, and starts nothing', () => {
  const { run = '' } = steps[0] ?? {};
  const { path } = openRunner();
  const ended = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
    env: { PATH: process.env['PATH'], GITHUB_ACTION_PATH: path },
    encoding: 'utf8',
  });
  expect([ended.status, ended.stdout]).toEqual([
    1,
    '::error title=Almanac::The action came without its program. Take it from the package: the documentation (ci-github) shows how.\n',
  ]);
});
