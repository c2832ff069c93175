// The two steps that compare a pull request with its base branch. Compared are where the token goes, where the state is
// kept, and what is refused, reported or left out. Against a fake of GitHub's API, with the program in the process of
// the test.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { baseCommit, openGithub } from '../support/action/fake-github.ts';
import { almanac, checkedOut, headCommit, openRunner } from '../support/action/fake-runner.ts';

type Files = Readonly<Record<string, string>>;

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

/** `said` are the differences that the comment begins with; undefined where it says nothing of the base branch. */
async function compared(before: Files | undefined, after: Files, env: Readonly<Record<string, string>> = {}) {
  const merge = checkedOut('d'.repeat(40), baseCommit, headCommit);
  const runner = openRunner({ 'schedules/none.yaml': '', ...after }, { almanac, git: merge });
  const github = await openGithub();
  github.files = before;
  runner.happens({ pull_request: { number: 7, head: { sha: headCommit }, base: { ref: 'main', sha: baseCommit } } });
  const read = await runner.run('pull', { ...github.env, ...env });
  expect(read.code, read.log).toBe(0);
  const planned = await runner.run('run', {
    ALMANAC_COMMAND: 'plan',
    ALMANAC_BASE_FOLDER: read.outputs['base'] ?? '',
    ALMANAC_BASE_UNREAD: read.outputs['base-unread'] ?? '',
    ...env,
  });
  const comment = readFileSync(planned.outputs['comment-path'] ?? '', 'utf8');
  const [, caution] = /^.*\n> \[!CAUTION\]\n((?:> .*\n)+)\n/.exec(comment) ?? [];
  const said = caution?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return { planned, said: said?.replaceAll('> ', '').trim().split('\n') };
}

const elsewhere = '- **The base URL is not that of the base branch: the token goes to a different server**';
const moved = '- **The state is not kept where the base branch keeps it**';
const section = (name: string) => `- **The section ${name} of almanac.yaml is not that of the base branch**`;
const changed = (now: string, soFar: string) => `  - <code>${now}</code>, so far <code>${soFar}</code>`;
const toEvil = [elsewhere, changed(evil, acme)];
const shared = (branch = 'almanac-state') => config(acme, `state: { backend: git, branch: ${branch} }\n`);
const pin = 'git branch almanac-state of origin';
const inside = 'safety: { internalDomains: [acme.com] }\n';
const rows = (more: string) => `safety: { internalDomains: [acme.com], rows: { filters: [region], ${more} } }\n`;
const withTable = (...lines: readonly string[]): Files => ({
  ...withRest(rows('allow: tenants.csv')),
  'tenants.csv': ['shows,receiver', ...lines, ''].join('\n'),
});
const names = Array.from({ length: 20 }, (_, index) => `{ name: Test ${index} }`);

test.each<[string, Files, Files, readonly string[]]>([
  ['takes the token elsewhere, and the state with it', base, { ...config(evil), ...stateAt(evil) }, toEvil],
  ['takes the token elsewhere, so that the plan fails', base, { ...config(evil), ...stateAt(acme) }, toEvil],
  [
    'takes the token elsewhere from a base branch that names no base URL',
    { ...stateAt(acme), 'almanac.yaml': 'sources: ["schedules/*.yaml"]\n' },
    { ...config(evil), ...stateAt(evil) },
    [elsewhere, changed(evil, 'none')],
  ],
  [
    'keeps the state in another file',
    { ...config(acme, 'state: { path: "live.state.json" }\n'), 'live.state.json': stateAt(acme)['almanac.state.json'] },
    base,
    [moved, changed('almanac.state.json', 'live.state.json')],
  ],
  ['keeps the state in another branch', shared(), shared('mine'), [moved, changed('git branch mine of origin', pin)]],
  ['keeps the state in a file', shared(), config(acme), [moved, changed('almanac.state.json', pin)]],
  ['keeps the state in a branch', config(acme), shared(), [moved, changed(pin, 'almanac.state.json')]],
  [
    'keeps the state in a file that has the name of the branch',
    shared(),
    config(acme, `state: { path: ${pin} }\n`),
    [moved, changed(pin, pin)],
  ],
  [
    'adds a domain that is safe',
    withRest(inside),
    withRest('safety: { internalDomains: [acme.com, evil.example] }\n'),
    [section('safety'), changed('internalDomains: ["acme.com","evil.example"]', 'internalDomains: ["acme.com"]')],
  ],
  [
    'raises a limit',
    base,
    withRest('safety: { maxDeletePercent: 100 }\n'),
    [section('safety'), changed('maxDeletePercent: 100', 'none')],
  ],
  ['removes a section', withRest(inside), base, [section('safety'), changed('none', 'internalDomains: ["acme.com"]')]],
  [
    'ignores more',
    withRest("ignore: [{ name: 'Test *' }]\n"),
    withRest("ignore: [{ name: 'Test *' }, { name: '*' }]\n"),
    [section('ignore'), changed('{"name":"*"}', 'none')],
  ],
  [
    'turns a check off',
    base,
    withRest('checks: { duplicate-schedule: off }\n'),
    [section('checks'), changed('duplicate-schedule: "off"', 'none')],
  ],
  [
    'relaxes who may receive',
    withRest(`${inside}checks: { recipient-not-inside: error }\n`),
    withRest('safety: { internalDomains: [acme.com, evil.example] }\nchecks: { recipient-not-inside: warning }\n'),
    [
      section('safety'),
      changed('internalDomains: ["acme.com","evil.example"]', 'internalDomains: ["acme.com"]'),
      section('checks'),
      changed('recipient-not-inside: "warning"', 'recipient-not-inside: "error"'),
    ],
  ],
  [
    'changes two sections, one of them by more than fits',
    base,
    withRest(`${inside}ignore: [${names.join(', ')}]\n`),
    [section('safety'), changed('internalDomains: ["acme.com"]', 'none'), section('ignore')],
  ],
  [
    'adds a line to the table of permissions, and removes one',
    withTable('North Pine,a@north.example', 'South Oak,b@south.example'),
    withTable('North Pine,a@north.example', 'North Pine,b@south.example'),
    [
      '- **1 line is new in the table of permissions, and 1 line is gone**',
      changed('North Pine,b@south.example', 'South Oak,b@south.example'),
    ],
  ],
  [
    'lets somebody see every row, shares a dashboard, and keeps the table elsewhere',
    withTable('North Pine,a@north.example'),
    {
      ...withRest(rows('allow: other/tenants.csv, shared: [3f9c2b71]')),
      'other/tenants.csv': 'shows,receiver\nNorth Pine,a@north.example\n*,b@south.example\n',
    },
    [
      '- **The table of permissions is not that of the base branch**',
      changed('other/tenants.csv', 'tenants.csv'),
      '- **The rows of more dashboards or tiles belong to nobody**',
      changed('3f9c2b71', 'none'),
      '- **1 more receiver may see every row**',
      changed('*,b@south.example', 'none'),
    ],
  ],
  [
    'divides the rows by another filter, where the base branch has lost its table',
    withRest(rows('allow: tenants.csv')),
    { ...withTable('North Pine,a@north.example'), ...withRest(rows('allow: tenants.csv').replace('region', 'status')) },
    [
      '- **The table of permissions of the base branch could not be read, so it was not compared**',
      section('safety'),
      changed('rows: {"filters":["status"]}', 'rows: {"filters":["region"]}'),
    ],
  ],
  [
    'brings almanac.yaml to a state',
    stateAt(acme),
    withRest('safety: { allowOrphans: true }\n'),
    [section('safety'), changed('allowOrphans: true', 'none')],
  ],
])('the reviewer is told before everything else of a pull request that %s', async (_, before, after, expected) => {
  // The job may pin another place than either branch.
  const { planned, said } = await compared(before, after, { ALMANAC_STATE_PLACE: pin });
  expect(said).toEqual(expected);
  expect(planned.log).toContain(`::warning title=Almanac::${expected[0]?.replaceAll(/^- |\*\*/g, '')}`);
  expect(planned.summary.startsWith('> [!CAUTION]')).toBe(true);
});

const many = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
const known = ['North Pine,northpine.example', 'South Oak,southoak.example'];
const foldsOf = ({ summary }: { readonly summary: string }) =>
  [...summary.matchAll(/<details><summary>(.*?)<\/summary>\n\n```text\n([\s\S]*?)\n```/g)].map(
    ([, title, text = '']) => [title, text.split('\n')],
  );

test('every new line of the table of permissions is named, and first whoever has one for another value', async () => {
  const honest = many(12, (n) => `Customer ${n},customer${n}.example`);
  const slip = 'South Oak,mallory@northpine.example';
  const { planned, said } = await compared(withTable(...known), withTable(...known, ...honest, slip));
  const title = '13 lines are new in the table of permissions, and 0 lines are gone';
  expect(said).toEqual([`- **${title}**`]);
  expect(foldsOf(planned).slice(0, 1)).toEqual([[title, [`+ ${slip}`, ...honest.map((line) => `+ ${line}`)]]]);
  expect(planned.log).toContain('mallory');
});

test('lines that allow every row are counted in their title and named', async () => {
  const open = many(16, (n) => `*,auditor${n}@audit.example`);
  const { planned } = await compared(withTable(...known), withTable(...known, ...open));
  expect(foldsOf(planned).slice(0, 1)).toEqual([
    ['16 more receivers may see every row', open.map((line) => `+ ${line}`)],
  ]);
});

test('lines that do not fit are counted, and a sign that nobody sees is written out', async () => {
  const lines = many(3000, (n) => `Customer ${n},c${n}.example`);
  const { planned } = await compared(
    withTable(...known),
    withTable(...known, 'South\u200b Oak,northpine.example', ...lines),
  );
  const [[title, shown = []] = []] = foldsOf(planned) as [string, string[]][];
  expect(title).toContain('3001 lines are new');
  expect(shown[0]).toBe('+ South\\u{200b} Oak,northpine.example');
  expect(shown.at(-1)).toBe(`and ${3001 - (shown.length - 1)} more: read the table`);
  expect(planned.summary.length).toBeLessThan(40_000);
});

test('the reviewer is told of a new almanac.yaml that hides the one in the folder above', async () => {
  const folder = { 'teams/sales/almanac.yaml': config(evil)['almanac.yaml'], 'teams/sales/schedules/none.yaml': '' };
  const { said } = await compared(base, { ...base, ...folder }, { ALMANAC_WORKING_DIRECTORY: 'teams/sales' });
  expect(said).toEqual(expect.arrayContaining([elsewhere, moved]));
});

test('the reviewer is told of a section whose almanac.yaml is removed', async () => {
  expect((await compared(withRest(inside), stateAt(acme))).said).toContain(section('safety'));
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
  const { planned, said } = await compared(before, after);
  expect(planned.log).not.toContain('::warning title=Almanac::');
  expect(said).toBeUndefined();
});

test('a base branch without the environment of the job is said to be one, and not to be unreadable', async () => {
  const environments = (...names: readonly string[]) =>
    withRest(`environments:\n${names.map((name) => `  ${name}: { state: { path: ${name}.json } }\n`).join('')}`);
  const { said } = await compared(environments('production'), environments('production', 'staging'), {
    ALMANAC_ENVIRONMENT: 'staging',
  });
  expect(said).toEqual([expect.stringContaining('The base branch has no environment called staging, so')]);
});

test('a branch whose own almanac.yaml has errors is not taken for a base branch that has some', async () => {
  const { said } = await compared(base, withRest('colour: blue\n'));
  expect(said).toEqual([expect.stringContaining('This branch has an almanac.yaml with errors')]);
});

test('a base branch that cannot be read is said to be one', async () => {
  const { planned, said } = await compared(undefined, config(acme));
  expect(planned.code, planned.log).toBe(0);
  expect(said).toEqual([expect.stringContaining('The base branch could not be read')]);
});

const report = (to: string): Files => ({
  'schedules/a.yaml': `schedules:\n  a: { identifier: 12db1a0a, name: A, schedule: 0 9 * * ? *, timezone: UTC, format: pdf, destinationType: email, subject: A, recipients: [${to}], filterConfig: { region: { values: [North Pine] } } }\n`,
});
const [line, other] = ['North Pine,a@north.example', 'North Pine,b@north.example'];
const both = report('a@north.example, b@north.example');

test.each<[string, Files, Files, readonly string[] | undefined, RegExp | undefined]>([
  ['adds only the line', withTable(line), withTable(line, other), ['1 line is new'], undefined],
  [
    'uses the line of an earlier one',
    withTable(line, other),
    withTable(line, other),
    undefined,
    /2 receivers get rows that no report showed them before/,
  ],
  [
    'adds the line and uses it',
    withTable(line),
    withTable(line, other),
    ['1 line is new'],
    /1 receiver gets rows by a line that the base branch does not have\*\*\n> {3}- `b@north\.example` \(gets `North Pine`, in `schedules\.a`\)/,
  ],
])('the comment on a pull request that %s says so', async (_, before, after, differences, danger) => {
  const { planned, said = [] } = await compared(before, { ...after, ...(danger === undefined ? {} : both) });
  const comment = readFileSync(planned.outputs['comment-path'] ?? '', 'utf8');
  expect(said.length > 0).toBe(differences !== undefined);
  for (const words of differences ?? []) expect(said[0]).toContain(words);
  if (danger !== undefined) expect(comment).toMatch(danger);
  else expect(comment).toContain('no changes');
});
