// What makes an apply refuse before its first request: each refusal says why, and names the flag or the way out.

import { expect, it } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const declare = (schedules: object) => ({ 'schedules/all.yaml': { schedules } });

it('a list of reviewed changes that is not there stops an apply before anything is sent', async () => {
  const { run, sent } = await openWorld(declare({ a: hook }));
  const { code, stderr } = await run('apply --auto-approve --expect-changes reviewed.txt');
  expect(code).toBe(1);
  expect(stderr).toContain('error[usage]: reviewed.txt cannot be read');
  expect(sent()).toEqual([]);
});

it('a base URL with credentials is refused, and the credentials are never printed', async () => {
  const baseUrl = 'https://user:hunter2@omni.example.com/api';
  const inFile = makeFolder({ 'almanac.yaml': { api: { baseUrl } }, ...declare({ a: hook }) });
  const inEnvironment = makeFolder(declare({ a: hook }));
  for (const [folder, environment] of [
    [inFile, {}],
    [inEnvironment, { OMNI_BASE_URL: baseUrl }],
  ] as const) {
    const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_x', ...environment });
    for (const argv of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
      const { code, stdout, stderr } = await workspace.run(...argv);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('contains a user name or a password');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  }
});
