// The two steps that compare a pull request with its base branch: one has the token and fetches the commit, the other plans
// and compares. With real git in a clone of depth 1, and the program in the process of the test.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { almanac, openRunner } from '../support/action/fake-runner.ts';
import { type Files, openRepository } from '../support/action/repository.ts';

const acme = 'https://acme.omniapp.co/api';
const evil = 'https://evil.example/api';
const config = (baseUrl: string, rest = '') => ({ 'almanac.yaml': `api: { baseUrl: ${baseUrl} }\n${rest}` });
const stateAt = (baseUrl: string) => ({
  'almanac.state.json': `${JSON.stringify({
    version: 2,
    lineage: '00000000-0000-4000-8000-000000000000',
    serial: 1,
    toolVersion: '0.1.0',
    baseUrl,
    salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
    resources: {},
    orphans: [],
    unresolved: [],
  })}\n`,
});
const withRest = (rest: string) => ({ ...config(acme, rest), ...stateAt(acme) });
const base = withRest('');
const rows = 'safety: { internalDomains: [acme.com], rows: { filters: [region], allow: tenants.csv } }\n';
const withTable = (...lines: readonly string[]): Files => ({
  ...withRest(rows),
  'tenants.csv': ['shows,receiver', ...lines, ''].join('\n'),
});

interface Wanted {
  readonly env?: Readonly<Record<string, string>>;
  /** The base commit cannot be fetched. */
  readonly isGone?: boolean;
}

/** `comment` is without its first line. */
async function compared(before: Files, after: Files, { env = {}, isGone = false }: Wanted = {}) {
  const runner = openRunner({}, { almanac, git: runGit });
  const github = await openGithub();
  const repository = openRepository({ 'schedules/none.yaml': '', ...before });
  const first = repository.commit({});
  const removed = Object.keys(before).filter((path) => !Object.hasOwn(after, path));
  const changed = { ...Object.fromEntries(removed.map((path) => [path, undefined])), ...after };
  const head = repository.commit(changed, { branch: 'topic' });
  repository.mergeRef('topic', 7);
  repository.checkOut(runner, { ref: 'refs/pull/7/merge', depth: 1 });
  github.repository = repository;
  runner.happens({ pull_request: { number: 7, head: { sha: head }, base: { ref: 'main', sha: first } } });
  if (isGone) runGit(['remote', 'set-url', 'origin', 'file:///nowhere'], { cwd: runner.path, env: {} });
  const read = await runner.run('pull', { ...github.env, ...env });
  expect(read.code, read.log).toBe(0);
  const planned = await runner.run('run', {
    ALMANAC_COMMAND: 'plan',
    ALMANAC_BASE_COMMIT: read.outputs['base-commit'] ?? '',
    ALMANAC_BASE_UNREAD: read.outputs['base-unread'] ?? '',
    ...env,
  });
  const comment = readFileSync(planned.outputs['comment-path'] ?? '', 'utf8');
  return { planned, comment: comment.slice(comment.indexOf('\n') + 1) };
}

const server = 'The base URL is not that of the base branch: the token goes to a different server';
const section = (name: string) => `The section ${name} of almanac.yaml is not that of the base branch`;

test.each<[string, Files, Files, readonly string[], Wanted?]>([
  [
    'takes the token elsewhere, and the state with it',
    base,
    { ...config(evil), ...stateAt(evil) },
    [`**${server}**`, `\`${evil}\` (so far \`${acme}\`)`],
  ],
  [
    'takes the token elsewhere, so that the plan fails',
    base,
    { ...config(evil), ...stateAt(acme) },
    [`**${server}**`, `\`${evil}\` (so far \`${acme}\`)`],
  ],
  [
    'names another server than the job',
    base,
    { ...config(evil), ...stateAt(evil) },
    [`**${server}**`, `\`${evil}\` (so far \`${acme}\`)`],
    { env: { OMNI_BASE_URL: acme } },
  ],
  [
    'keeps the state in a branch',
    base,
    config(acme, 'state: { backend: git, branch: mine }\n'),
    ['**The state is not kept where the base branch keeps it**', '`git branch mine of origin`'],
    { env: { ALMANAC_STATE_PLACE: 'git branch almanac-state of origin' } },
  ],
  [
    'takes a setting of safety.rows away',
    { ...withTable(), ...withRest(rows.replace('csv }', 'csv, ended: pause }')) },
    withTable(),
    [`**${section('safety')}**`, '`- rows.ended: "pause"`'],
  ],
  ['ignores more', base, withRest("ignore: [{ name: '*' }]\n"), [`**${section('ignore')}**`]],
  [
    'adds a line to the table of permissions, with a sign that nobody sees',
    withTable('North Pine,a@north.example'),
    withTable('North Pine,a@north.example', 'South\u202e Oak,<b>@south.example'),
    ['**1 line is new in the table of permissions, and 0 lines are gone**', '`+ South\\u202e Oak,<b>@south.example`'],
  ],
  [
    'brings an almanac.yaml that hides the one in the folder above',
    base,
    { ...base, 'teams/sales/almanac.yaml': config(evil)['almanac.yaml'], 'teams/sales/schedules/none.yaml': '' },
    [`**${server}**`, '**The state is not kept where the base branch keeps it**'],
    { env: { ALMANAC_WORKING_DIRECTORY: 'teams/sales' } },
  ],
  [
    'contains a commit of the base branch that cannot be fetched',
    base,
    base,
    ['**The base branch could not be read, so almanac.yaml'],
    { isGone: true },
  ],
])('the reviewer is told before the plan of a pull request that %s', async (_, before, after, expected, wanted) => {
  const { planned, comment } = await compared(before, after, wanted);
  const caution = comment.slice(
    comment.indexOf('> [!CAUTION]'),
    comment.indexOf('\n\n', comment.indexOf('> [!CAUTION]')),
  );
  for (const words of expected) expect(caution).toContain(words);
  expect(comment.indexOf('> [!CAUTION]')).toBeLessThan(comment.search(/### Changes|## almanac plan failed|$/));
  const [, title = ''] = /\*\*(.*?)(?:, so almanac.*|\*\*|$)/.exec(expected[0] ?? '') ?? [];
  expect(planned.log).toContain(`::warning title=Almanac::${title}`);
  expect(planned.log + comment).not.toContain('\u202e');
});

test.each<[string, Files, Files]>([
  ['a base branch that agrees', base, base],
  ['a default that is written out', base, withRest('safety: { maxDeletePercent: 30 }\nignore: []\nchecks: {}\n')],
  [
    'another spelling',
    withRest('safety: { internalDomains: [Acme.com] }\n'),
    withRest('# ours\nsafety:\n  internalDomains:\n    - acme.com\n'),
  ],
  ['the first pull request, which brings the workspace', {}, config(acme)],
])('nothing is said of %s', async (_, before, after) => {
  const { planned, comment } = await compared(before, after);
  expect(planned.code, planned.log).toBe(0);
  expect(planned.log).not.toContain('::warning title=Almanac::');
  expect(comment).toContain('**Almanac plan: no changes**');
});
