// An apply killed with SIGKILL at every one of its effects in turn: nothing exists twice, nothing is lost, and what is
// unresolved is said.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { openFolder, workspaceIn } from '../support/workspace.ts';

const built = mkdtempSync(join(tmpdir(), 'almanac-killable-'));
const program = join(built, 'killable.mjs');

beforeAll(async () => {
  await build({
    entryPoints: ['test/support/killable-almanac.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

interface Killed {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

function applyKilledAt(point: number, cwd: string, environment: Readonly<Record<string, string>>): Promise<Killed> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...environment, ...(point === 0 ? {} : { KILL_AT: String(point) }) };
    const child = spawn(process.execPath, [program, 'apply', '--auto-approve', '--allow-orphans', '-q'], { cwd, env });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
}

async function openStage() {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey } = await emulator.listen();
  const folder = openFolder();
  cpSync('schedules', join(folder.path, 'schedules'), { recursive: true });
  cpSync('almanac.yaml', join(folder.path, 'almanac.yaml'));
  const environment = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'of-the-test' };
  const workspace = workspaceIn(folder, environment);
  return {
    emulator,
    folder,
    environment,
    workspace,
    end: async () => {
      folder.remove();
      await emulator.close();
    },
  };
}

test('killed at every effect in turn, the next run says what is unresolved, and converges', {
  timeout: 240_000,
}, async () => {
  const reference = await openStage();
  const whole = await applyKilledAt(0, reference.folder.path, reference.environment);
  const expected = reference.emulator
    .data()
    .schedules.map(({ fields }) => fields['name'])
    .sort();
  await reference.end();
  const points = Number(/points: (\d+)/.exec(whole.stderr)?.[1]);
  expect(points).toBeGreaterThan(40);

  for (let point = 1; point <= points; point += 1) {
    const { emulator, folder, environment, workspace, end } = await openStage();
    const killed = await applyKilledAt(point, folder.path, environment);
    expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');

    const again = await workspace.run('apply', '--auto-approve', '--allow-orphans');
    if (again.code !== 0) {
      expect(again.stderr, `point ${point}`).toContain('almanac state resolve');
      await resolveByHand(workspace, emulator);
      mustSucceed(await workspace.run('apply', '--auto-approve', '--allow-orphans'));
    }
    expect((await workspace.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(
      emulator
        .data()
        .schedules.map(({ fields }) => fields['name'])
        .sort(),
      `point ${point}`,
    ).toEqual(expected);
    expect(unaccounted(workspace, emulator), `point ${point}`).toEqual([]);
    expect(
      emulator
        .data()
        .jobs.filter(({ fields }) => fields['prompt'] !== undefined && fields['topicName'] === 'order_items').length,
      `point ${point}`,
    ).toBe(1);
    await end();
  }
});
