// The state of a workspace after everything that it declares was applied, without a service.

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PlanDocument, State } from '../src/index.ts';

export async function writeAppliedState(cli: string, workspace: string, baseUrl: string): Promise<void> {
  const run = promisify(execFile);
  const options = { cwd: workspace, maxBuffer: 2 ** 28 };
  const { stdout } = await run(process.execPath, [cli, 'plan', '--format', 'json'], options);
  const { changes, toolVersion } = JSON.parse(stdout) as PlanDocument;
  const at = '2026-01-01T00:00:00.000Z';
  const state: State = {
    version: 2,
    lineage: idOf(0),
    serial: 1,
    toolVersion,
    baseUrl,
    salt: Buffer.alloc(16).toString('base64'),
    resources: Object.fromEntries(
      changes.map(({ address, after }, index) => [
        address,
        { id: idOf(index + 1), attributes: after ?? {}, createdAt: at, updatedAt: at },
      ]),
    ),
    orphans: [],
    unresolved: [],
  };
  await writeFile(join(workspace, 'almanac.state.json'), `${JSON.stringify(state, null, 2)}\n`);
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}
