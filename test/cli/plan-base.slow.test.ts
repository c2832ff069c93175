// `plan --base`: how almanac.yaml and the table differ from a commit, with real git, in every kind of clone.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Danger } from '../../src/model/plan/danger.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

type Files = Readonly<Record<string, string | Buffer | undefined>>;
const acme = 'https://acme.omniapp.co/api';
const evil = 'https://evil.example/api';
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
const table = (...lines: readonly string[]) => ['shows,receiver,until', ...lines, ''].join('\n');
const line = 'North Pine,a@north.example,2099-01-01';
const other = 'South Oak,b@south.example,2099-01-01';
const config = (baseUrl = acme, rows = '') =>
  `api: { operations: full, baseUrl: ${baseUrl} }\nsafety: { internalDomains: [acme.com], rows: { filters: [region], allow: tenants.csv${rows} } }\n`;
const usual: Files = { 'almanac.yaml': config(), 'tenants.csv': table(line, other), 'schedules/none.yaml': '' };

function openRepository(files: Files) {
  const { path } = makeFolder();
  const tools = makeFolder();
  const HOME = makeFolder().path;
  const environment = { PATH: `${process.env['PATH']}`, HOME, GIT_CONFIG_NOSYSTEM: '1' };
  const named = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  const git = (cwd: string, ...argv: readonly string[]) =>
    execFileSync('git', [...named, ...argv], { cwd, stdio: 'pipe', encoding: 'utf8', env: environment });
  const write = (changed: Files, folder = path) => {
    for (const [name, content] of Object.entries(changed)) {
      const file = join(folder, name);
      if (content === undefined) rmSync(file);
      else {
        mkdirSync(join(file, '..'), { recursive: true });
        writeFileSync(file, content);
      }
    }
  };
  const commit = (changed: Files = {}) => {
    write(changed);
    git(path, 'add', '-A');
    git(path, 'commit', '-qm', 'words', '--allow-empty');
    return git(path, 'rev-parse', 'HEAD').trim();
  };
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'config', 'uploadpack.allowFilter', 'true');
  git(path, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const base = commit(files);
  let clones = 0;
  const clone = (...options: readonly string[]) => {
    clones += 1;
    const to = join(tools.path, `clone-${clones}`);
    git(tools.path, 'clone', '-q', ...options, `file://${path}`, to);
    return to;
  };
  const { run } = workspaceIn(tools, environment);
  /** The dangers of the base, in the form that a document has them, also if there is no plan. */
  const dangers = async (folder: string, commitThere: string, ...more: readonly string[]) => {
    const { stdout } = await run('-C', folder, 'plan', '--base', commitThere, '--format', 'json', ...more);
    const { dangers: found = [] } = JSON.parse(stdout) as { readonly dangers?: readonly Danger[] };
    return found.filter(({ code }) => code.startsWith('base-'));
  };
  const said = async (...given: Parameters<typeof dangers>) =>
    (await dangers(...given)).flatMap(({ title, items }) => [
      title,
      ...items.map(({ subject, detail }) => (detail === undefined ? subject : `${subject} (${detail})`)),
    ]);
  return { path, base, git, write, commit, clone, run, dangers, said, environment };
}

const server = 'The base URL is not that of the base branch: the token goes to a different server';
const section = (name: string) => `The section ${name} of almanac.yaml is not that of the base branch`;
const lines = '1 line is new in the table of permissions, and 0 lines are gone';
const third = 'West Elm,c@north.example,2099-01-01';
const changed: Files = { 'almanac.yaml': config(evil, ', ended: pause'), 'tenants.csv': table(line, other, third) };
const all = [
  server,
  `${evil} (so far \`${acme}\`)`,
  section('safety'),
  '+ rows.ended: "pause"',
  '- rows.ended: "leave"',
  lines,
  `+ ${third}`,
];

describe('every kind of clone', () => {
  it.each([
    ['whole', []],
    ['shallow', ['--depth', '1']],
    ['blobless', ['--filter=blob:none']],
    ['treeless', ['--filter=tree:0']],
    ['sparse', ['--sparse']],
  ])('a %s clone tells what differs, after a fetch if it lacks the commit', async (_, options) => {
    const { base, commit, clone, git, run, said } = openRepository(usual);
    commit(changed);
    const path = clone(...options);
    if (options[0] === '--sparse') git(path, 'sparse-checkout', 'set', 'schedules');
    if (options[0] === '--depth') {
      const { code, stderr } = await run('-C', path, 'plan', '--base', base);
      expect([code, flat(stderr)]).toEqual([1, expect.stringContaining(`\`git fetch --depth=1 origin ${base}\``)]);
      git(path, 'fetch', '-q', '--depth=1', 'origin', base);
    }
    expect(await said(path, base)).toEqual(all);
    const { code, stdout, stderr } = await run('-C', path, 'plan', '--base', base);
    expect([code, stderr, flat(stdout)]).toEqual([0, '', expect.stringMatching(/^Look at this first !! The base URL/)]);
  });

  it.each(['--filter=blob:none', '--filter=tree:0'])(
    'a clone with %s that can fetch nothing says that nothing was compared, and not that there is no base',
    async (filter) => {
      const { base, commit, clone, git, said } = openRepository(usual);
      commit(changed);
      const path = clone(filter);
      git(path, 'remote', 'remove', 'origin');
      expect((await said(path, base))[0]).toBe(
        'The base branch could not be read, so almanac.yaml and the table of permissions were not compared with the base branch',
      );
    },
  );

  it('a commit that the clone lacks is an error with the command that fetches it', async () => {
    const { path, run } = openRepository(usual);
    for (const [name, fetched] of [
      ['f'.repeat(40), 'f'.repeat(40)],
      ['origin/release~2', 'release'],
      ['--upload-pack=touch pwned', "'--upload-pack=touch pwned'"],
    ] as const) {
      const { code, stderr } = await run('-C', path, 'plan', `--base=${name}`);
      expect(code).toBe(1);
      expect(flat(stderr)).toContain(`The clone does not have the commit ${name}.`);
      expect(flat(stderr)).toContain(`\`git fetch origin ${fetched}\``);
    }
    const outside = makeFolder({ 'almanac.yaml': config(), 'schedules/none.yaml': '' });
    const none = await workspaceIn(outside, {}).run('plan', '--base', 'main');
    expect([none.code, flat(none.stderr)]).toEqual([1, expect.stringContaining('in a clone of the repository')]);
  });
});

describe('what git has and what lies on the disk are the same text', () => {
  it('line ends of the checkout are no difference, and neither is an edit that undoes one', async () => {
    const { path, base, commit, git, write, said } = openRepository(usual);
    commit({ '.gitattributes': '* text eol=crlf\n' });
    git(path, 'rm', '-q', '--cached', '-r', '.');
    git(path, 'reset', '-q', '--hard');
    expect(readFileSync(join(path, 'tenants.csv'), 'utf8')).toContain('\r\n');
    expect(await said(path, base)).toEqual([]);
    commit(changed);
    write(usual);
    expect(await said(path, base)).toEqual([]);
  });

  it('a table in Git LFS is the object that the clone has, or is not compared', async () => {
    const oid = (text: string) => createHash('sha256').update(text).digest('hex');
    const pointer = (text: string) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${oid(text)}\nsize ${text.length}\n`;
    const [then, now] = [table(line), table(line, other)];
    const { path, base, commit, write, said } = openRepository({ ...usual, 'tenants.csv': pointer(then) });
    commit({ 'tenants.csv': pointer(now) });
    write({ 'tenants.csv': now });
    const unread = '1 file of the base branch could not be compared';
    expect(await said(path, base)).toEqual([
      unread,
      'tenants.csv (it is in Git LFS, and the clone does not have it: not compared)',
    ]);
    write({ [`.git/lfs/objects/${oid(then).slice(0, 2)}/${oid(then).slice(2, 4)}/${oid(then)}`]: then });
    expect(await said(path, base)).toEqual([lines, `+ ${other}`]);
  });

  it('a table in UTF-16 is not compared, and that is said', async () => {
    const utf16 = Buffer.from(`\ufeff${table(line)}`, 'utf16le');
    const { path, base, commit, said } = openRepository({ ...usual, 'tenants.csv': utf16 });
    commit({ 'tenants.csv': table(line) });
    expect(await said(path, base)).toEqual([
      '1 file of the base branch could not be compared',
      'tenants.csv (git does not give it as a text in UTF-8: not compared)',
    ]);
  });

  it('a table in a submodule is compared by its commit', async () => {
    const inner = openRepository({ 'tenants.csv': table(line) });
    const shared = { 'almanac.yaml': config().replace('tenants.csv', 'shared/tenants.csv'), 'tenants.csv': undefined };
    const { path, git, commit, said } = openRepository(usual);
    git(path, 'submodule', '--quiet', 'add', `file://${inner.path}`, 'shared');
    const base = commit(shared);
    commit({ 'README.md': 'words' });
    expect(await said(path, base)).toEqual([]);
    inner.commit({ 'tenants.csv': table(line, other) });
    git(join(path, 'shared'), 'pull', '-q', 'origin', 'main');
    const why = 'it is in the submodule `shared`, at another commit there: not compared';
    expect(await said(path, base)).toContain(`shared/tenants.csv (${why})`);
    commit();
    expect(await said(path, base)).toContain(`shared/tenants.csv (${why})`);
  });
});

describe('what differs', () => {
  const environments = (...names: readonly string[]) =>
    `${config()}environments: { ${names.map((name) => `${name}: { state: { path: ${name}.json } }`).join(', ')} }\n`;

  it.each<[string, Files, Files, readonly string[]]>([
    [
      'which variable holds the token',
      usual,
      { 'almanac.yaml': config().replace('full,', 'full, tokenEnv: OMNI_OTHER_TOKEN,') },
      [section('api'), '+ tokenEnv: "OMNI_OTHER_TOKEN"'],
    ],
    [
      'every key of a section, also one that is taken away',
      {
        ...usual,
        'almanac.yaml': `${config(acme, ', shared: [3f9c2b71], ended: pause')}checks: { duplicate-schedule: error }\n`,
      },
      { 'almanac.yaml': `${config()}ignore: [{ name: 'Test *' }]\n` },
      [
        section('safety'),
        '+ rows.ended: "leave"',
        '- rows.shared: "3f9c2b71"',
        '- rows.ended: "pause"',
        section('checks'),
        '- duplicate-schedule: "error"',
        section('ignore'),
        '+ {"name":"Test *"}',
      ],
    ],
    [
      'that an environment need not be named any more',
      { ...usual, 'almanac.yaml': `${config()}environmentRequired: true\n` },
      { 'almanac.yaml': config() },
      [section('environmentRequired'), '+ environmentRequired: false', '- environmentRequired: true'],
    ],
    [
      'where the state is kept',
      usual,
      { 'almanac.yaml': `${config()}state: { backend: git, branch: mine }\n` },
      [
        'The state is not kept where the base branch keeps it',
        'git branch mine of origin (so far `almanac.state.json`)',
      ],
    ],
    [
      'who may see every row, and a line that ended',
      { ...usual, 'tenants.csv': table(line, 'South Oak,c@south.example,2020-01-01') },
      { 'tenants.csv': table(line, '*,audit.example,2099-01-01') },
      [
        '1 more receiver may see every row',
        '+ *,audit.example,2099-01-01',
        '0 lines are new in the table of permissions, and 1 line is gone',
        '- South Oak,c@south.example,2020-01-01',
      ],
    ],
    [
      'an environment and a workspace that come beside it',
      { ...usual, 'almanac.yaml': environments('production'), 'teams/a/almanac.yaml': 'state: { path: a.json }\n' },
      {
        'almanac.yaml': environments('production', 'staging'),
        'teams/a/almanac.yaml': 'state: { path: other.json }\n',
        'teams/b/almanac.yaml': `api: { baseUrl: ${acme} }\n`,
      },
      [
        '3 states are new beside this one: what a neighbour tracks, this workspace leaves alone',
        'the environment staging (`staging.json`)',
        'teams/a (`other.json`)',
        'teams/b (`almanac.state.json`)',
      ],
    ],
    [
      'the limits of a workspace that is new as a whole',
      { 'README.md': 'words' },
      usual,
      [
        section('safety'),
        '+ internalDomains: "acme.com"',
        '+ rows.filters: "region"',
        '+ rows.allow: "tenants.csv"',
        '+ rows.ended: "leave"',
        '2 lines are new in the table of permissions, and 0 lines are gone',
        `+ ${line}`,
        `+ ${other}`,
      ],
    ],
  ])('the reviewer is told %s', async (_, before, after, expected) => {
    const { path, base, commit, said } = openRepository(before);
    commit(after);
    expect(await said(path, base)).toEqual(expected);
    expect(await said(path, 'HEAD')).toEqual([]);
  });

  it('the almanac.yaml of the folder above counts where the nearer one is new', async () => {
    const { path, base, commit, said } = openRepository(usual);
    commit({
      'teams/sales/almanac.yaml': config(evil),
      'teams/sales/tenants.csv': table(line),
      'teams/sales/schedules/none.yaml': '',
    });
    const found = await said(join(path, 'teams/sales'), base);
    expect(found[0]).toBe(server);
    expect(found).toContain('teams/sales/almanac.state.json (so far `almanac.state.json`)');
  });

  it('a plan that is refused shows it first, in every form', async () => {
    const { path, base, commit, run, environment } = openRepository(usual);
    commit({ ...changed, 'tenants.csv': table(line, other, 'X<script>\u202ey,d@north.example,2099-01-01') });
    const pinned = workspaceIn({ path } as never, { ...environment, OMNI_BASE_URL: acme });
    const reports = ['markdown', 'html', 'json', 'text'].map((format) => `--report=${format}=${format}.out`);
    const { code, stdout, stderr } = await pinned.run('plan', '--base', base, ...reports);
    expect([code, stdout]).toEqual([1, '']);
    expect(flat(stderr)).toMatch(/^Look at this first !! The base URL is not that of .* error\[base-url-conflict\]/);
    const read = (format: string) => readFileSync(join(path, `${format}.out`), 'utf8');
    expect(read('markdown')).toContain(`> [!CAUTION]\n> - **${server}`);
    expect(JSON.parse(read('json'))).toMatchObject({
      error: { code: 'invalid-workspace' },
      dangers: [{ title: server }, {}, {}],
    });
    for (const format of ['markdown', 'html', 'text']) {
      expect(read(format)).toContain('rows.ended');
      expect(read(format)).not.toContain('\u202e');
    }
    expect(read('html')).not.toContain('X<script>');
    expect((await run('-C', path, 'plan', '--base', base)).stdout).not.toContain('\u202e');
  });

  it('rows by a line that the commit does not have are grave', async () => {
    const report = (to: string) =>
      `schedules:\n  a: { identifier: 12db1a0a, name: A, schedule: 0 9 * * ? *, timezone: UTC, format: pdf, destinationType: email, subject: A, recipients: [${to}], filterConfig: { region: { values: [North Pine] } } }\n`;
    const { path, base, commit, run } = openRepository(usual);
    commit({
      'tenants.csv': table(line, other, 'North Pine,b@south.example,2099-01-01'),
      'schedules/a.yaml': report('a@north.example, b@south.example'),
    });
    const { stdout } = await run('-C', path, 'plan', '--base', base, '--format', 'json');
    const ofRows = (JSON.parse(stdout).dangers as readonly Danger[]).filter(({ code }) => code === 'new-rows');
    expect(ofRows.map(({ gravity, items }) => [gravity, items.map(({ subject }) => subject)])).toEqual([
      ['grave', ['b@south.example']],
      ['caution', ['a@north.example']],
    ]);
  });

  it('an environment that the commit does not have, and errors on either side, are said to be so', async () => {
    const { path, base, commit, said } = openRepository({ ...usual, 'almanac.yaml': environments('production') });
    const broken = commit({ 'almanac.yaml': `${environments('production', 'staging')}colour: blue\n` });
    expect(await said(path, base, '--env', 'staging')).toEqual([
      'The base branch has no environment called staging, so almanac.yaml and the table of permissions were not compared with the base branch',
    ]);
    expect((await said(path, base, '--env', 'production'))[0]).toContain('This branch has an almanac.yaml with errors');
    commit({ 'almanac.yaml': environments('production', 'staging') });
    expect((await said(path, broken, '--env', 'staging'))[1]).toBe(
      'almanac.yaml (it has errors there: only its other parts count)',
    );
  });
});

it('the file that --config names is compared with itself in the commit, by a path from anywhere', async () => {
  const { 'almanac.yaml': text, ...others } = usual;
  const { path, base, commit, said } = openRepository({ ...others, 'prod.yaml': text });
  commit({ ...others, 'tenants.csv': changed['tenants.csv'], 'prod.yaml': changed['almanac.yaml'] });
  expect(await said(path, base, '--config', 'prod.yaml')).toEqual(all);
  expect(await said(path, base, '--config', join(path, 'prod.yaml'))).toEqual(all);
});
