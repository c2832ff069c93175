// What a step of the action or a job of GitLab is given. Each has its variables, its folder, the log and git; what runs
// Almanac also has the program. A test can hand in something else.

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

/** A step that runs Almanac. */
export interface RunningStep extends Step {
  readonly almanac: StartProgram;
}
