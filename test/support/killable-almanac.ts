// The program as a process that kills itself at one of its effects. KILL_AT counts to that effect, and the end is as by
// `kill -9`. At the end the process says which effects there were.

import './runs/cheap-fingerprints.ts';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { systemClock, systemRandomness } from '../../src/files/system.ts';
import { main } from '../../src/main.ts';
import { connectHttpApi } from '../../src/omni/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { openLog, openStoreOver } from '../../src/state/log/log-store.ts';
import { logWithFaultPoints, withFaultPoints } from './property/fault-points.ts';

const version = '0.1.0-test';
const killAt = Number(process.env['KILL_AT'] ?? 0);
const clock = systemClock;
const reached: string[] = [];

function reach(point: string): void {
  if (reached.push(point) === killAt) process.kill(process.pid, 'SIGKILL');
}

const output = (stream: NodeJS.WriteStream) => ({
  write: (text: string) => void stream.write(text),
  isTerminal: false,
  width: 80,
});

const never = () => {
  throw new Error('no test needs it');
};

process.exitCode = await main(process.argv.slice(2), {
  version,
  node: process.versions.node,
  runtime: { name: 'Node', version: process.versions.node },
  zoneRelease: '2099a',
  cwd: process.cwd(),
  timeZone: () => 'UTC',
  environment: (name) => process.env[name],
  variables: process.env,
  startProgram: never,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  asker: () => undefined,
  clock,
  randomness: systemRandomness,
  signal: new AbortController().signal,
  openWorkspace,
  openReceiver: never,
  readBytes: never,
  openProgress: never,
  openDataFile: never,
  openOutput: never,
  isFolder: never,
  foldersIn: never,
  placeInRepository: async () => never(),
  openCheckout: async () => ({
    head: async () => undefined,
    line: async () => 'no-git' as const,
    changing: async () => [],
    isIn: async () => false,
    standing: async () => undefined,
    filesAt: async () => undefined,
    commitNamed: async () => undefined,
    tracked: async () => undefined,
    committed: async () => new Map(),
    moved: async () => [],
    defaultBranch: async () => undefined,
    userEmail: async () => undefined,
  }),
  ...withFaultPoints(
    {
      openState: async (options) => openFileState(options),
      openSharedState: async (given) => {
        const options = { ...given, clock, environment: process.env };
        return openStoreOver(logWithFaultPoints(await openLog(options), reach), options);
      },
      connect: (settings) => connectHttpApi({ ...settings, clock, version, environment: process.env }),
    },
    reach,
  ),
});
process.stderr.write(`points: ${reached.length} ${JSON.stringify(reached)}\n`);
