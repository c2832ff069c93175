// `almanac init`: it writes a workspace that validates, plans and applies, and it overwrites nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { destinations } from '../../src/model/fields/field.ts';
import { page } from '../support/action/workflow-files.ts';
import { startLanguageServer } from '../support/language-server.ts';
import { hasTerminal, runOnTerminal } from '../support/terminal.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const emulate = async () => {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const listening = await emulator.listen();
  onTestFinished(() => emulator.close());
  return listening;
};

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('the new workspace', () => {
  it.each([...destinations.map((name) => [name]), destinations])(
    'a new workspace with %s is valid, formatted, and can be applied',
    async (...chosen) => {
      const { baseUrl, organizationKey } = await emulate();
      const environment = { OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'secret' };
      const workspace = workspaceIn(makeFolder(), environment);
      const made = await workspace.run('init', '--base-url', baseUrl, '--destination', ...chosen);
      expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('almanac validate') });
      expect(await workspace.run('validate', '--strict')).toMatchObject({ code: 0 });
      expect(await workspace.run('fmt', '--check')).toMatchObject({ code: 0, stdout: '' });
      const plan = await workspace.plan();
      expect(plan).toMatchObject({ operations: 'full', summary: { create: chosen.length }, diagnostics: [] });
      const { summary } = await workspace.apply();
      expect(summary).toMatchObject({ applied: chosen.length, failed: 0, unknown: 0 });
      expect((await workspace.plan()).changes).toEqual([]);
    },
  );

  it('a new workspace has no problem in an editor that reads the schemas of its first lines', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    await workspace.run('init', '--destination', ...destinations);
    for (const [file, schema] of [
      ['schedules/first.yaml', '.almanac/resources.schema.json'],
      ['almanac.yaml', '.almanac/almanac.schema.json'],
    ] as const) {
      expect(workspace.read(file).split('\n')[0]).toMatch(`${schema.replace('.almanac', '')}`);
      const editor = await startLanguageServer(join(workspace.path, schema));
      onTestFinished(() => editor.stop());
      expect(await editor.diagnose(workspace.read(file))).toEqual([]);
    }
  });

  it.each(['vscode', 'jetbrains'])(
    'a new workspace is checked by an editor because of its first lines alone, for %s',
    async (editor) => {
      const workspace = workspaceIn(makeFolder(), {});
      await workspace.run('init', '--editor', editor);
      const server = await startLanguageServer();
      onTestFinished(() => server.stop());
      for (const [file, right, wrong] of [
        ['schedules/first.yaml', 'format: pdf', 'format: pdff'],
        ['almanac.yaml', 'operations: full', 'operations: fulll'],
      ] as const) {
        const text = workspace.read(file).replace(right, wrong);
        const line = text.split('\n').findIndex((each) => each.includes(wrong));
        const shown = await server.diagnoseAt(join(workspace.path, file), text);
        expect(shown.map((problem) => problem.line)).toEqual([line]);
      }
    },
  );

  it('a new workspace contains what was chosen and nothing else', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    expect((await workspace.run('init', '--dir', 'a/b/', '--yes')).code).toBe(0);
    const bare = [
      '.almanac/almanac.schema.json',
      '.almanac/resources.schema.json',
      '.gitattributes',
      '.gitignore',
      'almanac.yaml',
      'schedules/first.yaml',
    ];
    expect(filesIn(join(workspace.path, 'a/b'))).toEqual(bare);
    expect((await workspace.run('-C', 'a', 'init', '--dir', 'c', '--ci', 'github', '--editor', 'vscode')).code).toBe(0);
    expect(filesIn(join(workspace.path, 'a/c'))).toEqual(
      [
        ...bare,
        ...['apply', 'drift', 'plan'].map((name) => `.github/workflows/almanac-${name}.yml`),
        '.vscode/extensions.json',
        '.vscode/settings.json',
      ].sort(),
    );
    await workspace.run('init', '--dir', 'd', '--ci', 'gitlab', '--editor', 'jetbrains');
    expect(filesIn(join(workspace.path, 'd'))).toEqual([...bare, '.gitlab-ci.yml'].sort());
    expect(workspace.read('d/schedules/first.yaml')).toMatch(/^# \$schema: \.\.\/\.almanac\/resources\.schema\.json\n/);
  });

  it('a new workspace adds files of one run or machine to .gitignore and keeps its other lines', async () => {
    const workspace = workspaceIn(makeFolder({ '.gitignore': 'node_modules\n*.plan.json\n' }), {});
    await workspace.run('init', '--yes');
    expect(workspace.read('.gitignore').split('\n')).toEqual([
      'node_modules',
      '*.plan.json',
      '',
      '# Almanac: files of a single run or machine. The state itself is committed.',
      '*.state.json.lock',
      '*.state.json.journal',
      'errored*.state.json',
      '.almanac-import.json',
      '',
    ]);
    expect(workspace.read('.gitattributes').split('\n')).toContain('*.state.json -merge');
    const empty = workspaceIn(makeFolder(), {});
    await empty.run('init', '--yes');
    expect(empty.read('.gitignore').split('\n')).toContain('node_modules/');
    const once = ['.gitignore', '.gitattributes'].map((name) => workspace.read(name));
    await workspace.run('init', '--yes', '--force');
    expect(['.gitignore', '.gitattributes'].map((name) => workspace.read(name))).toEqual(once);
  });
});

it.each([['almanac.yaml'], ['almanac.yml'], ['schedules/first.yaml'], ['.github/workflows/almanac-plan.yml']])(
  'init writes nothing if %s exists, unless --force is given',
  async (existing) => {
    const workspace = workspaceIn(makeFolder({ [existing]: 'api: {}\n' }), {});
    const refused = await workspace.run('init', '--ci', 'github');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(existing) });
    expect(filesIn(workspace.path)).toEqual([existing]);
    expect((await workspace.run('init', '--ci', 'github', '--force')).code).toBe(0);
  },
);

it.each([
  [['--destination', 'e-mail'], /Allowed choices are/],
  [['--base-url', 'acme'], /is not a URL/],
  [
    ['--base-url', 'https://acme.omniapp.co/dashboards/12db1a0a?f=1'],
    /is the address of a page of Omni; write\s+https:\/\/acme\.omniapp\.co\/api\./,
  ],
] as const)('init refuses %s', async (argv, words) => {
  const workspace = workspaceIn(makeFolder(), {});
  expect(await workspace.run('init', ...argv)).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
  expect(filesIn(workspace.path)).toEqual([]);
});

describe('on a terminal', () => {
  const answering = (...answers: readonly (string | undefined)[]) => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return answers[asked.length - 1];
    };
    return { asked, workspace: workspaceIn(makeFolder(), {}, { ask }) };
  };

  it('init on a terminal asks for what no option says, and asks again after a wrong answer', async () => {
    const { asked, workspace } = answering(
      'acme',
      'https://acme.omniapp.co',
      'email, slak',
      'email, slack',
      '',
      'vscode',
    );
    const { code, stderr } = await workspace.run('init');
    expect(code).toBe(0);
    expect(asked).toHaveLength(6);
    expect(stderr).toContain('Did you mean `slack`?');
    expect(parse(workspace.read('almanac.yaml'))).toMatchObject({ api: { baseUrl: 'https://acme.omniapp.co/api' } });
    expect(Object.keys(parse(workspace.read('schedules/first.yaml')).schedules)).toEqual([
      'weekly-email',
      'daily-slack',
    ]);
    expect(existsSync(join(workspace.path, '.vscode/settings.json'))).toBe(true);
  });

  it.skipIf(!hasTerminal)('init asks on a real terminal (needs `script` of util-linux)', async () => {
    const { path, read } = makeFolder();
    const typed = [
      ['later): ', 'https://acme.omniapp.co\n'],
      ['(email): ', 's3\n'],
      ['Which CI?', '\n'],
      ['Which editor?', 'jetbrains\n'],
    ] as const;
    const shown = await runOnTerminal(['init'], { cwd: path, typed });
    expect(shown.code, shown.text).toBe(0);
    expect(shown.text).toContain('Next:');
    expect(read('schedules/first.yaml')).toContain('destinationType: s3');
    const stopped = await runOnTerminal(['init', '--dir', 'other'], { cwd: path, typed: [['later): ', '\u0003']] });
    expect(stopped).toMatchObject({ code: 130, text: expect.stringContaining('nothing was written') });
  });

  it('init in another folder prints next commands that all begin in the current folder', async () => {
    const { stdout } = await workspaceIn(makeFolder(), {}).run('init', '--dir', 'reports', '--yes');
    const commands = stdout.split('\n').filter((line) => /^ {5}.*\balmanac (?:validate|plan|next|apply)\b/.test(line));
    expect(commands).toHaveLength(4);
    expect(commands.filter((line) => !line.startsWith('     cd reports && almanac '))).toEqual([]);
  });

  it('init on a terminal asks nothing with --yes', async () => {
    const { asked, workspace } = answering();
    expect((await workspace.run('init', '--yes')).code).toBe(0);
    expect(asked).toEqual([]);
  });

  it('init writes nothing if the terminal is closed', async () => {
    const { workspace } = answering('https://acme.omniapp.co', undefined);
    expect(await workspace.run('init')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was written'),
    });
    expect(filesIn(workspace.path)).toEqual([]);
  });
});

describe('the jobs', () => {
  const git = (cwd: string, ...argv: readonly string[]) =>
    execFileSync('git', argv, { cwd, encoding: 'utf8', stdio: 'pipe' });

  /** A clone with a state that was just applied, and its origin, to which others have pushed these files since. */
  const cloneBehind = async (meanwhile: Readonly<Record<string, string>>) => {
    const folder = makeFolder({ 'seed/almanac.state.json': '{"serial":1}\n' });
    const [seed, origin, clone] = ['seed', 'origin', 'clone'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    git(seed, 'init', '-q', '-b', 'main');
    git(seed, 'add', '.');
    git(seed, ...identity, 'commit', '-qm', 'first');
    git(folder.path, 'clone', '-q', '--bare', seed, origin);
    git(folder.path, 'clone', '-q', origin, clone);
    const workspace = workspaceIn({ ...folder, path: clone, read: (path) => folder.read(`clone/${path}`) }, {});
    await workspace.run('init', '--ci', 'gitlab');
    folder.write({ 'clone/almanac.state.json': '{"serial":2}\n' });
    for (const [path, text] of Object.entries(meanwhile)) folder.write({ [`seed/${path}`]: text });
    git(seed, 'add', '.');
    git(seed, ...identity, 'commit', '-qm', 'meanwhile');
    git(seed, 'push', '-q', origin, 'main');
    const { apply } = parse(workspace.read('.gitlab-ci.yml')) as { apply: { script: readonly string[] } };
    const run = (exitCode: number) => {
      const script = apply.script
        .slice(1)
        .join('\n')
        .replace('npx --no almanac apply almanac.plan.json --auto-approve', `(exit ${exitCode})`)
        .replace(/"https:[^"]*"/, `'${origin}'`);
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: clone,
        GIT_CONFIG_NOSYSTEM: '1',
        CI_DEFAULT_BRANCH: 'main',
        OMNI_BASE_URL: 'https://acme.omniapp.co/api',
      };
      const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
      const { status } = spawnSync('bash', options, { cwd: clone, env, stdio: 'pipe' });
      return status;
    };
    return { run, atOrigin: () => git(origin, 'log', '--format=%s', 'main').trim().split('\n') };
  };

  it('the GitHub jobs that init writes are those of docs/ci-github.md', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    await workspace.run('init', '--ci', 'github');
    for (const name of ['plan', 'apply', 'drift']) {
      const path = `.github/workflows/almanac-${name}.yml`;
      expect(page).toContain(`\`\`\`yaml\n# ${path}\n${workspace.read(path)}\`\`\``);
    }
  });

  it('the GitLab jobs that init writes are those of docs/ci-gitlab.md', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    await workspace.run('init', '--ci', 'gitlab');
    expect(page).toContain(`\`\`\`yaml\n# .gitlab-ci.yml\n${workspace.read('.gitlab-ci.yml')}\`\`\``);
  });

  it('the GitLab jobs push the state on top of new commits, and fail if the apply failed', async () => {
    const { run, atOrigin } = await cloneBehind({ 'other.txt': 'y' });
    expect(run(3)).toBe(3);
    expect(atOrigin()).toEqual(['Almanac state [skip ci]', 'meanwhile', 'first']);
    expect(run(0)).toBe(0);
    expect(atOrigin()).toHaveLength(3);
  });

  it('the GitLab jobs never merge two states', async () => {
    const { run, atOrigin } = await cloneBehind({ 'almanac.state.json': '{"serial":2,"resources":{}}\n' });
    expect(run(0)).not.toBe(0);
    expect(atOrigin()).toEqual(['meanwhile', 'first']);
  });

  it('init says that the jobs belong at the root of a repository if it writes them elsewhere', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    const { stdout } = await workspace.run('init', '--ci', 'github', '--dir', 'reports');
    expect(stdout).toMatch(/move reports\/\.github to the root[\s\S]*working-directory reports/);
    expect((await workspace.run('init', '--ci', 'github')).stdout).not.toContain('root');
  });
});
