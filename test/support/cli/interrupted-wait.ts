// A run that waits for a silent service until Ctrl-C. The service takes connections and never answers.

import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/files/system.ts';
import { listenOnLoopback } from '../state/loopback.ts';
import { hook } from '../vocabulary.ts';
import { makeFolder, workspaceIn } from '../workspace.ts';

const longestMs = 2000;

/** Takes connections, never answers, and calls back at the first one. */
async function silent(arrived: () => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    arrived();
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });
  return port;
}

export interface Waiting {
  readonly settings: object;
  readonly environment: Readonly<Record<string, string>>;
}

type Folder = ReturnType<typeof makeFolder>;

const schedules = { schedules: { s: hook() } };
const tracked = {
  version: 2,
  lineage: 'a-lineage',
  serial: 1,
  toolVersion: '0.1.0',
  salt: 'c2FsdA==',
  resources: {
    'schedules.s': {
      id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7',
      attributes: hook(),
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    },
  },
  orphans: [],
  unresolved: [],
};

/** Runs a command that waits for what never answers, and interrupts it then. What it prints; it must end soon, and fail. */
export async function interrupt(
  argv: readonly string[],
  waitingAt: (port: number, folder: Folder) => Waiting,
): Promise<string> {
  const controller = new AbortController();
  let interruptedAt = Number.NaN;
  const port = await silent(() => {
    interruptedAt = performance.now();
    controller.abort();
  });
  const folder = makeFolder({});
  const { settings, environment } = waitingAt(port, folder);
  const baseUrl = `http://127.0.0.1:${port}/api`;
  folder.write({
    'almanac.yaml': settings,
    'schedules/all.yaml': schedules,
    'almanac.state.json': { ...tracked, baseUrl },
  });
  const workspace = workspaceIn(folder, environment, { signal: controller.signal, clock: systemClock });
  const { code, stdout, stderr } = await workspace.run(...argv);
  expect(performance.now() - interruptedAt, stdout + stderr).toBeLessThan(longestMs);
  expect(code).toBe(1);
  return stdout + stderr;
}
