// `almanac init`: it writes a workspace that validates, plans and applies, and it overwrites nothing.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { destinations } from '../../src/model/fields/field.ts';
import { packageName, page } from '../support/action/workflow-files.ts';
import { startFull } from '../support/emulator/start-emulator.ts';
import { expectRefused } from '../support/security/refused.ts';
import { says } from '../support/vocabulary.ts';
import { type Environment, makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

async function expectInOrder({ run }: Workspace): Promise<void> {
  expect(await run('validate', '--strict')).toMatchObject({ code: 0 });
  expect(await run('fmt', '--check')).toMatchObject({ code: 0, stdout: '' });
}

describe('the new workspace', () => {
  it('a new workspace with every destination is valid, formatted, and can be applied', async () => {
    const { baseUrl, organizationKey } = await startFull();
    const workspace = workspaceIn(makeFolder(), { OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'secret' });
    const made = await workspace.run('init', '--base-url', baseUrl, '--destination', ...destinations);
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('almanac validate') });
    await expectInOrder(workspace);
    const plan = await workspace.plan();
    expect(plan).toMatchObject({ operations: 'full', summary: { create: destinations.length }, diagnostics: [] });
    expect((await workspace.apply()).summary).toMatchObject({ applied: destinations.length, failed: 0, unknown: 0 });
    expect((await workspace.plan()).changes).toEqual([]);
  });

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
        ...['apply', 'drift', 'plan', 'plan-fork', 'status'].map((name) => `.github/workflows/almanac-${name}.yml`),
        '.vscode/extensions.json',
        '.vscode/settings.json',
      ].sort(),
    );
    await workspace.run('init', '--dir', 'd', '--ci', 'gitlab', '--editor', 'jetbrains');
    expect(filesIn(join(workspace.path, 'd'))).toEqual([...bare, '.gitlab-ci.yml', '.gitlab-ci-apply.yml'].sort());
    expect(workspace.read('d/schedules/first.yaml')).toMatch(/^# \$schema: \.\.\/\.almanac\/resources\.schema\.json\n/);
  });

  it.each([
    ['eu-reports', ['--backend', 'git']],
    ['EU/reports', ['--ci', 'gitlab']],
    ['eu/-/reports', ['--ci', 'github']],
  ])(
    'a new workspace in %s is refused beside that of eu/reports, with which it would share a branch and jobs',
    async (folder, options) => {
      const workspace = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'eu/node_modules/x': '' }), {});
      expect((await workspace.run('init', '--dir', 'eu/reports', '--backend', 'git', '--yes')).code).toBe(0);
      const before = filesIn(workspace.path);
      const { code, stderr } = await workspace.run('init', '--dir', folder, ...options, '--yes', '--force');
      expect(stderr).toEqual(
        says(
          `Nothing was written, because the workspaces ${folder} and eu/reports would share the state branch almanac-state--`,
        ),
      );
      expect(code).toBe(1);
      expect(filesIn(workspace.path)).toEqual(before);
      // It is itself no other one, and a state in a file has no name.
      expect((await workspace.run('init', '--dir', 'eu/reports', '--ci', 'gitlab', '--yes', '--force')).code).toBe(0);
      expect((await workspace.run('init', '--dir', 'eu_reports', '--ci', 'gitlab', '--yes')).code).toBe(0);
      expect((await workspace.run('init', '--dir', folder, '--yes')).code).toBe(0);
    },
  );

  it.each(['.gitignore', '.gitattributes'])(
    'a %s that is not UTF-8 stops a new workspace, and stays as it is',
    async (name) => {
      const bytes = Buffer.from('Geh\xe4lter/\n', 'latin1');
      const folder = makeFolder({ [name]: bytes });
      const { code, stderr } = await workspaceIn(folder, {}).run('init', '--yes');
      expect(code).toBe(1);
      expect(stderr).toEqual(says(`${name} cannot be read: the byte 0xE4 at line 1, column 4 is not UTF-8.`));
      expect(readFileSync(join(folder.path, name))).toEqual(bytes);
      expect(readdirSync(folder.path)).toEqual([name]);
    },
  );

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
      '*.state.*.json.lock',
      '*.state.*.json.journal',
      '*.tmp',
      '.almanac-import.json',
      '.almanac-recipients.json',
      '.almanac/probe.json',
      '.almanac/emulator*',
      'plan.html',
      'almanac.html',
      '',
    ]);
    expect(workspace.read('.gitattributes').split('\n')).toEqual(
      expect.arrayContaining([
        '*.state.json -merge',
        '*.state.*.json -merge',
        '.almanac/*.schema.json linguist-generated -diff',
      ]),
    );
    const empty = workspaceIn(makeFolder(), {});
    await empty.run('init', '--yes');
    expect(empty.read('.gitignore').split('\n')).toContain('node_modules/');
    const once = ['.gitignore', '.gitattributes'].map((name) => workspace.read(name));
    await workspace.run('init', '--yes', '--force');
    expect(['.gitignore', '.gitattributes'].map((name) => workspace.read(name))).toEqual(once);
  });
});

it.each([['schedules/first.yaml'], ['.github/workflows/almanac-plan.yml']])(
  'init writes nothing if %s exists, unless --force is given',
  async (existing) => {
    const workspace = workspaceIn(makeFolder({ [existing]: 'api: {}\n' }), {});
    const refused = await workspace.run('init', '--ci', 'github');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(existing) });
    expect(filesIn(workspace.path)).toEqual([existing]);
    expect((await workspace.run('init', '--ci', 'github', '--force')).code).toBe(0);
  },
);

const jobFiles = ['apply', 'drift', 'plan-fork', 'plan', 'status'].map(
  (name) => `.github/workflows/almanac-${name}.yml`,
);

it.each(['almanac.yaml', 'almanac.yml'])(
  'init --ci adds only the jobs where there is an %s, and says where they expect the state',
  async (name) => {
    const text = 'safety: { internalDomains: [acme.com] }\nstate: { path: our.state.json }\n';
    const workspace = workspaceIn(makeFolder({ [name]: text }), { OMNI_BASE_URL: 'https://other.omniapp.co' });
    await expectRefused(workspace, 'init --yes', name, '`almanac init --ci github` or `--ci gitlab` adds the jobs');
    await expectRefused(workspace, 'init --ci github --timezone UTC', 'adds only jobs', 'Leave out --timezone');
    expect(filesIn(workspace.path)).toEqual([name]);
    const { code, stdout } = await workspace.run('init', '--ci', 'github');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '     state: { backend: git }\n     almanac --state our.state.json state migrate\n  2. Let package.json',
    );
    expect(stdout).toEqual(says('The jobs expect the state in a branch. Write this into almanac.yaml'));
    expect(filesIn(workspace.path)).toEqual([...jobFiles, name]);
    await expectRefused(workspace, 'init --ci github', 'almanac-plan.yml', 'overwrite them with --force');
    expect((await workspace.run('init', '--ci', 'github', '--force')).code).toBe(0);
    expect(filesIn(workspace.path)).toEqual([...jobFiles, name]);
    expect(workspace.read(name)).toBe(text);
  },
);

it('init --ci writes the same jobs into a workspace that exists as with a new one', async () => {
  const made = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  await made.run('init', '--yes', '--dir', 'eu', '--environments', 'dev,prod', '--ci', 'github');
  const jobs = filesIn(made.path).filter((path) => path.startsWith('.github/'));
  const added = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  await added.run('init', '--yes', '--dir', 'eu', '--environments', 'dev,prod');
  const { stdout } = await added.run('init', '--dir', 'eu', '--ci', 'github');
  for (const name of ['dev', 'prod']) {
    expect(stdout).toContain(`     state: { backend: git, branch: almanac-state--eu--${name} }\n`);
    expect(stdout).toContain(`     cd eu && almanac state migrate --env ${name}\n`);
  }
  expect(jobs.map((path) => added.read(path))).toEqual(jobs.map((path) => made.read(path)));
  // Where almanac.yaml has what the jobs expect, nothing is said of it.
  expect((await made.run('init', '--dir', 'eu', '--ci', 'github', '--force')).stdout).not.toContain('expect the state');
  const broken = workspaceIn(makeFolder({ 'almanac.yaml': 'apii: {}\n' }), {});
  await expectRefused(broken, 'init --ci github', 'almanac.yaml has errors; nothing was written', 'Fix the reported');
  const bucket = 'state: { backend: s3, bucket: acme-state, prefix: almanac }\n';
  const shared = workspaceIn(makeFolder({ 'almanac.yaml': bucket }), {});
  expect((await shared.run('init', '--ci', 'gitlab')).stdout).toEqual(
    says('In each of them, set ALMANAC_STATE_PLACE to s3://acme-state/almanac.'),
  );
});

it('init keeps the settings of an editor that are there, and says how', async () => {
  const settings = '{ "editor.rulers": [100] } // ours\n';
  const workspace = workspaceIn(makeFolder({ '.vscode/settings.json': settings }), {});
  await expectRefused(workspace, 'init --yes --editor vscode', 'settings.json', 'Keep them with --editor none');
  expect((await workspace.run('init', '--yes', '--editor', 'none')).code).toBe(0);
  expect(workspace.read('.vscode/settings.json')).toBe(settings);
});

it.each<[string, Readonly<Record<string, string>>, string, boolean]>([
  [
    'the default branch that the clone remembers',
    { HEAD: 'ref: refs/heads/work\n', 'refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/release/2.0\n' },
    'release/2.0',
    false,
  ],
  [
    'a default branch that YAML reads as something else',
    { HEAD: 'ref: refs/heads/work\n', 'refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/on\n' },
    '"on"',
    false,
  ],
  ['the first branch of a new repository', { HEAD: 'ref: refs/heads/master\n' }, 'master', false],
  ['main, and says so, where another branch is checked out', { HEAD: 'ref: refs/heads/add-almanac\n' }, 'main', true],
  ['main, and says so, where a commit is checked out', { HEAD: `${'a'.repeat(40)}\n` }, 'main', true],
  [
    'main, and says so, where the default branch would be a pattern',
    { HEAD: 'ref: refs/heads/work\n', 'refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/a+b\n' },
    'main',
    true,
  ],
])('the workflow that applies starts on %s', async (_, refs, branch, isSaid) => {
  const files = Object.fromEntries(Object.entries(refs).map(([path, text]) => [`.git/${path}`, text]));
  const workspace = workspaceIn(makeFolder(files), {});
  const { code, stdout } = await workspace.run('init', '--yes', '--ci', 'github');
  expect(code).toBe(0);
  expect(workspace.read('.github/workflows/almanac-apply.yml')).toContain(`    branches: [${branch}]\n`);
  const words = 'what the default branch is called, so the apply starts on pushes to main.';
  expect(stdout.replaceAll(/\s+/g, ' ').includes(words)).toBe(isSaid);
});

it.each(['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'])(
  'jobs for a repository with %s warn that they need npm',
  async (lock) => {
    const workspace = workspaceIn(makeFolder({ [lock]: '', 'package.json': '{}' }), {});
    const { stderr } = await workspace.run('init', '--yes', '--ci', 'github');
    expect(stderr).toEqual(
      says(`The jobs install with npm ci, which needs package-lock.json, and there is only ${lock}.`),
    );
    const without = workspaceIn(makeFolder({ [lock]: '', 'package.json': '{}', 'package-lock.json': '{}' }), {});
    expect((await without.run('init', '--yes', '--ci', 'github')).stderr).not.toContain('npm ci');
  },
);

it.each([
  [['--destination', 'e-mail'], /Allowed choices are/],
  [['--base-url', 'acme'], /is not a URL/],
  [['--timezone', 'EST'], /never change[\s\S]*Did you mean `America\/New_York`/],
  [['--timezone', 'europe/berlin'], /Write `Europe\/Berlin`/],
  [['--start', 'omni', '--destination', 'email'], /`--start\s+omni` writes none/],
  [['--environments', 'dev,prod', '--base-url', 'acme.omniapp.co'], /each environment has its\s+own/],
  [['--environments', 'dev', '1st'], /`1st` cannot be the name of an environment/],
  [['--environments', 'yes'], /`yes` cannot be the name of an environment/],
  [['--environments', 'prod-eu,PROD_EU'], /only spelling/],
  [
    ['--base-url', 'https://acme.omniapp.co/dashboards/12db1a0a?f=1'],
    /is the address of a page of Omni; write\s+https:\/\/acme\.omniapp\.co\/api\./,
  ],
] as const)('init refuses %s', async (argv, words) => {
  const workspace = workspaceIn(makeFolder(), {});
  expect(await workspace.run('init', ...argv)).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
  expect(filesIn(workspace.path)).toEqual([]);
});

const answering = (
  answers: readonly (string | undefined)[],
  {
    environment = {},
    timeZone = 'UTC',
    files = {},
  }: { environment?: Environment; timeZone?: string; files?: Readonly<Record<string, unknown>> } = {},
) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers[asked.length - 1];
  };
  return {
    asked,
    workspace: workspaceIn(makeFolder(files), environment, { asker: () => ask, timeZone: () => timeZone }),
  };
};

describe('on a terminal', () => {
  it('init on a terminal asks for what no option says, and asks again after a wrong answer, with the reason', async () => {
    const { asked, workspace } = answering([
      'acme',
      'acme.omniapp.co',
      'gmail.com',
      'acme.com, Acme.de',
      'Berlin',
      'Europe/Berlin',
      '3',
      '1',
      'email, slak',
      'email 4',
      'github,gitlab',
      '',
      'vim',
      '1',
      '2',
    ]);
    const { code, stderr } = await workspace.run('init');
    expect(code).toBe(0);
    expect(asked).toHaveLength(15);
    expect(stderr.split('\n')).toEqual([
      'The Omni address is not a URL. Write it like acme.omniapp.co.',
      '  https://acme.omniapp.co/api',
      'Anybody can have an address at gmail.com, so it is not a domain of your own.',
      '`Berlin` is not a name of the IANA time zone database. Did you mean',
      '`Europe/Berlin`?',
      '`3` is not one of example, omni.',
      '`slak` is not one of webhook, email, sftp, slack, s3. Did you mean `slack`?',
      '`github,gitlab` is not one of github, gitlab, none.',
      '`vim` is not one of vscode, jetbrains, none.',
      '',
    ]);
    expect(parse(workspace.read('almanac.yaml'))).toMatchObject({
      api: { baseUrl: 'https://acme.omniapp.co/api' },
      safety: { internalDomains: ['acme.com', 'acme.de'] },
      defaults: { schedules: { timezone: 'Europe/Berlin' } },
    });
    expect(Object.keys(parse(workspace.read('schedules/first.yaml')).schedules)).toEqual([
      'weekly-email',
      'daily-slack',
    ]);
    expect(existsSync(join(workspace.path, '.vscode/settings.json'))).toBe(true);
    expect(readFileSync('docs/editors.md', 'utf8')).toContain(workspace.read('AGENTS.md'));
  });

  it('init on a terminal offers the time zone of the machine and OMNI_BASE_URL as answers', async () => {
    const environment = { OMNI_BASE_URL: 'https://eu.omniapp.co' };
    const { asked, workspace } = answering(Array(8).fill(''), { environment, timeZone: 'Asia/Kolkata' });
    expect(await workspace.run('init')).toMatchObject({ code: 0, stderr: '' });
    expect(asked.slice(0, 3)).toEqual([
      'Omni address (Enter: https://eu.omniapp.co/api): ',
      'Your own mail domains, like acme.com (Enter: later): ',
      'Time zone of the schedules (Enter: Asia/Kolkata): ',
    ]);
    expect(parse(workspace.read('almanac.yaml'))).toMatchObject({
      api: { baseUrl: 'https://eu.omniapp.co/api' },
      defaults: { schedules: { timezone: 'Asia/Kolkata' } },
    });
    const nowhere = answering(Array(8).fill(''), { timeZone: 'Etc/Unknown' });
    await nowhere.workspace.run('init');
    expect(nowhere.asked[2]).toBe('Time zone of the schedules (Enter: UTC): ');
  });

  it('init refuses an address to which every other command would send no token', async () => {
    const fault = 'The Omni address is not HTTPS: the token would travel unencrypted. Write it like acme.omniapp.co.';
    const { asked, workspace } = answering(['http://acme.omniapp.co', 'acme.omniapp.co']);
    const { stderr } = await workspace.run('init', '--start', 'omni', '--ci', 'none', '--editor', 'none');
    expect(stderr).toEqual(says(fault));
    expect(asked.slice(0, 2)).toEqual([asked[0], asked[0]]);
    expect(await workspace.run('init', '--dir', 'b', '--base-url', 'http://acme.omniapp.co')).toMatchObject({
      code: 1,
    });
    const outside = answering([], { environment: { OMNI_BASE_URL: 'http://acme.omniapp.co' } });
    await outside.workspace.run('init', '--dir', 'c');
    expect(outside.asked[0]).toContain('(Enter: later)');
  });

  it('init on a terminal asks and answers in at most 80 columns', async () => {
    const wrong = ['http://reports.acme.example.com', '', 'https://acme.omniapp.co/dashboards/12db1a0a', ''];
    for (const argv of [[], ['--environments', 'dev,prod'], ['--start', 'omni', '--dir', 'reports']]) {
      const { asked, workspace } = answering([...wrong, ...Array(8).fill('')]);
      const { stdout, stderr } = await workspace.run('init', '--ci', 'github', ...argv);
      const lines = [...asked, stdout, stderr].join('\n').split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('init on a terminal asks no question that an option answers, and none with --yes', async () => {
    const { asked, workspace } = answering([]);
    const options = ['--base-url', 'acme.omniapp.co', '--internal-domains', 'acme.com', '--timezone', 'UTC'];
    expect(
      await workspace.run('init', ...options, '--start', 'omni', '--ci', 'none', '--editor', 'none', '--no-agents'),
    ).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
    expect(workspace.read('almanac.yaml')).toContain('baseUrl: https://acme.omniapp.co/api');
    expect((await workspace.run('init', '--yes', '--force')).code).toBe(0);
    expect(asked).toEqual([]);
  });

  it('init in another folder prints next commands that all begin in the current folder', async () => {
    const { stdout } = await workspaceIn(makeFolder(), {}).run('init', '--dir', 'reports', '--yes');
    const commands = stdout.split('\n').filter((line) => /^ {5}.*\balmanac (?:validate|plan|next|apply)\b/.test(line));
    expect(commands).toHaveLength(4);
    expect(commands.filter((line) => !line.startsWith('     cd reports && almanac '))).toEqual([]);
  });

  it('init on a terminal does not ask for the place of the state: the jobs of CI keep it in a branch', async () => {
    for (const [ci, state] of [
      ['none', undefined],
      ['github', { backend: 'git' }],
      ['gitlab', { backend: 'git' }],
    ] as const) {
      const { asked, workspace } = answering(Array(9).fill(''));
      expect((await workspace.run('init', '--ci', ci)).code).toBe(0);
      expect(asked.join()).not.toMatch(/state/i);
      expect(parse(workspace.read('almanac.yaml')).state).toEqual(state);
    }
  });

  it('init writes nothing if the terminal is closed', async () => {
    const { workspace } = answering(['https://acme.omniapp.co', undefined]);
    expect(await workspace.run('init')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was written'),
    });
    expect(filesIn(workspace.path)).toEqual([]);
  });
});

it('the GitLab jobs that init writes are those of docs/ci-gitlab.md', async () => {
  const workspace = workspaceIn(makeFolder(), {});
  await workspace.run('init', '--ci', 'gitlab');
  for (const path of ['.gitlab-ci.yml', '.gitlab-ci-apply.yml'])
    expect(page).toContain(`\`\`\`yaml\n# ${path}\n${workspace.read(path)}\`\`\``);
});

describe('in a repository', () => {
  const repository = (files: Readonly<Record<string, unknown>> = {}) => {
    const folder = makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
    return workspaceIn(folder, {});
  };
  const manifest = (from: string) => ({ devDependencies: { [packageName]: from } });

  it('init in a folder of a repository does the same as --dir', async () => {
    const [by, within] = [repository({ 'reports/.keep': '' }), repository({ 'reports/.keep': '' })];
    await by.run('init', '--dir', 'reports', '--ci', 'github');
    const { stdout } = await within.run('-C', 'reports', 'init', '--ci', 'github');
    expect(filesIn(within.path)).toEqual(filesIn(by.path));
    expect(stdout).toContain('  ../.github/workflows/almanac-reports-plan.yml\n');
    expect(stdout).toContain('     almanac validate\n');
  });

  it('init lets two folders of one repository have workflows side by side', async () => {
    const workspace = repository();
    for (const dir of ['reports', 'teams/sales'])
      expect(await workspace.run('init', '--dir', dir, '--ci', 'github')).toMatchObject({ code: 0 });
    expect(filesIn(workspace.path).filter((path) => path.startsWith('.github'))).toHaveLength(10);
  });

  it('init takes the action from the nearest package.json, and names the step of installing if that does not take it', async () => {
    const install = /Let package\.json install/;
    expect((await repository().run('init', '--yes')).stdout).toMatch(install);
    expect((await repository({ 'package.json': {} }).run('init', '--yes')).stdout).toMatch(install);
    const nearest = repository({ 'package.json': {}, 'reports/package.json': manifest('^0.1.0') });
    expect((await nearest.run('init', '--dir', 'reports', '--ci', 'github')).stdout).not.toMatch(install);
    expect(nearest.read('.github/workflows/almanac-reports-plan.yml')).toContain(
      `uses: ./reports/node_modules/${packageName}/`,
    );
  });

  it.each([
    ['file:../almanac/almanac-0.1.0.tgz', true],
    ['file:almanac-0.1.0.tgz', false],
    ['file:vendor/almanac-0.1.0.tgz', false],
    ['^0.1.0', false],
  ])('init warns of a package that no other machine finds, but not of others: %s', async (from, warns) => {
    const { code, stderr } = await repository({ 'package.json': manifest(from) }).run('init', '--yes');
    expect(code).toBe(0);
    expect(stderr.includes('npm install --save-dev ./almanac-0.1.0.tgz')).toBe(warns);
    expect(stderr === '').toBe(!warns);
  });

  it('init refuses a folder whose name would mean something in a workflow', async () => {
    const workspace = repository();
    for (const dir of ['sales*', 'a/${{ secrets.X }}', "it's"]) {
      const { code, stderr } = await workspace.run('init', '--dir', dir, '--ci', 'github');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot name the folder') });
    }
    expect(filesIn(workspace.path)).toEqual(['.git/HEAD']);
  });

  it('init says that the jobs need a repository if there is none, and how GitLab includes those of a folder', async () => {
    const outside = workspaceIn(makeFolder(), {});
    const { stdout } = await outside.run('init', '--ci', 'github', '--dir', 'reports');
    expect(stdout).toContain('run git init in reports');
    const { stdout: within } = await repository().run('init', '--dir', 'reports', '--ci', 'gitlab');
    expect(within).not.toContain('git init');
    expect(within).toContain('     include:\n       - local: reports/.gitlab-ci.yml\n');
    expect(within).toContain('  reports/.gitlab-ci-apply.yml\n');
  });
});

describe('beside a pipeline of GitLab that is there', () => {
  const text = 'build:\n  script: make\n';

  it.each([
    ['', '.gitlab-ci-almanac.yml', ['--ci', 'gitlab']],
    ['my reports/', 'my reports/.gitlab-ci-almanac.yml', ['--ci', 'gitlab', '--dir', 'my reports']],
  ])(
    'init writes a pipeline of its own, names the lines that include it, and replaces none: %s',
    async (below, own, argv) => {
      const files = { '.git/HEAD': 'ref: refs/heads/main\n', [`${below}.gitlab-ci.yml`]: text };
      const workspace = workspaceIn(makeFolder(files), {});
      const { code, stdout } = await workspace.run('init', '--yes', ...argv);
      expect(code).toBe(0);
      expect(stdout).toContain(`     include:\n       - local: ${own}\n`);
      expect(workspace.read(`${below}.gitlab-ci.yml`)).toBe(text);
      const jobs = Object.keys(parse(workspace.read(own))).filter((name) => !name.startsWith('.'));
      expect(jobs.filter((name) => !name.endsWith('-almanac'))).toEqual([]);
      const apply = `${below}.gitlab-ci-almanac-apply.yml`;
      expect(workspace.read(own)).toContain(`include: ${apply}\n`);
      expect(workspace.read(apply)).toContain(`which ${own} starts.`);
      const again = await workspace.run('init', ...argv, '--force');
      expect(again.code).toBe(0);
      expect(workspace.read(`${below}.gitlab-ci.yml`)).toBe(text);
    },
  );

  it('init does not take its own pipeline for another one', async () => {
    const workspace = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
    await workspace.run('init', '--yes', '--ci', 'gitlab');
    await expectRefused(workspace, 'init --ci gitlab', '.gitlab-ci.yml, .gitlab-ci-apply.yml', 'with --force');
    const { stdout } = await workspace.run('init', '--ci', 'gitlab', '--force');
    expect(stdout).toContain('  .gitlab-ci.yml\n');
    expect(stdout).not.toContain('include:');
  });
});

it('init escapes a blank in the line of CODEOWNERS, which would end the pattern', async () => {
  const workspace = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  const { stdout } = await workspace.run('init', '--yes', '--ci', 'github', '--dir', 'my reports');
  expect(stdout).toContain('     /my\\ reports/tenants.csv @OWNER\n');
});

describe('a state in a git branch', () => {
  const made = async (...argv: readonly string[]) => {
    const workspace = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
    const { code, stdout, stderr } = await workspace.run('init', '--backend', 'git', ...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return { ...workspace, stdout: stdout.replaceAll(/\s+/g, ' ') };
  };

  it('init with --backend git writes no rule for the files of a state, and says where it will be', async () => {
    const workspace = await made('--ci', 'github');
    const { read, stdout } = workspace;
    expect(parse(read('almanac.yaml')).state).toEqual({ backend: 'git' });
    await expectInOrder(workspace);
    expect(read('.gitignore')).not.toMatch(/\.state\.json\.(?:lock|journal)/);
    expect(read('.gitignore').split('\n')).toEqual(
      expect.arrayContaining(['*.plan.json', 'plan.html', 'almanac.html']),
    );
    expect(read('.gitattributes')).not.toContain('-merge');
    expect(stdout).toContain('the first apply makes the branch almanac-state of origin.');
    // Nothing can be planned before that.
    expect(stdout).toMatch(/git remote add origin URL .* almanac plan/);
    expect(stdout).not.toContain('almanac.state.json');
  });

  it('init gives each state of a repository a branch of its own, the same in almanac.yaml and in the jobs', async () => {
    const branches = new Set<string>();
    for (const argv of [
      ['--environments', 'dev,dev-eu'],
      ['--dir', 'dev'],
      ['--dir', 'dev/eu', '--environments', 'dev'],
      ['--dir', 'eu', '--environments', 'dev'],
    ]) {
      const { read, run, path } = await made('--ci', 'github', ...argv);
      const folder = argv.includes('--dir') ? `${argv[argv.indexOf('--dir') + 1]}/` : '';
      const {
        state,
        environmentRequired,
        environments = {},
      } = parse(read(`${folder}almanac.yaml`)) as {
        state: { branch?: string };
        environmentRequired?: boolean;
        environments?: Readonly<Record<string, { state: { branch: string } }>>;
      };
      expect(environmentRequired).toBe(argv.includes('--environments') || undefined);
      const own = Object.values(environments).map(({ state: { branch } }) => branch);
      expect((await run('-C', `./${folder}`, 'fmt', '--check')).code).toBe(0);
      for (const name of Object.keys(environments))
        expect((await run('-C', `./${folder}`, 'validate', '--env', name)).code).toBe(0);
      const pinned = filesIn(path)
        .filter((name) => name.includes('-apply'))
        .flatMap((name) => /ALMANAC_STATE_PLACE: git branch (\S+) of origin/.exec(read(name))?.[1] ?? []);
      expect(pinned.sort()).toEqual(own.length === 0 ? [state.branch] : own.sort());
      for (const branch of [state.branch ?? 'almanac-state', ...own]) {
        expect(branches).not.toContain(branch);
        branches.add(branch);
      }
    }
    expect(branches.size).toBe(8);
  });

  it('init refuses jobs of CI beside a state in a file, which would be lost with each job', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    const { code, stderr } = await workspace.run('init', '--ci', 'github', '--backend', 'local');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Leave out `--backend local`') });
    expect(filesIn(workspace.path)).toEqual([]);
  });

  it.each([
    ['github', 'by a line in .github/CODEOWNERS: /tenants.csv @OWNER'],
    ['gitlab', 'by a line in CODEOWNERS: /tenants.csv @OWNER'],
  ])('init proposes an owner of the table of permissions to who reviews in CI: %s', async (ci, words) => {
    const { stdout } = await made('--ci', ci);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    expect((await made('--ci', 'none')).stdout).not.toContain('CODEOWNERS');
  });

  it.each([
    ['github', 'Let only that deploy key write the branch of the state', 'STATE_DEPLOY_KEY'],
    ['gitlab', 'Let only the user of STATE_PUSH_TOKEN push to the branch of the state', 'ALMANAC_NOTE_TOKEN'],
    ['none', 'Whoever may push to the repository can edit the state.', 'deploy key'],
  ])('init says who should write the branch of the state: %s', async (ci, ...words) => {
    const { stdout } = await made('--ci', ci);
    for (const word of [...words, 'documentation (state-backends)']) expect(stdout).toContain(word);
  });
});

describe('a workspace that starts with what is in Omni', () => {
  it('init with --start omni declares nothing and names the import', async () => {
    const workspace = workspaceIn(makeFolder(), {});
    const { stdout } = await workspace.run('init', '--base-url', 'acme.omniapp.co', '--start', 'omni');
    expect(stdout).toMatch(
      /internalDomains: \[acme\.com\] \}\n[\s\S]*almanac import --write-state\n[\s\S]*almanac validate/,
    );
    expect(stdout).not.toMatch(/almanac (?:next|apply)/);
    expect(filesIn(workspace.path)).not.toContain('schedules/first.yaml');
    expect(await workspace.run('validate')).toMatchObject({ code: 0 });
  });
});
