// Every report says which service gets the token. The threat: whoever can change the files of a repository could send
// the token, or another secret of the job, to any service. The name of the variable follows a pattern.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { World } from '../../src/commands/base/world.ts';
import { ciFiles } from '../../src/commands/init/scaffold/ci-files.ts';
import { startFull } from '../support/emulator/start-emulator.ts';
import { inOneLine, mail } from '../support/vocabulary.ts';
import { type Environment, makeFolder, workspaceIn } from '../support/workspace.ts';

const baseUrl = 'https://acme.omniapp.co/api';
const openWorkspace = (
  given: Readonly<Record<string, unknown>>,
  environment: Environment = {},
  extra: Partial<World> = {},
) => workspaceIn(makeFolder(given), environment, extra);
const files = (almanac: object) => ({ 'almanac.yaml': almanac, 'schedules/none.yaml': '' });

describe('the variable of the token', () => {
  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'STATE_PUSH_TOKEN',
    'ALMANAC_STATE_KEY',
    'SFTP_PASSWORD',
    'PATH',
  ])('the variable of the token cannot be %s, so no request carries that secret', async (tokenEnv) => {
    const workspace = openWorkspace(files({ api: { baseUrl, tokenEnv } }), { [tokenEnv]: 'a secret of the job' });
    const { code, stdout } = await workspace.run('validate');
    expect(code).toBe(1);
    expect(stdout).toContain(`\`${tokenEnv}\` is not valid for \`api.tokenEnv\`.`);
    expect(await workspace.run('plan', '--online')).toMatchObject({ code: 1 });
  });

  test.each(['OMNI_API_TOKEN', 'OMNI_STAGING_TOKEN', 'ALMANAC_EU_KEY'])(
    'the variable of the token can be %s',
    async (tokenEnv) => {
      const workspace = openWorkspace(files({ api: { baseUrl, tokenEnv } }));
      expect(await workspace.run('validate')).toMatchObject({ code: 0 });
    },
  );
});

describe('the service that a plan is for', () => {
  test.each(['text', 'markdown', 'html'])(
    'the service of a plan is named in %s even when nothing changes',
    async (format) => {
      const workspace = openWorkspace(files({ api: { baseUrl } }));
      expect((await workspace.run('plan', '--format', format)).stdout).toContain(baseUrl);
    },
  );

  test('a service is refused when OMNI_BASE_URL, which the job pins, names another one', async () => {
    const workspace = openWorkspace(files({ api: { baseUrl: 'https://evil.example/api' } }), {
      OMNI_BASE_URL: baseUrl,
    });
    const { code, stderr } = await workspace.run('plan', '--refresh');
    expect(code).toBe(1);
    expect(stderr).toContain('base-url-conflict');
  });

  test.each([
    ['a token of Omni', 'http://127.0.0.1:4010/api', 'omni_osk_1f8e0c', 'OMNI_API_TOKEN holds none of them.'],
    ['no token', 'http://127.0.0.1:4010/api', '', 'OMNI_API_TOKEN is not set.'],
    [
      'the token of an emulator on another machine',
      'http://10.0.0.7:4010/api',
      'omni_osk_demo_organization_key',
      'base-url-conflict',
    ],
    [
      'a host that only looks like this machine',
      'http://127.0.0.1.evil.example/api',
      'omni_osk_demo_organization_key',
      'base-url-conflict',
    ],
  ])('nothing takes the place of the service of the file: %s', async (_, outside, token, words) => {
    const workspace = openWorkspace(files({ api: { baseUrl } }), { OMNI_BASE_URL: outside, OMNI_API_TOKEN: token });
    const { code, stderr } = await workspace.run('plan', '--refresh');
    expect(code).toBe(1);
    expect(inOneLine(stderr)).toContain(words);
  });

  test('an emulator on this machine takes the place of the service of the file, with a state of its own', async () => {
    const { baseUrl: emulator, organizationKey } = await startFull();
    const variables = { OMNI_BASE_URL: emulator, OMNI_API_TOKEN: organizationKey };
    const schedules = { 'schedules/a.yaml': { schedules: { daily: mail() } } };
    const api = { baseUrl, operations: 'full' };
    const workspace = openWorkspace({ 'almanac.yaml': { api, state: { backend: 'git' } }, ...schedules }, variables);
    expect((await workspace.apply()).summary).toMatchObject({ applied: 1 });
    expect((await workspace.plan('--refresh')).changes).toEqual([]);
    expect(JSON.parse(workspace.read('.almanac/emulator.state.json'))).toMatchObject({ baseUrl: emulator });
    const first = `The emulator at ${new URL(emulator).host} takes the place of ${new URL(baseUrl).host}.`;
    for (const argv of [
      ['plan'],
      ['apply', '--auto-approve'],
      ['drift'],
      ['status'],
      ['list', 'documents'],
      ['state', 'list'],
    ]) {
      const { stderr } = await workspace.run(...argv);
      expect([argv, stderr.split('\n')[0], stderr.split(first).length]).toEqual([argv, first, 2]);
    }
    expect((await workspace.run('plan')).stdout).not.toContain('1 finding');
    const { stdout } = await workspace.run('doctor');
    expect(stdout).not.toMatch(/ommit it/);
  });

  test('an emulator at another address names the file that stands in its way', async () => {
    const [one, other] = [await startFull(), await startFull()];
    const folder = makeFolder({
      'almanac.yaml': { api: { baseUrl, operations: 'full' } },
      'schedules/a.yaml': { schedules: { daily: mail() } },
    });
    const at = (emulator: typeof one) =>
      workspaceIn(folder, { OMNI_BASE_URL: emulator.baseUrl, OMNI_API_TOKEN: emulator.organizationKey });
    await at(one).apply();
    const { stderr } = await at(other).run('plan');
    expect(inOneLine(stderr)).toContain('delete .almanac/emulator.state.json');
  });

  test('the service is sent nothing by a plan that looks at files alone', async () => {
    const workspace = openWorkspace(
      {
        'almanac.yaml': { api: { baseUrl, operations: 'full' } },
        'schedules/a.yaml': {
          dashboards: { sales: { identifier: '12db1a0a', filters: { status: { values: ['shipped'] } } } },
        },
      },
      { OMNI_API_TOKEN: 'a token' },
      {
        connect: () => {
          throw new Error('a plan connected to the service');
        },
      },
    );
    expect(await workspace.run('plan')).toMatchObject({ code: 0 });
  });
});

// The jobs of GitLab refuse to begin without it: test/gitlab.
describe('the base URL is pinned outside the files', () => {
  const shape = { packageName: 'almanac', packageFolder: '', folder: '', environments: [] } as const;

  test.each(Object.entries(ciFiles('github', shape)))(
    'the base URL is pinned outside the files in every job that GitHub runs with the token: %s',
    (_, text) => {
      const { jobs } = parse(text) as { jobs: Record<string, { env?: Record<string, string> }> };
      for (const { env } of Object.values(jobs)) expect(env?.['OMNI_BASE_URL']).toBe('${{ vars.OMNI_BASE_URL }}');
    },
  );
});
