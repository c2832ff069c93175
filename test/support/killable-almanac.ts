// The program as a process that kills itself, as `kill -9` would, at the point of its effects that KILL_AT counts to, or
// stops itself there, as a laptop that sleeps does (STOP_AT). It says on stderr when it reaches the first one, and at the
// end which ones there were. Its clock runs CLOCK_RATE times as fast as that of the machine, so that a lease is soon over, and so do
// the limits of its requests.

import './runs/cheap-fingerprints.ts';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { systemRandomness } from '../../src/files/system.ts';
import { main } from '../../src/main.ts';
import { connectHttpApi } from '../../src/omni/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { openLog, openStoreOver } from '../../src/state/log/open-shared-state.ts';
import { hastyClock } from './cli/hasty-clock.ts';
import { logWithFaultPoints, withFaultPoints } from './property/fault-points.ts';

const version = '0.1.0-test';
const killAt = Number(process.env['KILL_AT'] ?? 0);
const stopAt = Number(process.env['STOP_AT'] ?? 0);
const rate = Number(process.env['CLOCK_RATE'] ?? 1);
const clock = hastyClock(rate);
/** How long a log waits for an answer. A push of git starts several programs, and cannot be hurried that much. */
const limits = { timeoutMs: 30_000 / rate, patienceMs: 30_000 / rate, networkMs: 120_000 / rate };
const reached: string[] = [];

function reach(point: string): void {
  const count = reached.push(point);
  if (count === 1) process.stderr.write('started\n');
  if (count === killAt) process.kill(process.pid, 'SIGKILL');
  if (count === stopAt) process.kill(process.pid, 'SIGSTOP');
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
  zoneRelease: undefined,
  cwd: process.cwd(),
  timeZone: () => 'UTC',
  environment: (name) => process.env[name],
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  asker: () => undefined,
  clock,
  randomness: systemRandomness,
  signal: new AbortController().signal,
  openWorkspace,
  openReceiver: never,
  forwardRequest: never,
  readBytes: never,
  openProgress: never,
  openDataFile: never,
  openOutput: never,
  isFolder: never,
  placeInRepository: async () => never(),
  openCheckout: async () => ({ head: async () => undefined, standing: async () => undefined }),
  ...withFaultPoints(
    {
      openState: async (options) => openFileState(options),
      openSharedState: async (given) => {
        const options = { ...given, ...limits, clock, environment: process.env };
        return openStoreOver(logWithFaultPoints(await openLog(options), reach), options);
      },
      connect: (settings) => {
        const timeout = settings.timeout / rate;
        // The way to the service leads through a network of the test's; its name stays.
        const baseUrl = process.env['WAY_TO_API'] ?? settings.baseUrl;
        return connectHttpApi({ ...settings, baseUrl, timeout, clock, version, environment: process.env });
      },
    },
    reach,
  ),
});
process.stderr.write(`points: ${reached.length} ${JSON.stringify(reached)}\n`);
