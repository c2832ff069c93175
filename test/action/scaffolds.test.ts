// What the workflows that `almanac init` writes promise, for every kind of repository: who may do what, one apply at a
// time, and the text that the pages show.

import { describe, expect, test } from 'vitest';
import { packageName, page, type Scaffold, scaffolds, type WorkflowStep } from '../support/action/workflow-files.ts';

const ofKind = (kind: Scaffold['kind']) => scaffolds.filter((scaffold) => scaffold.kind === kind);
const jobOf = ({ content }: Scaffold, name: string) => {
  const job = content.jobs[name];
  if (job === undefined) throw new Error(`there is no job ${name}`);
  return job;
};
const commandsOf = (steps: readonly WorkflowStep[]) => steps.flatMap((step) => step.with?.['command'] ?? []);
const checkoutOf = (steps: readonly WorkflowStep[]) => steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
const holdsToken = (value: unknown) => JSON.stringify(value).includes('OMNI_API_TOKEN');

describe.each(scaffolds)('$name', (scaffold) => {
  const { name, text, shape, content } = scaffold;
  const steps = Object.values(content.jobs).flatMap((job) => job.steps);

  test(`${name} runs no script of a package that it installs`, () => {
    const installs = steps.filter(({ run }) => run?.startsWith('npm '));
    expect(installs.map(({ run }) => run)).toEqual(Object.keys(content.jobs).map(() => 'npm ci --ignore-scripts'));
    for (const install of installs) expect(install['working-directory'] ?? '').toBe(shape.packageFolder);
  });

  test(`${name} takes the action from where package.json is, for the workspace and its environment`, () => {
    const used = steps.filter(({ uses }) => uses?.endsWith('/.github/actions/almanac'));
    expect(used.length).toBeGreaterThan(0);
    const root = shape.packageFolder === '' ? '' : `${shape.packageFolder}/`;
    for (const { uses, with: given = {} } of used) {
      expect(uses).toBe(`./${root}node_modules/${packageName}/.github/actions/almanac`);
      expect(given['working-directory'] ?? '').toBe(shape.folder);
      if (shape.environments.length === 0) expect(given).not.toHaveProperty('environment');
      else if (name.includes('-apply-')) expect(name).toContain(`-apply-${given['environment']}.yml`);
      else expect(given['environment']).toBe('${{ matrix.environment }}');
    }
  });

  test(`${name} pins the base URL outside of the repository in every job that could use it`, () => {
    for (const job of Object.values(content.jobs).filter((each) => commandsOf(each.steps).some(plansOrApplies))) {
      const values = job.strategy?.matrix.include.map((entry) => entry['base-url']) ?? [job.env?.['OMNI_BASE_URL']];
      if (job.strategy !== undefined) expect(job.env?.['OMNI_BASE_URL']).toBe('${{ matrix.base-url }}');
      for (const value of values) expect(value).toMatch(/^\$\{\{ vars\.OMNI_BASE_URL(?:_DEV|_PROD_EU)? \}\}$/);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test(`${name} starts only for the folder of its workspace`, () => {
    for (const event of ['pull_request', 'push']) {
      if (!Object.hasOwn(content.on, event)) continue;
      const { paths } = (content.on[event] ?? {}) as { paths?: readonly string[] };
      // The program is installed outside of the folder, and neighbours decide what this workspace leaves alone.
      const around = ['package.json', 'package-lock.json', '**/almanac.yaml', '**/almanac.yml'];
      const wanted = expect.arrayContaining([`${shape.folder}/**`, ...around]);
      expect(paths).toEqual(shape.folder === '' ? undefined : wanted);
    }
  });

  test(`${name} has a name and a concurrency group of its own`, () => {
    const others = scaffolds.filter((other) => other.shape === shape && other.name !== name);
    expect(others.map((other) => other.content.concurrency?.group)).not.toContain(content.concurrency?.group);
    expect(content.concurrency?.group).toContain(name.replace(/.*\/(.*)\.yml$/, '$1'));
  });

  test(`${name} puts no secret where a script runs`, () => {
    expect(text.match(/secrets\.\w+/g) ?? []).toEqual(
      expect.not.arrayContaining(['secrets.GITHUB_TOKEN', 'secrets.OMNI_BASE_URL']),
    );
    for (const step of steps.filter(holdsToken)) expect(step.run).toBeUndefined();
  });
});

const plansOrApplies = (command: unknown) =>
  ['plan', 'apply', 'doctor', 'drift', 'status', 'validate'].includes(String(command));

describe.each(ofKind('plan'))('$name', (scaffold) => {
  test(`${scaffold.name} also runs for a merge queue and for another base branch, and has no token`, () => {
    expect(Object.keys(scaffold.content.on)).toEqual(['pull_request', 'merge_group']);
    expect(scaffold.content.on['pull_request']).toMatchObject({
      types: ['opened', 'synchronize', 'reopened', 'edited'],
    });
    expect(scaffold.content.concurrency?.group).toContain('github.event.pull_request.number || github.ref');
    expect(commandsOf(jobOf(scaffold, 'plan').steps)).toEqual(['validate', 'plan']);
  });
});

describe.each(ofKind('plan-fork'))('$name', (scaffold) => {
  test(`${scaffold.name} checks out only the default branch, after the run of a fork`, () => {
    const { workflow_run: after } = scaffold.content.on as { workflow_run: { workflows: readonly string[] } };
    const plan = ofKind('plan').find(({ shape }) => shape === scaffold.shape);
    expect(after.workflows).toEqual([plan?.content.name]);
    const job = jobOf(scaffold, 'plan');
    expect(job.if).toContain('github.event.workflow_run.head_repository.full_name != github.repository');
    expect(checkoutOf(job.steps)?.with).not.toHaveProperty('ref');
    expect(job.steps.filter(({ run }) => run !== undefined)).toHaveLength(1);
  });
});

describe.each(ofKind('apply'))('$name', (scaffold) => {
  const apply = jobOf(scaffold, 'apply');

  test(`${scaffold.name} has one job, which applies the tip of the default branch in its environment`, () => {
    expect(Object.keys(scaffold.content.jobs)).toEqual(['apply']);
    expect(apply.if).toBe('${{ github.ref_name == github.event.repository.default_branch }}');
    expect(checkoutOf(apply.steps)?.with).toEqual({
      ref: '${{ github.ref_name }}',
      'fetch-depth': 0,
      'ssh-key': '${{ secrets.STATE_DEPLOY_KEY }}',
      'persist-credentials': true,
    });
    expect(commandsOf(apply.steps)).toEqual(['doctor', 'apply']);
    expect(apply.environment).toBe(
      scaffold.name.includes('-apply-') ? /-apply-(.*)\.yml/.exec(scaffold.name)?.[1] : 'production',
    );
  });

  test(`${scaffold.name} is not started by the branch of the state`, () => {
    // GitHub takes no branches-ignore beside branches, and needs none: only main is named.
    expect(scaffold.content.on['push']).toMatchObject({ branches: ['main'] });
    expect(scaffold.content.on['push']).not.toHaveProperty('branches-ignore');
  });
});

describe.each(scaffolds)('$name', ({ name, shape, content, kind }) => {
  test(`${name} pins the branch of the state in each job, one branch for each state`, () => {
    const folder = shape.folder === '' ? '' : '--teams-sales-reports';
    const between = shape.folder === '' ? '-' : '--';
    for (const { env } of Object.values(content.jobs)) {
      const environment =
        shape.environments.length === 0
          ? ''
          : `${between}${kind === 'apply' ? /-apply-(.*)\.yml/.exec(name)?.[1] : '${{ matrix.environment }}'}`;
      expect(env?.['ALMANAC_STATE_PLACE']).toBe(`git branch almanac-state${folder}${environment} of origin`);
    }
  });
});

test.each(ofKind('check'))(
  '$name keeps an issue open, and needs the default branch and nothing that can push',
  (scaffold) => {
    const command = /-(\w+)\.yml$/.exec(scaffold.name)?.[1] ?? '';
    const job = jobOf(scaffold, command);
    expect(job.if).toContain('github.event.repository.default_branch');
    expect(job.steps.at(-1)?.with).toMatchObject({ command, issue: true });
  },
);

test('the pages show the workflows for one workspace at the root, with `# …` for what two of them have alike', () => {
  const plain = scaffolds.filter((each) => /^plain: /.test(each.name));
  for (const { name, text } of plain) {
    const heading = `\`\`\`yaml\n# ${name.replace(/^.*: /, '')}\n`;
    const [block = ''] = (page.split(heading)[1] ?? '').split('```');
    const [first = '', ...parts] = block.split(/^ *# …\n/m);
    expect(text.startsWith(first)).toBe(true);
    let end = first.length;
    for (const part of parts) {
      const start = part === '' ? text.length : text.indexOf(part, end);
      const leftOut = text.slice(end, start);
      expect(plain.filter((other) => other.text.includes(leftOut)).length, leftOut).toBeGreaterThan(1);
      end = start + part.length;
    }
    expect(text.slice(end)).toBe('');
  }
});
