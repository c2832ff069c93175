// Where the bench runs: a temporary folder with workspaces, and the built program in them with a cold or a warm cache.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeAppliedState } from './applied-state.ts';
import { type Program, timeOf } from './measure.ts';
import { writeWorkspace } from './workspace.ts';

export const cli = resolve('dist/cli.cjs');
export const emptyPlan = 'No changes.';
const baseUrl = 'https://acme.omniapp.co/api';

/**
 * `cold` is the first run of a user: the cache folder is empty before each run, so neither parsed files nor compiled code
 * are kept, and the run writes what it keeps. `warm` is every later run.
 */
export type Temperature = 'cold' | 'warm';

export const temperatures: readonly Temperature[] = ['cold', 'warm'];

export interface Lab {
  /** A new folder in the lab. */
  makeFolder(name: string): Promise<string>;
  /** A workspace that is entirely applied, made once for each size. */
  applied(count: number, perFile?: number): Promise<string>;
  /** A run of the program, with a home of its own. A warm one has run before. */
  almanac(temperature: Temperature, run: Run): Promise<Program>;
  /** The same, cold and warm. */
  coldAndWarm(run: Run): Promise<readonly Program[]>;
  /** Any program, with a home of its own. */
  program(program: Omit<Program, 'home'>): Promise<Program>;
}

interface Run extends Omit<Program, 'home' | 'command'> {
  readonly args: readonly string[];
}

export function openLab(folder: string): Lab {
  const workspaces = new Map<string, Promise<string>>();
  const makeFolder = (name: string) => mkdtemp(join(folder, `${name}-`));
  const program: Lab['program'] = async (rest) => ({ ...rest, home: await makeFolder('home') });
  const makeApplied = async (count: number, perFile: number) => {
    const workspace = await makeFolder(`applied-${count}-${perFile}`);
    await writeWorkspace(workspace, count, { baseUrl, perFile });
    await writeAppliedState(cli, workspace, baseUrl);
    return workspace;
  };
  const almanac: Lab['almanac'] = async (temperature, { args, ...run }) => {
    const { home, ...rest } = await program({ ...run, command: [process.execPath, cli, ...args] });
    if (temperature === 'cold') return { ...rest, home, prepare: () => Promise.all([run.prepare?.(), emptied(home)]) };
    await timeOf({ ...rest, home });
    return { ...rest, home };
  };
  return {
    makeFolder,
    almanac,
    coldAndWarm: async (run) => [await almanac('cold', run), await almanac('warm', run)],
    program,
    applied: (count, perFile = 10) => {
      const key = `${count}-${perFile}`;
      const made = workspaces.get(key) ?? makeApplied(count, perFile);
      workspaces.set(key, made);
      return made;
    },
  };
}

export async function bareNode(lab: Lab): Promise<Program> {
  const cwd = await lab.makeFolder('empty');
  return lab.program({ command: [process.execPath, '-e', '0'], cwd, mustPrint: '' });
}

async function emptied(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
}
