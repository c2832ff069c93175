// Where a pull request sends the token and keeps the state, compared with its base branch: the two steps of the action, a
// fake of GitHub's API and the program in the process of the test. real-program.test.ts starts the built one.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { baseCommit, openGithub } from '../support/action/fake-github.ts';
import { openRunner } from '../support/action/fake-runner.ts';
import { warmProgram } from '../support/warm-program.ts';

type Files = Readonly<Record<string, string>>;

const acme = 'https://acme.omniapp.co/api';
const evil = 'https://evil.example/api';
const config = (baseUrl: string, rest = '') => `api: { baseUrl: ${baseUrl} }\n${rest}`;
const stateAt = (baseUrl: string) =>
  `${JSON.stringify({
    version: 2,
    lineage: '00000000-0000-4000-8000-000000000000',
    serial: 1,
    toolVersion: '0.1.0',
    baseUrl,
    salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
    resources: {},
    orphans: [],
    unresolved: [],
  })}\n`;

async function compared(base: Files | undefined, head: Files, env: Readonly<Record<string, string>> = {}) {
  const [runner, github] = [
    openRunner({ 'schedules/none.yaml': '', ...head }, { comesWith: warmProgram() }),
    await openGithub(),
  ];
  github.files = base;
  runner.happens({ pull_request: { number: 7, base: { sha: baseCommit } } });
  const read = await runner.run('github/pull-request.mjs', { ...github.env, ...env });
  expect(read.code, read.log).toBe(0);
  const planned = await runner.run('run.mjs', {
    ALMANAC_COMMAND: 'plan',
    ALMANAC_BASE_FOLDER: read.outputs['base'] ?? '',
    ALMANAC_BASE_UNREAD: read.outputs['base-unread'] ?? '',
    ...env,
  });
  const comment = readFileSync(planned.outputs['comment-path'] ?? '', 'utf8');
  return { planned, comment };
}

const inOneLine = (markdown: string) =>
  markdown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

describe('a pull request that takes the token elsewhere', () => {
  const base = { 'almanac.yaml': config(acme), 'almanac.state.json': stateAt(acme) };

  test('is told so before everything else, also where the state moves with it and nothing else changes', async () => {
    const head = { 'almanac.yaml': config(evil), 'almanac.state.json': stateAt(evil) };
    const { planned, comment } = await compared(base, head);
    expect(planned.code, planned.log).toBe(0);
    expect(planned.outputs).toMatchObject({ changes: 'false' });
    const [, first, second, third] = comment.split('\n');
    expect(first).toBe('> [!CAUTION]');
    expect(second).toBe('> - **The base URL is not that of the base branch: the token goes elsewhere**');
    expect(inOneLine(third ?? '')).toContain(`<code>${evil}</code>, so far <code>${acme}</code>`);
    expect(planned.log).toContain('::warning title=Almanac::The base URL is not that of the base branch');
    expect(planned.summary.startsWith('> [!CAUTION]')).toBe(true);
  });

  test('is told so although the plan fails, because the state is still that of the other service', async () => {
    const { planned, comment } = await compared(base, { ...base, 'almanac.yaml': config(evil) });
    expect(planned.outputs).toMatchObject({ exitcode: '1' });
    expect(comment).toContain('The base URL is not that of the base branch');
  });

  test('is told so where the almanac.yaml of the base branch names no base URL', async () => {
    const { comment } = await compared(
      { ...base, 'almanac.yaml': 'sources: ["schedules/*.yaml"]\n' },
      { 'almanac.yaml': config(evil), 'almanac.state.json': stateAt(evil) },
    );
    expect(comment).toContain('The base URL is not that of the base branch');
    expect(inOneLine(comment)).toContain(`<code>${evil}</code>, so far <code>none</code>`);
  });

  test('is told so where a new almanac.yaml hides the one in the folder above', async () => {
    const folder = { 'teams/sales/almanac.yaml': config(evil), 'teams/sales/schedules/none.yaml': '' };
    const { comment } = await compared(base, { ...base, ...folder }, { ALMANAC_WORKING_DIRECTORY: 'teams/sales' });
    expect(comment).toContain('The base URL is not that of the base branch');
    expect(comment).toContain('The state is not kept where the base branch keeps it');
  });
});

test('a pull request that keeps the state elsewhere is told so', async () => {
  const base = {
    'almanac.yaml': config(acme, 'state: { path: "live.state.json" }\n'),
    'live.state.json': stateAt(acme),
  };
  const { comment } = await compared(base, {
    'almanac.yaml': config(acme),
    'almanac.state.json': stateAt(acme),
  });
  expect(comment).not.toContain('The base URL is not');
  expect(inOneLine(comment)).toContain('<code>almanac.state.json</code>, so far <code>live.state.json</code>');
});

describe('a pull request that changes what is refused, reported or left out', () => {
  const title = (section: string) => `The section ${section} of almanac.yaml is not that of the base branch`;
  const inside = 'safety: { internalDomains: [acme.com] }\n';
  const withRest = (rest: string) => ({ 'almanac.yaml': config(acme, rest), 'almanac.state.json': stateAt(acme) });

  test.each([
    [
      'safety',
      inside,
      'safety: { internalDomains: [acme.com, evil.example] }\n',
      'internalDomains: ["acme.com","evil.example"]',
      'internalDomains: ["acme.com"]',
    ],
    ['safety', '', 'safety: { maxDeletePercent: 100 }\n', 'maxDeletePercent: 100', 'none'],
    ['safety', inside, '', 'none', 'internalDomains: ["acme.com"]'],
    [
      'ignore',
      "ignore: [{ name: 'Test *' }]\n",
      "ignore: [{ name: 'Test *' }, { name: '*' }]\n",
      '{"name":"*"}',
      'none',
    ],
    ['checks', '', 'checks: { duplicate-schedule: off }\n', 'duplicate-schedule: "off"', 'none'],
  ])('the reviewer is told of %s with the old and the new', async (section, before, after, now, soFar) => {
    const { planned, comment } = await compared(withRest(before), withRest(after));
    const [, first, second, third, fourth] = comment.split('\n');
    expect(first).toBe('> [!CAUTION]');
    expect(second).toBe(`> - **${title(section)}**`);
    expect(inOneLine(third ?? '')).toContain(`<code>${now}</code>, so far <code>${soFar}</code>`);
    expect(fourth).toBe('');
    expect(planned.log).toContain(`::warning title=Almanac::${title(section)}`);
  });

  test('the reviewer is told of each section, and only that a long one differs', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `{ name: Test ${index} }`);
    const { comment } = await compared(withRest(''), withRest(`${inside}ignore: [${names.join(', ')}]\n`));
    expect(comment).toContain(title('safety'));
    expect(comment).toContain(`> - **${title('ignore')}**\n\n`);
    expect(comment).not.toContain(title('checks'));
  });

  test('the reviewer is told also where the base branch has a state and no almanac.yaml', async () => {
    const { comment } = await compared(
      { 'almanac.state.json': stateAt(acme) },
      withRest('safety: { allowOrphans: true }\n'),
    );
    expect(comment).toContain(title('safety'));
  });

  test('the reviewer is told also where almanac.yaml is removed', async () => {
    const { comment } = await compared(withRest(inside), { 'almanac.state.json': stateAt(acme) });
    expect(comment).toContain(title('safety'));
  });
});

describe('nothing is said', () => {
  const same = { 'almanac.yaml': config(acme), 'almanac.state.json': stateAt(acme) };
  const spelled = (rest: string) => ({ ...same, 'almanac.yaml': config(acme, rest) });
  test.each<[string, Files, Files]>([
    ['of a base branch that agrees', same, same],
    ['of a default that is written out', same, spelled('safety: { maxDeletePercent: 30 }\nignore: []\nchecks: {}\n')],
    [
      'of another spelling',
      spelled('safety: { internalDomains: [Acme.com] }\n'),
      spelled('# ours\nsafety:\n  internalDomains:\n    - acme.com\n'),
    ],
    ['of the first pull request, which brings the workspace', {}, { 'almanac.yaml': config(acme) }],
  ])('%s', async (_, base, head) => {
    const { planned, comment } = await compared(base, head);
    expect(planned.log).not.toContain('::warning title=Almanac::');
    expect(comment).not.toContain('[!CAUTION]');
  });
});

describe('a pull request in a repository whose state is shared', () => {
  const shared = (branch = 'almanac-state') => ({
    'almanac.yaml': config(acme, `state: { backend: git, branch: ${branch} }\n`),
  });
  const local = { 'almanac.yaml': config(acme) };
  const title = 'The state is not kept where the base branch keeps it';

  test.each([
    ['to another branch', shared(), shared('mine'), 'git branch mine of origin', 'git branch almanac-state of origin'],
    ['to a file', shared(), local, 'almanac.state.json', 'git branch almanac-state of origin'],
    ['from a file', local, shared(), 'git branch almanac-state of origin', 'almanac.state.json'],
    [
      'to a file that has the name of the branch',
      shared(),
      { 'almanac.yaml': config(acme, 'state: { path: git branch almanac-state of origin }\n') },
      'git branch almanac-state of origin',
      'git branch almanac-state of origin',
    ],
  ])(
    'that moves the state %s is told so, also where the job pins another place',
    async (_, base, head, now, before) => {
      const pin = { ALMANAC_STATE_PLACE: 'git branch almanac-state of origin' };
      const { comment } = await compared(base, head, pin);
      expect(comment).toContain(title);
      expect(inOneLine(comment)).toContain(`<code>${now}</code>, so far <code>${before}</code>`);
    },
  );
});

test('a base branch that cannot be read is said to be one', async () => {
  const { planned, comment } = await compared(undefined, { 'almanac.yaml': config(acme) });
  expect(planned.code, planned.log).toBe(0);
  expect(comment).toContain('The base branch could not be read');
});
