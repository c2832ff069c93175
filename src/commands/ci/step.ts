// Everything that a step of the action or a job of GitLab is given. Each has its variables, its folder, the log and
// git; those that run Almanac also have the program. A test can replace any of it.

import type { StartProgram, Variables } from '../../model/outside.ts';

/** Runs git in a folder, with exactly these variables. */
export type AskGit = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Variables },
) => { readonly status: number | null; readonly stdout: string };

export interface Step {
  readonly env: Variables;
  readonly cwd: string;
  /** Writes to the log, which obeys workflow commands. */
  readonly say: (text: string) => void;
  readonly git: AskGit;
}

export interface RunningStep extends Step {
  readonly almanac: StartProgram;
}
