// Reads what the base branch of a pull request says about where Almanac works: its almanac.yaml and its state, as files in
// a temporary folder, and which files the pull request changes. Another step compares them: this one has GitHub's token,
// and runs nothing.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { annotate, setOutputs } from '../runner/files.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { configPathsFrom, statesIn } from '../runner/places.mjs';
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
  const keep = async (path) => {
    const text = await github.fileAt(path, commit);
    if (text === undefined) return undefined;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return text;
  };
  for (const path of await statesNear(readFolder().name, keep)) await keep(path);
  setOutputs({ folder });
  await listFiles(github);
}

async function listFiles(github) {
  try {
    const files = await github.filesOf(process.env.ALMANAC_PULL);
    const path = join(mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-files-')), 'files.json');
    writeFileSync(path, JSON.stringify(files));
    setOutputs({ files: path });
  } catch (error) {
    if (!(error instanceof GithubFailure)) throw error;
    annotate('warning', `The files of the pull request could not be listed. ${error.message}`);
  }
}

/** Every path of a state that the nearest almanac.yaml may mean. */
async function statesNear(name, keep) {
  for (const { at, path } of configPathsFrom(name)) {
    const text = await keep(path);
    if (text !== undefined) return statesIn(at, text);
  }
  return statesIn(name, '');
}
