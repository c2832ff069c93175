// A workspace with an emulator for attack tests: the program runs inside the test process.

import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { makeFolder, type Workspace, workspaceIn } from '../workspace.ts';

export interface AttackStage extends Workspace {
  /** Creates a link at a path of the workspace. */
  link(target: string, path: string): void;
  /** Creates a named pipe that nobody writes to. */
  pipe(path: string): void;
}

export async function openStage(
  files: Readonly<Record<string, unknown>>,
  extra: Partial<Outside> = {},
): Promise<AttackStage> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0 } },
    ...files,
  });
  const workspace = workspaceIn(folder, { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey }, extra);
  return {
    ...workspace,
    link: (target, path) => symlinkSync(target, join(folder.path, path)),
    pipe: (path) => void execFileSync('mkfifo', [join(folder.path, path)]),
  };
}
