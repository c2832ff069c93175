// The executable of `npm run build:executable`, run as by somebody who has no Node: far from this repository, and with a PATH
// that holds git alone.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { version } from '../../src/version.ts';
import { type Job, workflows } from '../support/action/workflow-files.ts';
import { type Finished, type RunOptions, runProgram } from '../support/program.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage } from '../support/state/postgres-stage.ts';
import { startS3Double } from '../support/state/s3-double.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, openFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--executable'], { encoding: 'utf8' });
const page = readFileSync('docs/install.md', 'utf8');
const isOfAnotherPlatform = built.stderr.includes('build the executable with Node');
if (isOfAnotherPlatform) console.warn(built.stderr);

/** The program and git, and nothing else. */
function install(): { readonly executable: string; readonly path: string } {
  const { path, remove } = openFolder();
  afterAll(remove);
  for (const name of ['program', 'git']) mkdirSync(join(path, name));
  const executable = join(path, 'program', 'almanac');
  copyFileSync('executable/almanac', executable);
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(path, 'git', 'git'));
  return { executable, path: join(path, 'git') };
}

describe.skipIf(isOfAnotherPlatform)('the executable', () => {
  expect(built.status, built.stderr).toBe(0);
  const { executable, path: PATH } = install();
  const run = (line: string, { environment, ...rest }: RunOptions): Promise<Finished> =>
    runProgram(line.split(' '), { ...rest, executable, environment: { ...environment, PATH } });
  const without = makeNoPackages();

  test('the executable is built here, stripped, has at most 120 MB, and comes with the licences of what is inside', () => {
    expect(statSync(executable).size).toBeLessThan(120_000_000);
    expect(built.stdout).toMatch(/^executable\/almanac: almanac \S+ \(Node 24\.\d+\.\d+\)\n$/);
    expect(readFileSync('executable/LICENSE-node.txt', 'utf8')).toMatch(/^Node\.js is licensed for use as follows/);
    expect(readFileSync('executable/LICENSE.txt', 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
    const notices = readFileSync('executable/THIRD-PARTY-LICENSES.txt', 'utf8');
    expect(notices).toMatch(/^pg 8\.\d+\.\d+ \(MIT\)$/m);
    expect(notices).toMatch(/^undici 7\.\d+\.\d+ \(MIT\)$/m);
  });

  test.skipIf(process.platform !== 'linux')('docs/install.md names the glibc that the executable needs', () => {
    const symbols = execFileSync('objdump', ['-T', executable], { encoding: 'utf8', maxBuffer: 100_000_000 });
    const versions = [...symbols.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    expect(page).toContain(`glibc 2.${Math.max(...versions)} or later`);
  });

  test('the executable names the Node that it holds with its version, and has the help, schemas and completion of its sources', async () => {
    const { path: cwd } = makeFolder();
    const sources = workspaceIn(makeFolder(), {});
    for (const line of ['--version', '-V', 'plan --version'])
      expect(await run(line, { cwd })).toMatchObject({
        stdout: expect.stringMatching(new RegExp(`^${version} \\(Node 24\\.\\d+\\.\\d+\\)\n$`)),
        ...{ code: 0, stderr: '' },
      });
    for (const line of [
      '--help',
      'help apply',
      'schema resources',
      'schema plan',
      'completion bash',
      'completion fish',
    ])
      expect(await run(line, { cwd })).toEqual({ ...(await sources.run(...line.split(' '))), signal: null });
    expect((await run('complete-line -- almanac pl', { cwd })).stdout).toMatch(/^plan\b/);
  });

  test('the executable declares, plans, applies and shows to people what its own emulator then has', async () => {
    const folder = makeFolder(without);
    const { path: cwd } = folder;
    const shown: string[] = [];
    const inOrder = async (child: { kill(signal: NodeJS.Signals): boolean }, printed: string) => {
      const { baseUrl, organizationKey } = JSON.parse(printed) as Record<string, string>;
      const environment = { OMNI_API_TOKEN: organizationKey ?? '' };
      try {
        for (const line of [
          `init --yes --base-url ${baseUrl}`,
          'validate --online',
          'plan',
          'apply --auto-approve',
          'plan --refresh=deep',
          'drift --deep',
          'next',
          'who',
          'page --out page.html',
          'doctor',
        ]) {
          const { code, stdout, stderr } = await run(line, { cwd, environment });
          shown.push(`${line}: ${code}${code === 0 ? '' : stdout + stderr}`);
        }
      } finally {
        child.kill('SIGTERM');
      }
    };
    const used: Promise<void>[] = [];
    const served = await run('emulator --port 0 --operations full', {
      cwd,
      during: (child) => {
        child.stdout?.once('data', (line) => used.push(inOrder(child, String(line))));
      },
    });
    await Promise.all(used);
    expect(served).toMatchObject({ code: 143, stderr: '' });
    expect(shown.filter((line) => !line.endsWith(': 0'))).toEqual([]);
    expect(Object.keys(folder.state().resources)).toHaveLength(1);
    expect(folder.read('page.html')).toContain('Weekly');
  });

  const places: Readonly<Record<string, () => Promise<Place>>> = {
    'a git branch': async () => ({ state: { backend: 'git' } }),
    'a bucket': async () => {
      const { bucket, endpoint, keys, close } = await startS3Double();
      onTestFinished(() => close());
      return { state: { backend: 's3', bucket, endpoint, region: 'eu-central-1' }, environment: keys };
    },
    ...(isWithoutPostgres()
      ? {}
      : {
          PostgreSQL: async () => {
            const { server, role, place } = await openPostgresStage();
            const environment = { ALMANAC_STATE_URL: server.url(role) };
            return { state: { backend: 'postgres', table: place.table }, environment };
          },
        }),
  };

  test.each(Object.entries(places))(
    'the executable keeps a state in %s, with no package beside it',
    async (_, open) => {
      const { state, environment = {} } = await open();
      const mail = { identifier: '12db1a0a', name: 'Sales', schedule: '0 9 ? * MON *', timezone: 'UTC', format: 'pdf' };
      const to = { destinationType: 'email', recipients: ['ana@example.com'], subject: 'Sales' };
      const declared = { ...without, 'schedules/all.yaml': { schedules: { sales: { ...mail, ...to } } } };
      const world = await openWorld(declared, {
        config: { state },
        environment: { HOME: makeFolder().path, ...environment },
      });
      beginRepository(world.path);
      const { path: cwd } = world;
      const options = { cwd, environment: world.environment };
      expect(await run('apply --auto-approve', options)).toMatchObject({
        stdout: expect.stringContaining('Applied 1 change.'),
        ...{ code: 0, stderr: expect.not.stringContaining('loaded') },
      });
      expect(await run('plan', options)).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.') });
      // As the program of the package finds it.
      expect((await world.run('state list')).stdout).toContain('schedules.sales');
    },
  );

  test('init says of the executable that others need it, and that jobs install a package, and names no npx', async () => {
    const alone = await run('init --yes', { cwd: makeFolder().path, environment: { npm_command: 'exec' } });
    expect(alone.code).toBe(0);
    expect(alone.stdout).toEqual(says(`Give everybody who works on it this program, version ${version}`));
    expect(alone.stdout).not.toMatch(/npm|npx/);
    const jobs = await run('init --yes --ci github', { cwd: makeFolder().path });
    expect(jobs.stdout).toEqual(says('The jobs install the package almanac with npm, and not this program.'));
    expect(jobs.stdout).toContain(`npm install --save-dev ./almanac-${version}.tgz\n`);
    expect(jobs.stdout).not.toContain('npx');
  });

  test('without AWS credentials, the executable names only ways that need no package', async () => {
    const state = { backend: 's3', bucket: 'acme-state', region: 'eu-central-1' };
    const { path: cwd } = makeFolder({
      ...without,
      'almanac.yaml': { api: { baseUrl: 'https://a.example/api' }, state },
    });
    const { code, stderr } = await run('plan', { cwd });
    expect([code, stderr]).toEqual([1, says('aws configure export-credentials')]);
    expect(stderr).not.toContain('npm');
  });
});

/** What docs/install.md lets people run, beside what publish.yml makes of the executable. */
describe.skipIf(isOfAnotherPlatform)('the page on installing', () => {
  test('the commands of docs/install.md check the archive that publish.yml makes, and install what is in it', () => {
    const { path: cwd } = makeFolder();
    const { executables, release } = workflows.find(({ name }) => name.endsWith('/publish.yml'))?.content.jobs ?? {};
    const stepWith = (job: Job | undefined, word: string) =>
      job?.steps.find(({ run }) => run?.includes(word))?.run ?? '';
    const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
    const blockWith = (words: string) => blocks.find((block) => block.includes(words)) ?? '';
    const [check, install, build] = [blockWith('sha256sum'), blockWith('tar -x'), blockWith('build:executable')];
    const env = { PATH: process.env['PATH'], HOME: cwd, ARCHIVE: join(cwd, 'almanac-linux-x64.tar.gz') };
    const sh = (script: string, folder = cwd) =>
      execFileSync('sh', ['-euc', script], { cwd: folder, env, encoding: 'utf8' });
    sh(stepWith(executables, 'tar -czf'), '.');
    sh(stepWith(release, 'sha256sum'));
    expect(sh(check)).toBe('almanac-linux-x64.tar.gz: OK\n');
    expect(sh(install)).toMatch(new RegExp(`^${version} \\(Node 24\\.\\d+\\.\\d+\\)\n$`));
    expect(stepWith(executables, 'build:executable')).toBe(build.trim().replace('npm ci', 'npm ci --ignore-scripts'));
  });
});

interface Place {
  readonly state: object;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Whoever loads one of these is not on its own. */
function makeNoPackages(): Readonly<Record<string, string>> {
  const names = ['pg', 'pg-native', 'postgres', 'undici', 'yaml', '@aws-sdk/credential-provider-node'];
  return Object.fromEntries(names.map((name) => [`node_modules/${name}/index.js`, 'process.stderr.write("loaded")']));
}

/** With a remote, which a branch for the state needs. */
function beginRepository(cwd: string): void {
  const remote = join(makeFolder().path, 'remote.git');
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], { cwd, env, stdio: 'pipe' });
  git('init', '-q', '--bare', remote);
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', `file://${remote}`);
  git('add', 'schedules', 'almanac.yaml');
  git('commit', '-qm', 'Reports');
}
