// What a step has from its process: its variables and folder, the log, and git. The step that runs Almanac also has the
// program. Everything else is handed this, so a test can hand it something else.

import { runGit } from './git.mjs';

/** `more` is the program, for the step that runs it. */
export function ofThisProcess(more = {}) {
  const say = (text) => void process.stdout.write(text);
  return { env: process.env, cwd: process.cwd(), say, git: runGit, ...more };
}

/** `main` resolves to the exit code. */
export async function runStep(main, more) {
  // An apply must finish even if nobody reads the log any more.
  process.stdout.on('error', () => {});
  process.exitCode = await main(ofThisProcess(more));
}
