// Output that a CI runner would obey as a command in a log. GitHub Actions and Azure DevOps have such commands. Output
// for people is made harmless whatever the command line says; a document for programs stays byte for byte.

import { describe, expect, it } from 'vitest';
import { stateOf } from '../support/plan/planning.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const obeyed = /^[^\S\n]*::[a-z]|##(?:vso)?\[/m;
const inAzure = { TF_BUILD: 'True', OMNI_BASE_URL: 'https://acme.omniapp.co' };
const inActions = { GITHUB_ACTIONS: 'true', OMNI_BASE_URL: 'https://acme.omniapp.co' };

const hostile = mail({
  name: '##[error]Weekly',
  textBody:
    'Good morning\n::stop-commands::pwned\n\u2003::add-mask::x\n##[group]y ##vso[task.setvariable variable=x]y\n',
});
const state = stateOf({ 'schedules.weekly': { id: 'abfe62db-0d47-4a31-bf80-1f0621b90d8f', attributes: hostile } });

function workspaceAt(environment: Readonly<Record<string, string>> = inActions): Workspace {
  return workspaceIn(
    makeFolder({ 'almanac.yaml': {}, 'schedules/all.yaml': { schedules: { weekly: hostile } } }),
    environment,
  );
}

it.each([
  ['a plan', ['plan']],
  ['a plan as Markdown', ['plan', '--format=markdown']],
  ['a plan as JSON', ['plan', '--format=json']],
  ['a saved plan', ['show', 'saved.plan']],
  ['the next runs', ['next']],
  ['the state', ['state', 'show', 'schedules.weekly']],
  ['the resolved declarations', ['show', '--resolved']],
])('%s is harmless in GitHub Actions and in Azure DevOps', async (_, argv) => {
  for (const where of [inActions, inAzure]) await expectHarmless(argv, workspaceAt(where));
});

async function expectHarmless(argv: readonly string[], workspace: Workspace) {
  await workspace.run('plan', '--out', 'saved.plan');
  if (argv[0] === 'state') workspace.write({ 'almanac.state.json': state });
  const { stdout, stderr, code } = await workspace.run(...argv);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain(argv[0] === 'next' ? 'schedules.weekly' : 'stop-commands');
  expect(`${stdout}${stderr}`).not.toMatch(obeyed);
}

it.each(['text', 'markdown'])('a report as %s in a file is harmless for the job that prints it', async (format) => {
  const workspace = workspaceAt({ OMNI_BASE_URL: 'https://acme.omniapp.co' });
  const { code, stderr } = await workspace.run('plan', '--report', `${format}=plan.out`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(workspace.read('plan.out')).toContain('stop-commands');
  expect(workspace.read('plan.out')).not.toMatch(obeyed);
});

describe('in GitHub Actions, a document for programs leaves byte for byte', () => {
  it.each([
    ['schema', ['schema', 'plan']],
    ['completion', ['completion', 'bash']],
    ['state pull', ['state', 'pull']],
    ['state show as JSON', ['state', 'show', '--format', 'json']],
    ['plan as JSON', ['plan', '--format', 'json']],
    ['plan as HTML', ['plan', '--format', 'html']],
    ['validate as annotations', ['validate', '--format', 'github']],
    ['next as JSON', ['next', '--format', 'json']],
    ['an error as JSON', ['next', 'schedules.::warning::x', '--format', 'json']],
  ])('a document for programs is printed unchanged in GitHub Actions by %s', async (_, argv) => {
    const outside = workspaceAt({ OMNI_BASE_URL: 'https://acme.omniapp.co' });
    outside.write({ 'almanac.state.json': state });
    const { stdout, stderr } = await workspaceIn(outside, inActions).run(...argv);
    expect(stdout, stderr).not.toBe('');
    expect(stdout).toBe((await outside.run(...argv)).stdout);
  });
});
