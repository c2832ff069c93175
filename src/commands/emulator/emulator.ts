// `almanac emulator`: the local double of the service, until it is interrupted.

import { createEmulator } from '../../emulator/emulator.ts';
import { BadFault, type Fault, parseFault } from '../../emulator/faults.ts';
import { type EmulatorData, problemInData } from '../../emulator/store.ts';
import { parseJson } from '../../model/values/json.ts';
import { shellWord } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { aborted } from '../base/until-interrupted.ts';
import type { DataFile, World } from '../base/world.ts';
import type { EmulatorOptions } from './emulator-command.ts';

export async function emulator(world: World, options: EmulatorOptions): Promise<number> {
  const faults = (options.fault ?? []).map(readFault);
  const file = options.data === undefined ? undefined : world.openDataFile(options.data);
  const data = file === undefined ? undefined : await readData(file, options.data ?? '');
  let writing = Promise.resolve();
  const save = (changed: EmulatorData) => {
    writing = writing.then(() => file?.write(`${JSON.stringify(changed, null, 2)}\n`));
  };
  const server = createEmulator({
    rateLimit: options.rateLimit,
    operations: options.operations,
    faults,
    now: () => world.clock.now(),
    sleep: (milliseconds, signal) => world.clock.sleep(milliseconds, signal),
    jobDurationMs: options.jobDuration * 1000,
    postAnywhere: options.postAnywhere === true,
    data,
    onChange: file && save,
  });
  try {
    const listening = await server.listen(options.port).catch((cause: unknown) => {
      throw isPortError(cause) ? unusablePort(options.port, cause) : cause;
    });
    // To be edited, the file must be there before anything changes.
    if (file !== undefined && data === undefined) save(server.data());
    await writing;
    world.stdout.data(`${JSON.stringify(listening)}\n`);
    if (world.stdout.isTerminal) world.stdout.write(exportLines(listening.baseUrl, listening.organizationKey));
    await aborted(world.signal);
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

/** To paste into another shell. A data file may hold any token. */
function exportLines(baseUrl: string, token: string): string {
  return `export OMNI_BASE_URL=${shellWord(baseUrl)}\nexport OMNI_API_TOKEN=${shellWord(safeText(token))}\n`;
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
