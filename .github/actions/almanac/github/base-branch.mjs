// Reads what the base branch of a pull request says about where Almanac works: its almanac.yaml, as a file in a temporary
// folder. Another step compares them: this one has GitHub's token, and runs nothing.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBaseConfig } from '../commands/place.mjs';
import { annotate, setOutputs } from '../runner/files.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { connectGithub, GithubFailure } from './api.mjs';

try {
  await main();
} catch (error) {
  if (!(error instanceof GithubFailure || error instanceof Refusal)) throw error;
  setOutputs({ unread: true });
  annotate('warning', `The base branch could not be read, so nothing was compared with it. ${error.message}`);
}

async function main() {
  const commit = process.env.ALMANAC_BASE_COMMIT ?? '';
  const github = connectGithub();
  // A file that is missing and a token that may not read are the same answer; for a commit they are not.
  await github.commitAt(commit);
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-base-'));
  await writeBaseConfig(folder, readFolder().name, (path) => github.fileAt(path, commit));
  setOutputs({ folder });
}
