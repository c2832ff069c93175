// What a person is shown before they are asked.

import { expect, it, onTestFinished } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { hook } from './stage.ts';

it('an apply that prints JSON shows the plan on stderr before it asks', async () => {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({ 'almanac.yaml': { api: { baseUrl } }, 'schedules/all.yaml': { schedules: { hook } } });
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'yes';
  };
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: organizationKey }, { ask });
  const { code, stdout, stderr } = await workspace.run('apply', '--format', 'json');
  expect(code).toBe(0);
  expect(asked).toHaveLength(1);
  expect(stderr).toContain('schedules.hook will be created');
  expect(JSON.parse(stdout)).toMatchObject({ summary: { applied: 1 } });
});
