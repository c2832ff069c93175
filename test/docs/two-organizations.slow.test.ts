// docs/two-organizations.md, played: from an empty folder to a second empty plan in both organizations.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renameDashboard } from '../support/emulator/service.ts';
import { openEmulator } from '../support/emulator/start-emulator.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const page = readFileSync('docs/two-organizations.md', 'utf8');
const [config = '', source = ''] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

it('two organizations are as the page declares them, and nothing of staging reaches a declared receiver', async () => {
  const folder = makeFolder();
  const production = await openEmulator({ operations: 'full' });
  const staging = await openEmulator({ operations: 'full' });
  staging.emulator.edit((data) => {
    renameDashboard(data, '12db1a0a', '5a1e5000');
    for (const group of data.userGroups ?? []) if (group.name === 'Board') group.name = 'Board of staging';
  });
  const services = { production, staging };
  const environmentOf = (name: keyof typeof services) => ({
    OMNI_BASE_URL: services[name].baseUrl,
    OMNI_API_TOKEN: services[name].organizationKey,
    SFTP_PASSWORD: `secret-of-${name}`,
  });
  const empty = workspaceIn(folder, {});
  const init = await empty.run('init', '--environments', 'production,staging', '--start', 'example', '--ci', 'none');
  expect(init.code, init.stderr).toBe(0);
  expect(init.stdout.replaceAll(/\s+/g, ' ')).toContain('where staging delivers, before anything is applied there');
  expect(empty.read('almanac.yaml').match(/# deliver:/g)).toHaveLength(1);
  expect(empty.read('almanac.yaml')).toMatch(/staging:[\s\S]*# deliver:/);
  empty.write({ 'almanac.yaml': config, 'schedules/first.yaml': source });
  for (const name of ['staging', 'production'] as const) {
    const { run } = workspaceIn(folder, environmentOf(name));
    for (const command of ['validate', 'validate --online', 'plan', 'apply --auto-approve']) {
      const ran = await run(...command.split(' '), '--env', name);
      expect(ran.code, `${name}: ${command}\n${ran.stdout}${ran.stderr}`).toBe(0);
    }
  }
  for (const name of ['staging', 'production'] as const) {
    const again = await workspaceIn(folder, environmentOf(name)).run('plan', '--refresh', '--env', name);
    expect(again.stdout, again.stderr).toContain('No changes.');
  }
  const schedules = (of: typeof staging) => of.emulator.data().schedules;
  const named = (of: typeof staging) => JSON.stringify(schedules(of));
  expect(named(staging)).toContain('qa@example.com');
  expect(named(staging)).not.toContain('bo@example.com');
  expect(named(staging)).not.toContain('Month end');
  expect(named(production)).toContain('Month end');
});
