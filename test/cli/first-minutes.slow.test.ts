// The first ten minutes, by what `init` and the emulator print: no step of them ends in an error.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { git } from '../support/action/repository.ts';
import { type Finished, runProgram } from '../support/program.ts';
import { hasTerminal, runOnTerminal } from '../support/terminal.ts';
import { makeFolder } from '../support/workspace.ts';

/** The emulator as `init` leaves the folder, while `during` works with the variables that it prints. */
async function withEmulator(cwd: string, during: (environment: Record<string, string>) => Promise<void>) {
  let working: Promise<void> | undefined;
  await runProgram(['emulator', '--port', '0'], {
    cwd,
    during: (child) => {
      onTestFinished(() => void child.kill('SIGKILL'));
      child.stdout?.once('data', (line) => {
        const { baseUrl, organizationKey } = JSON.parse(String(line)) as Record<string, string>;
        const environment = { OMNI_BASE_URL: baseUrl ?? '', OMNI_API_TOKEN: organizationKey ?? '' };
        working = during(environment).finally(() => child.kill('SIGINT'));
      });
    },
  });
  await working;
}

function expectDone({ code, stdout, stderr }: Finished): void {
  expect({ code, errors: /error\[|\b405\b/.exec(stdout + stderr)?.[0] }, stdout + stderr).toEqual({
    code: 0,
    errors: undefined,
  });
}

const environments = ['--environments', 'staging,production'];
const address = ['--base-url', 'acme.omniapp.co'];
const openRepository = () => {
  const { path } = makeFolder();
  git(path, 'init', '--quiet', '--initial-branch=main');
  return path;
};

describe('the first apply to the emulator', () => {
  it.each<[string, readonly string[]]>([
    ['nothing but defaults', []],
    [
      'an address and each destination without a secret',
      [...address, '--destination', 'email', 'slack', 'webhook', 's3'],
    ],
    ['jobs for GitHub', [...address, '--ci', 'github']],
    [
      'jobs for GitLab, an editor and rules for agents',
      [...address, '--ci', 'gitlab', '--editor', 'vscode', '--agents'],
    ],
    ['what is in Omni and a state in a branch', [...address, '--start', 'omni', '--backend', 'git']],
    ['two environments', environments],
    ['two environments, jobs and what is in Omni', [...environments, '--ci', 'github', '--start', 'omni']],
  ])('a workspace that begins with %s is applied to the emulator without an error', async (_, options) => {
    const cwd = openRepository();
    if (options.includes('--environments')) git(cwd, 'remote', 'add', 'origin', openRepository());
    expectDone(await runProgram(['init', '--yes', ...options], { cwd }));
    const env = options.includes('--environments') ? ['--env', 'staging'] : [];
    await withEmulator(cwd, async (environment) => {
      const run = (...argv: readonly string[]) => runProgram([...argv, ...env], { cwd, environment });
      if (options.includes('omni')) expectDone(await run('import', '--write-state'));
      expectDone(await run('apply', '--auto-approve'));
      const after = await run('plan', '--refresh=deep', '--detailed-exitcode');
      expect(after, after.stdout + after.stderr).toMatchObject({ code: 0 });
    });
    if (options.includes('--base-url')) expect(existsSync(join(cwd, 'almanac.state.json'))).toBe(false);
  });

  it('what was applied to the emulator does not stand in the way of the organization', async () => {
    const cwd = openRepository();
    await runProgram(['init', '--yes', ...address], { cwd });
    await withEmulator(cwd, async (environment) => {
      expectDone(await runProgram(['apply', '--auto-approve'], { cwd, environment }));
    });
    expect(git(cwd, 'status', '--porcelain', '--ignored')).toContain('!! .almanac/emulator.state.json');
    const { stdout } = await runProgram(['plan'], { cwd });
    expect(stdout).toContain('https://acme.omniapp.co/api');
    expect(stdout).toContain('Plan: 1 to create.');
  });
});

describe('the first plan', () => {
  const firstPlan = async (email: string, ...options: readonly string[]) => {
    const cwd = openRepository();
    git(cwd, 'config', 'user.email', email);
    expectDone(await runProgram(['init', '--yes', ...address, ...options], { cwd }));
    return { files: readFileSync(join(cwd, 'almanac.yaml'), 'utf8'), plan: await runProgram(['plan'], { cwd }) };
  };

  it('the first plan says nothing grave about a colleague, because init knows the domain of git', async () => {
    const { files, plan } = await firstPlan('Ana@acme.com');
    expect(files).toContain('internalDomains: [acme.com]');
    expect(plan.stdout).not.toContain('!!');
    const other = await firstPlan('ana@acme.com', '--internal-domains', 'acme.com,acme.co.uk', '--destination', 's3');
    expect(other.files).toContain('internalDomains: [acme.com, acme.co.uk]');
    expect(other.plan.stdout).toContain('!! 1 bucket');
  });

  it.each(['ana@gmail.com', '1+ana@users.noreply.github.com', 'root@localhost'])(
    'init does not take the domain of %s for that of a company',
    async (email) => {
      const { files, plan } = await firstPlan(email);
      expect(files).toContain('# safety: { internalDomains: [acme.com] }');
      expect(plan.code).toBe(0);
    },
  );
});

describe('a first request that cannot succeed', () => {
  const answers = async (status: number, body: string) => {
    const server = createServer((_, response) => response.writeHead(status).end(body));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it.each<[string, () => Promise<string>, RegExp, RegExp]>([
    ['refuses the connection', async () => 'http://127.0.0.1:1', /: it is refused\.$/, /Start `almanac emulator`/],
    ['has no such name', async () => 'https://acme.invalid', /: (?:no such name|its name cannot .*)\.$/, /base URL/],
    ['does not know the token', () => answers(401, '{}'), /does not accept the token \(401\)\.$/, /OMNI_API_TOKEN/],
    ['is a website', () => answers(200, '<!doctype html>'), /answers with a web page \(200\)\.$/, /omniapp\.co\/api/],
  ])('a service that %s is one line of 80 columns, said once, with what to do', async (_, addressOf, says, does) => {
    const baseUrl = await addressOf();
    const { path: cwd } = makeFolder();
    await runProgram(['init', '--yes', '--base-url', baseUrl], { cwd });
    for (const command of [
      ['apply', '--auto-approve'],
      ['plan', '--refresh'],
    ]) {
      const environment = { OMNI_API_TOKEN: 'omni_osk_key' };
      const { code, stdout, stderr } = await runProgram(command, { cwd, environment });
      const [line = '', ...rest] = stderr.trimEnd().split('\n');
      expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' });
      expect(line.length).toBeLessThanOrEqual(80);
      expect(line).toMatch(says);
      expect(rest.join(' ')).toMatch(does);
      expect(stderr.match(/^error/gm)).toHaveLength(1);
    }
  });
});

describe.runIf(hasTerminal)('almanac emulator on a terminal', () => {
  const shown = async (files: object) => {
    const typed = [['_TOKEN=omni', '\u0003']] as const;
    return (await runOnTerminal(['emulator', '--port', '0'], { cwd: makeFolder({ ...files }).path, typed })).text;
  };

  it('the emulator prints on a terminal the lines that point another shell at it', async () => {
    expect(await shown({})).toMatch(
      /^The emulator serves the full operations .*\nTo use it.*\n\nexport OMNI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/api\nexport OMNI_API_TOKEN=omni_osk_demo_organization_key\n/,
    );
  });

  it('the emulator serves the operations of almanac.yaml, and names the variables that it names', async () => {
    const text = await shown({
      'almanac.yaml': {
        api: { operations: 'core' },
        environments: { eu: { api: { tokenEnv: 'OMNI_EU_TOKEN' } }, us: { api: { tokenEnv: 'OMNI_US_TOKEN' } } },
      },
    });
    expect(text).toContain('serves the core operations');
    expect(text).toMatch(/export OMNI_EU_TOKEN=.*\nexport OMNI_US_TOKEN=/);
  });
});
