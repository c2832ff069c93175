// A golden case: a folder of inputs with what the program prints for them. test/cases/README.md says which
// file is which.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { makeInstantClock } from './fake-clock.ts';
import { type Environment, openFolder, type Ran, workspaceIn } from './workspace.ts';

export const casesFolder = 'test/cases';

/** The time in every case, and the folder in which its workspace seems to lie: lines are wrapped the same everywhere. */
const now = Date.UTC(2026, 10, 21);
const root = '/workspace';

/** By file name; a stream on which nothing was printed has no file. */
export type Expectations = Readonly<Record<string, string>>;

/** `area/name`, sorted. */
export function listCases(): readonly string[] {
  return foldersIn(casesFolder)
    .flatMap((area) => foldersIn(join(casesFolder, area)).map((name) => `${area}/${name}`))
    .sort();
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Runs the case's command on a copy of its inputs, as text and as JSON. */
export async function runCase(name: string): Promise<Expectations> {
  const source = join(casesFolder, name);
  const command = textIn(source, 'command')?.trim().split(/\s+/) ?? ['validate'];
  const environment = JSON.parse(textIn(source, 'environment.json') ?? '{}') as Environment;
  const results = command[0] === 'validate' ? 'diagnostics' : (command[0] ?? '');
  // So that no finding is folded.
  const verbose = results === 'diagnostics' ? ['-v'] : [];
  const text = await runOnCopy(source, [...command, ...verbose], environment);
  const json = await runOnCopy(source, [...command, '--format', 'json'], environment);
  const printed: Readonly<Record<string, string>> = {
    [`${results}.txt`]: text.stdout,
    'stderr.txt': verbose.length > 0 ? text.stderr.replace(/^Read .*\n/m, '') : text.stderr,
    [`${results}.json`]: json.stdout,
    exit: `${text.code}\n`,
  };
  if (json.code !== text.code) throw new Error(`${name}: exits with ${text.code} as text and ${json.code} as JSON`);
  return Object.fromEntries(Object.entries(printed).filter(([, content]) => content !== ''));
}

/** A copy, because a command may write, and because a workspace looks for almanac.yaml in the folders above it. */
async function runOnCopy(source: string, command: readonly string[], environment: Environment): Promise<Ran> {
  const folder = openFolder();
  try {
    for (const input of inputsOf(source)) cpSync(join(source, input), join(folder.path, input), { recursive: true });
    return await workspaceIn(folder, environment, {
      clock: makeInstantClock(now),
      randomness: {
        uuid: () => '00000000-0000-4000-8000-000000000000',
        bytes: (count) => Buffer.alloc(count).toString('base64'),
      },
      openWorkspace: async (options) => ({ ...(await openWorkspace(options)), root }),
      openState: async ({ path, name }) => openFileState({ path: path.replace(root, folder.path), name }),
    }).run(...command);
  } finally {
    folder.remove();
  }
}

const notInputs = /^(?:command|environment\.json|exit|(?:diagnostics|stderr|plan|show|next)\.(?:txt|json))$/;

function inputsOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((entry) => !notInputs.test(entry));
}

export function readExpectations(name: string): Expectations {
  const folder = join(casesFolder, name);
  const files = expectationsIn(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  return Object.fromEntries(files);
}

export function writeExpectations(name: string, expectations: Expectations): void {
  const folder = join(casesFolder, name);
  for (const file of expectationsIn(folder)) rmSync(join(folder, file));
  for (const [file, text] of Object.entries(expectations)) writeFileSync(join(folder, file), text);
}

function expectationsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((file) => notInputs.test(file) && !/^(?:command|environment\.json)$/.test(file));
}

function textIn(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
