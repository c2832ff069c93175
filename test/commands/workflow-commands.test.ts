// In GitHub Actions the runner obeys what looks like a command in a log. What a command of almanac prints for people is
// made harmless whatever the words of the command line are; a document for programs leaves byte for byte.

import { describe, expect, it } from 'vitest';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const obeyed = /^[^\S\n]*::[a-z]|##\[/m;
const inActions = { GITHUB_ACTIONS: 'true', OMNI_BASE_URL: 'https://acme.omniapp.co' };

const hostile = {
  identifier: '12db1a0a',
  name: '##[error]Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Weekly',
  textBody: 'Good morning\n::stop-commands::pwned\n',
};

const at = '2026-02-01T00:00:00.000Z';
const state = {
  version: 2,
  lineage: 'f4e6c1a2-7d0b-4c63-9a51-0c9a3f0f6d11',
  serial: 1,
  toolVersion: '0.1.0',
  baseUrl: 'https://acme.omniapp.co/api',
  salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
  resources: {
    'schedules.weekly': {
      id: 'abfe62db-0d47-4a31-bf80-1f0621b90d8f',
      attributes: hostile,
      createdAt: at,
      updatedAt: at,
    },
  },
  orphans: [],
  unresolved: [],
};

/** Commands whose own output is for programs, so that a word such as theirs says nothing of what another prints. */
const words = ['schema', 'pull', 'verify', 'listen', 'emulator', 'completion'];

const named = (key: string) => [key, { ...hostile, name: `##[error]${key}` }];

function workspaceAt(folder: string, environment: Readonly<Record<string, string>> = inActions): Workspace {
  const files = {
    [`${folder}/almanac.yaml`]: { environments: Object.fromEntries(words.map((word) => [word, {}])) },
    [`${folder}/schedules/all.yaml`]: { schedules: Object.fromEntries([...words, 'weekly'].map(named)) },
  };
  return workspaceIn(makeFolder(files), environment);
}

describe.each(words)('in GitHub Actions, the word %s on the command line', (word) => {
  it.each([
    ['a folder', ['-C', word, 'plan']],
    ['an environment', ['-C', word, '--env', word, 'plan']],
    ['a target', ['-C', word, 'plan', '--target', `schedules.${word}`]],
    ['a state file', ['-C', word, '--state', word, 'plan']],
  ])(`the word ${word} as %s leaves a plan in GitHub Actions harmless`, async (_, argv) => {
    const { stdout, stderr, code } = await workspaceAt(word).run(...argv);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('stop-commands');
    expect(`${stdout}${stderr}`).not.toMatch(obeyed);
  });

  it(`the word ${word} as a plan file leaves the output of show in GitHub Actions harmless`, async () => {
    const { run } = workspaceAt('.');
    expect(await run('plan', '--out', word)).toMatchObject({ code: 0 });
    const { stdout, code } = await run('show', word);
    expect(code).toBe(0);
    expect(stdout).toContain('stop-commands');
    expect(stdout).not.toMatch(obeyed);
  });
});

describe('in GitHub Actions, a document for programs leaves byte for byte', () => {
  it.each([
    ['schema', ['schema', 'plan']],
    ['completion', ['completion', 'bash']],
    ['state pull', ['state', 'pull']],
    ['state show as JSON', ['state', 'show', '--format', 'json']],
    ['plan as JSON', ['plan', '--format', 'json']],
    ['plan as Markdown', ['plan', '--format=markdown']],
    ['plan as HTML', ['plan', '--format', 'html']],
    ['validate as annotations', ['validate', '--format', 'github']],
    ['next as a calendar', ['next', '--format', 'ics']],
    ['an error as JSON', ['next', 'schedules.::warning::x', '--format', 'json']],
  ])('a document for programs is printed unchanged in GitHub Actions by %s', async (_, argv) => {
    const outside = workspaceAt('.', { OMNI_BASE_URL: 'https://acme.omniapp.co' });
    outside.write({ 'almanac.state.json': state });
    const { stdout, stderr } = await workspaceIn(outside, inActions).run(...argv);
    expect(stdout, stderr).not.toBe('');
    expect(stdout).toBe((await outside.run(...argv)).stdout);
  });
});
