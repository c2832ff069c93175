// What docs/ci*.md let a platform engineer copy: each file is one that a parser reads, and the lines for any other CI plan,
// apply and keep a state, in a shell, in clones of real git, against the emulator.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { openRepository } from '../support/action/repository.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { runLogged } from '../support/program.ts';
import { warmProgram } from '../support/warm-program.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const names = readdirSync('docs').filter((name) => /^ci.*\.md$/.test(name));
const blocksOf = (name: string, language: string) =>
  [...readFileSync(`docs/${name}`, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

test.each(names)('every file in YAML of docs/%s can be read', (name) => {
  // Those with `# …` leave something out, and are held against what init writes elsewhere.
  const blocks = blocksOf(name, 'yaml').filter((block) => !/^ *# …$/m.test(block));
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(() => parse(block, { strict: true, uniqueKeys: true }), block).not.toThrow();
});

test.each([
  ['ci.md', ['--dir', 'reports']],
  ['ci-gitlab.md', []],
])('the lines that include jobs of GitLab in docs/%s are those that init prints', async (name, options) => {
  const [lines = ''] = blocksOf(name, 'yaml').filter((block) => block.startsWith('include:\n'));
  const workspace = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', '.gitlab-ci.yml': 'a: 1\n' }), {});
  const { stdout } = await workspace.run('init', '--yes', '--ci', 'gitlab', ...options);
  expect(stdout).toContain(lines.replaceAll(/^/gm, '     ').trimEnd());
});

/** A repository with a schedule, and jobs that run lines of docs/ci.md in a clone of it. */
async function opened(config: string) {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const repository = openRepository({
    'almanac.yaml': `api:\n  operations: full\n${config}`,
    'schedules/all.yaml': stringify({ schedules: { weekly } }),
    'package.json': '{}',
    '.gitignore': 'node_modules/\n',
  });
  const home = makeFolder();
  const program = warmProgram();
  // What `npm ci` would install.
  const npm = `#!/bin/bash\n[[ "$*" == "ci --ignore-scripts" ]] || exit 9\nmkdir -p node_modules/.bin\nprintf '#!/bin/bash\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${program}' > node_modules/.bin/almanac\nchmod +x node_modules/.bin/almanac\n`;
  home.write({ 'bin/npm': npm });
  await runLogged(['chmod', '+x', `${home.path}/bin/npm`], { cwd: home.path, env: {} });
  const identity = { GIT_AUTHOR_NAME: 'Ana', GIT_AUTHOR_EMAIL: 'ana@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'Ana', GIT_COMMITTER_EMAIL: 'ana@example.com' };
  return {
    emulator,
    onMain: (path: string) => repository.ask('show', `main:${path}`),
    server: fileURLToPath(repository.url),
    job: (lines: string, env: Readonly<Record<string, string>> = {}) => {
      const checkout = makeFolder();
      repository.checkOut(checkout);
      return runLogged(['bash', '-eo', 'pipefail', '-c', lines], {
        cwd: checkout.path,
        env: {
          PATH: `${home.path}/bin:${process.env['PATH']}`,
          HOME: home.path,
          OMNI_BASE_URL: baseUrl,
          OMNI_API_TOKEN: organizationKey,
          ...identity,
          ...committer,
          ...env,
        },
      });
    },
  };
}

const [plans = '', applies = '', keeps = ''] = blocksOf('ci.md', 'sh');
const install = 'npm ci --ignore-scripts\n';
const digestIn = (log: string) => /\b([0-9a-f]{64})\b/.exec(log)?.[1] ?? '';

test('the lines for any other CI plan a pull request, and apply the plan of which somebody took the digest', async () => {
  const { emulator, job } = await opened('\nstate:\n  backend: git\n');
  const plan = await job(plans);
  expect(plan, plan.log).toMatchObject({ code: 0, log: expect.stringContaining('schedules.weekly') });
  const other = await job(`${install}${applies}`, { DIGEST: 'd'.repeat(64) });
  expect(other.code).toBe(1);
  const writes = () => emulator.requests().filter(({ method }) => method !== 'GET').length;
  expect(writes()).toBe(0);
  const apply = await job(`${install}${applies}`, { DIGEST: digestIn(plan.log) });
  expect(apply.code, apply.log).toBe(0);
  expect(writes()).toBe(1);
  expect((await job(plans)).log).toContain('No changes.');
});

test('the lines for a state that is committed push it after an apply, so that the next plan is empty', async () => {
  const { job, onMain } = await opened('');
  const plan = await job(plans);
  const apply = await job(`${install}${keeps}`, { DIGEST: digestIn(plan.log) });
  expect(apply.code, apply.log).toBe(0);
  expect(onMain('almanac.state.json')).toContain('schedules.weekly');
  expect((await job(plans)).log).toContain('No changes.');
});
