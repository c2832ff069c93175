// `almanac import` in this process against an emulator with the full operations: what exists becomes declarations, and
// nothing is left to do.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectHttpApi } from '../../src/adapters/http-api.ts';
import type { World } from '../../src/commands/world.ts';
import type { Fault } from '../../src/emulator/faults/fault.ts';
import type { ImportDocument } from '../../src/model/import.ts';
import { ids, scheduleBody } from '../emulator/start-emulator.ts';
import { type RunningFull, startFull } from '../emulator/start-full.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, start, type Workspace, workspaceIn } from '../support/workspace.ts';

interface Stage extends RunningFull {
  readonly workspace: Workspace;
  import(...argv: readonly string[]): Promise<ImportDocument>;
  /** The requests since the last time, as `GET /v1/…`. */
  sent(): readonly string[];
}

async function openStage(
  files: Readonly<Record<string, unknown>> = {},
  { faults = [], world = {} }: { faults?: readonly Fault[]; world?: Partial<World> } = {},
): Promise<Stage> {
  const running = await startFull({ faults });
  const api = { baseUrl: running.baseUrl, operations: 'full', rateLimit: 0 };
  const folder = makeFolder({ 'almanac.yaml': { api }, ...files });
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_demo_organization_key' }, world);
  let seen = 0;
  return {
    ...running,
    workspace,
    import: async (...argv) => {
      const ran = await workspace.run('import', '--format', 'json', ...argv);
      expect(ran.code, ran.stdout + ran.stderr).toBe(0);
      return expectDocument<ImportDocument>('import', ran.stdout);
    },
    sent: () => {
      const requests = running.emulator.requests().slice(seen);
      seen += requests.length;
      return requests.map(({ method, path }) => `${method} ${path.replace('/api', '')}`);
    },
  };
}

it('shows', async () => {
  const { create, send, workspace } = await openStage();
  await create('email', {
    name: 'Weekly ✨ "sales" ${report}',
    filterConfig: { region: { values: ['Europe'] } },
    textBody: 'Hi\nthere\n',
  });
  await create('email', { name: '売上', textBody: 'a\u202eb\tc', timezoneOverride: 'Asia/Tokyo' });
  const paused = await create('webhook', { format: 'json', identifier: '3f9c2b71' });
  await send('PUT', `/v1/schedules/${paused}/pause`);
  await create('slack', { format: 'png', conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' });
  await create('sftp', { format: 'csv', queryIdentifierMapKey: '1', overrideRowLimit: true, maxRowLimit: 500 });
  await create('s3', { format: 'xlsx', keyPrefix: '/a/b', filename: '{{currentDate}}' });
  const ran = await workspace.run('import', '--dashboards');
  console.log(ran.stderr, ran.stdout);
  for (const f of ['sales-overview', 'orders-in-progress']) console.log(workspace.read(`schedules/${f}.yaml`));
  console.log((await workspace.run('plan')).stdout);
});
void [existsSync, statSync, join, describe, connectHttpApi, ids, makeInstantClock, start, scheduleBody];
