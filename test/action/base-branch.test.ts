// What a pull request changes of where the token goes, where the state is kept, and what is refused, reported or left out,
// compared with its base branch: the two steps of the action, a fake of GitHub's API and the program in the process of the
// test.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { baseCommit, openGithub } from '../support/action/fake-github.ts';
import { almanac, openRunner } from '../support/action/fake-runner.ts';

type Files = Readonly<Record<string, string>>;

const acme = 'https://acme.omniapp.co/api';
const evil = 'https://evil.example/api';
const config = (baseUrl: string, rest = '') => ({ 'almanac.yaml': `api: { baseUrl: ${baseUrl} }\n${rest}` });
const stateAt = (baseUrl: string) => ({
  'almanac.state.json': `${JSON.stringify({
    version: 1,
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
  const runner = openRunner({ 'schedules/none.yaml': '', ...after }, { almanac });
  const github = await openGithub();
  github.files = before;
  runner.happens({ pull_request: { number: 7, base: { sha: baseCommit } } });
  const read = await runner.run('steps/pull.mjs', { ...github.env, ...env });
  expect(read.code, read.log).toBe(0);
  const planned = await runner.run('steps/run.mjs', {
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

const elsewhere = '- **The base URL is not that of the base branch: the token goes elsewhere**';
const moved = '- **The state is not kept where the base branch keeps it**';
const section = (name: string) => `- **The section ${name} of almanac.yaml is not that of the base branch**`;
const changed = (now: string, soFar: string) => `  - <code>${now}</code>, so far <code>${soFar}</code>`;
const toEvil = [elsewhere, changed(evil, acme)];
const shared = (branch = 'almanac-state') => config(acme, `state: { backend: git, branch: ${branch} }\n`);
const pin = 'git branch almanac-state of origin';
const inside = 'safety: { internalDomains: [acme.com] }\n';
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

test('a base branch that cannot be read is said to be one', async () => {
  const { planned, said } = await compared(undefined, config(acme));
  expect(planned.code, planned.log).toBe(0);
  expect(said).toEqual([expect.stringContaining('The base branch could not be read')]);
});
