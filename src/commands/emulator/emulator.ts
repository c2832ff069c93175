// `almanac emulator`: the local double of the service, until it is interrupted.

import { tokenVariables } from '../../declare/load/load-config.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { BadFault, type Fault, parseFault } from '../../emulator/faults.ts';
import { type EmulatorData, problemInData } from '../../emulator/store.ts';
import { parseJson } from '../../model/values/json.ts';
import { shellWord } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import { aborted, type DataFile } from '../base/world.ts';
import type { EmulatorOptions } from './emulator-command.ts';

export async function emulator(run: Run, options: EmulatorOptions): Promise<number> {
  const faults = (options.fault ?? []).map(readFault);
  const file = options.data === undefined ? undefined : run.openDataFile(options.data);
  const data = file === undefined ? undefined : await readData(file, options.data ?? '');
  let writing = Promise.resolve();
  const save = (changed: EmulatorData) => {
    writing = writing.then(() => file?.write(`${JSON.stringify(changed, null, 2)}\n`));
  };
  const configs = await configsHere(run);
  const operations = options.operations ?? operationsOf(configs);
  const server = createEmulator({
    rateLimit: options.rateLimit,
    operations,
    faults,
    now: () => run.clock.now(),
    sleep: (milliseconds, signal) => run.clock.sleep(milliseconds, signal),
    jobDurationMs: options.jobDuration * 1000,
    postAnywhere: options.postAnywhere === true,
    data,
    onChange: file && save,
  });
  try {
    const listening = await server.listen(options.port).catch((cause: unknown) => {
      throw isPortError(cause) ? unusablePort(options.port, cause) : cause;
    });
    // A data file must exist, so that it can be edited, before anything changes.
    if (file !== undefined && data === undefined) save(server.data());
    await writing;
    if (run.stdout.isTerminal) run.stdout.write(connectingLines(operations, configs, listening));
    else run.stdout.data(`${JSON.stringify(listening)}\n`);
    await aborted(run.signal);
  } finally {
    await server.close();
    await writing;
  }
  return 0;
}

/** The errors that mean that the port cannot be used. Anything else is not the fault of the port. */
const portErrors = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'];

function isPortError(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && portErrors.includes(String(cause.code));
}

function unusablePort(port: number, cause: unknown): Failure {
  const isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  return new Failure('usage', `The port ${port} ${isInUse ? 'is in use' : 'cannot be used'}.`, {
    hint: `${isInUse ? 'Another emulator may still run. ' : ''}Choose another with --port; 0 takes any free one.`,
    cause,
  });
}

/** This folder's configuration in each environment, from almanac.yaml alone. Its errors are reported elsewhere. */
async function configsHere(run: Run): Promise<readonly Config[]> {
  const { usable } = await run.settings();
  const names = usable.environment === undefined ? usable.environments : [];
  const others = await Promise.all(names.map((name) => run.inEnvironment(name).settings()));
  return others.length === 0 ? [usable] : others.map((each) => each.usable);
}

/** A program that uses only the core operations does not miss any if more are served. */
function operationsOf(configs: readonly Config[]): Config['api']['operations'] {
  return configs.some(({ file, api }) => file === undefined || api.operations === 'full') ? 'full' : 'core';
}

/** Help for a person at the terminal. A data file may hold any token. */
function connectingLines(
  operations: string,
  configs: readonly Config[],
  { baseUrl, organizationKey }: { readonly baseUrl: string; readonly organizationKey: string },
): string {
  const variables = new Set(configs.map((config) => tokenVariables(config)[0] ?? ''));
  const key = shellWord(safeText(organizationKey));
  const lines = [`OMNI_BASE_URL=${shellWord(baseUrl)}`, ...[...variables].map((name) => `${name}=${key}`)];
  return `The emulator serves the ${operations} operations until you press Ctrl-C.
To use it in another terminal, paste these lines there:

${lines.map((line) => `export ${line}\n`).join('')}`;
}

function readFault(spec: string): Fault {
  try {
    return parseFault(spec);
  } catch (cause) {
    if (!(cause instanceof BadFault)) throw cause;
    throw new Failure('usage', `--fault '${spec}': ${cause.message}`, {
      hint: "Write the fault, then its settings, such as 'drop-after,on=POST /v1/schedules,at=3'.",
      cause,
    });
  }
}

async function readData(file: DataFile, name: string): Promise<EmulatorData | undefined> {
  const text = await file.read();
  if (text === undefined) return undefined;
  const value = parseJson(text);
  const problem = value === undefined ? 'it is not valid JSON' : problemInData(value);
  if (problem === undefined) return value as unknown as EmulatorData;
  throw new Failure('usage', `${name} is not what the emulator keeps: ${problem}.`, {
    hint: 'Fix the file, or delete it to start with the demo organization.',
  });
}
