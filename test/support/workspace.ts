// A workspace in a temporary folder, and the program run in this process. Files and HTTP are real, every wait passes at
// once on its clock, and the environment holds nothing but what the test gives.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { isFolder, openWorkspace, readBytes, readDataFile, writeDataFile } from '../../src/files/fs-workspace.ts';
import { openOutput } from '../../src/files/growing-file.ts';
import { foldersIn, placeInRepository } from '../../src/files/paths.ts';
import { openProgressFile } from '../../src/files/progress-file.ts';
import { systemClock, systemRandomness } from '../../src/files/system.ts';
import { openReceiver } from '../../src/http/receiver.ts';
import { main } from '../../src/main.ts';
import type { StartProgram } from '../../src/model/outside.ts';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/plan/state.ts';
import { withoutMarks } from '../../src/model/values/command.ts';
import { connectHttpApi } from '../../src/omni/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { openCheckout } from '../../src/state/git/checkout.ts';
import { openSharedState } from '../../src/state/log/log-store.ts';
import { version } from '../../src/version.ts';
import { makeInstantClock } from './fake-clock.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** 2026-03-01, when every generated schedule still has coming runs. */
export const start = Date.UTC(2026, 2, 1);

export interface WorkspaceFolder {
  readonly path: string;
  /** By path; a value that is not a text is written as JSON, which YAML reads. */
  write(files: Readonly<Record<string, unknown>>): void;
  read(path: string): string;
  state(): State;
  remove(): void;
}

export type Environment = Readonly<Record<string, string>>;

export interface Workspace extends WorkspaceFolder {
  readonly environment: Record<string, string>;
  run(...argv: readonly string[]): Promise<Ran>;
  plan(...argv: readonly string[]): Promise<PlanDocument>;
  apply(...argv: readonly string[]): Promise<ApplyDocument>;
}

/** Removed when the test ends. */
export function makeFolder(files: Readonly<Record<string, unknown>> = {}): WorkspaceFolder {
  const folder = openFolder();
  onTestFinished(() => folder.remove());
  folder.write(files);
  return folder;
}

/** Messages that name it are wrapped, so its path is as long in another folder, such as /dev/shm, as in /tmp. */
const prefix = join(tmpdir(), 'almanac-test-'.slice(0, Math.max(1, 17 - tmpdir().length)));

export function openFolder(): WorkspaceFolder {
  const path = realpathSync(mkdtempSync(prefix));
  return {
    path,
    write: (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(
          join(path, name),
          typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2),
        );
      }
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    state: () => JSON.parse(readFileSync(join(path, 'almanac.state.json'), 'utf8')) as State,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** `onWrite` is told what is printed on both streams, in its order. */
export function workspaceIn(
  folder: WorkspaceFolder,
  given: Environment,
  extra: Partial<Outside> = {},
  onWrite: (text: string) => void = () => {},
): Workspace {
  const environment = { ...given };
  const run = async (...argv: readonly string[]): Promise<Ran> => {
    const written = { stdout: '', stderr: '' };
    const output = (stream: 'stdout' | 'stderr') => ({
      write: (text: string) => {
        written[stream] += text;
        onWrite(text);
      },
      isTerminal: false,
      width: 80,
    });
    const streams = { stdout: output('stdout'), stderr: output('stderr') };
    const world = outsideIn(folder.path, environment, { ...streams, ...extra });
    const code = await main(argv, world);
    expectNoMark(written);
    return { code, ...written };
  };
  const document = async <T>(argv: readonly string[]): Promise<T> => {
    const ran = await run(...argv);
    if (ran.code !== 0)
      throw new Error(`almanac ${argv.join(' ')} exited with ${ran.code}: ${ran.stdout}${ran.stderr}`);
    return JSON.parse(ran.stdout) as T;
  };
  return {
    ...folder,
    environment,
    run,
    plan: (...argv) => document(['plan', '--format', 'json', ...argv]),
    apply: (...argv) => document(['apply', '--auto-approve', '--format', 'json', ...argv]),
  };
}

/** What a command is written with in a sentence (src/model/values/command.ts) is in nothing that is printed. */
function expectNoMark({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): void {
  if (withoutMarks(stdout + stderr) !== stdout + stderr)
    throw new Error(`The mark of a command was printed: ${stdout}${stderr}`);
}

/** In this process. */
export const startProgram: StartProgram = (args, { cwd, env, onStdout, onStderr }) => {
  const output = (write: (text: string) => void) => ({ write, isTerminal: false, width: 80 });
  const streams = { stdout: output(onStdout), stderr: output(onStderr) };
  return main(args, outsideIn(cwd, env, { version, clock: systemClock, ...streams }));
};

const node = '20.20.2';

/** What a process would hand in, except where `given` says so. */
export function outsideIn(
  cwd: string,
  environment: Environment,
  given: Partial<Outside> & Pick<Outside, 'stdout' | 'stderr'>,
): Outside {
  const { clock = makeInstantClock(start), version = '0.1.0-test' } = given;
  return {
    version,
    // Whichever Node runs the tests, they print one version, and no zone counts as outdated.
    node,
    runtime: { name: 'Node', version: node },
    zoneRelease: '2099a',
    cwd,
    timeZone: () => 'UTC',
    environment: (name) => environment[name],
    variables: environment,
    startProgram,
    asker: () => undefined,
    clock,
    randomness: systemRandomness,
    signal: new AbortController().signal,
    openWorkspace,
    openState: async (options) => openFileState(options),
    openSharedState: (options) => openSharedState({ ...options, clock, environment }),
    openCheckout: async (root, signal) =>
      openCheckout({ root, signal, environment: { PATH: process.env['PATH'], ...environment } }),
    openProgress: async (options) => openProgressFile(options),
    openDataFile: (path, within) => ({
      read: () => readDataFile(path, within),
      write: (text) => writeDataFile(path, text, within),
    }),
    openOutput: (folder) =>
      openOutput(folder, async (piece) => given.stdout.write(Buffer.from(piece).toString('latin1'))),
    isFolder: async (path) => isFolder(path),
    foldersIn: async (path) => foldersIn(path),
    placeInRepository: async (folder) => placeInRepository(folder),
    connect: (settings) => connectHttpApi({ ...settings, clock, version, environment }),
    openReceiver,
    readBytes: (path) => readBytes(path === undefined ? undefined : join(cwd, path)),
    ...given,
  };
}
