// After an apply: copies the state and the journal of a killed run into a folder, with what another job needs in order to
// push them. The job that has the Omni token needs no right to push.

import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotate, setOutputs } from '../runner/files.mjs';
import { headOf, openGit } from '../runner/git.mjs';
import { readEnvironment, readFolder } from '../runner/inputs.mjs';
import { fileNames, manifestName } from './state-folder.mjs';

const { checkout } = readFolder();
const path = process.env.ALMANAC_STATE ?? '';
const commit = headOf(checkout);
if (commit === undefined && existsSync(join(checkout, '.git'))) {
  annotate('error', 'git cannot read the checkout, so the state of this apply cannot be kept for the next one.');
  process.exitCode = 1;
} else if (commit === undefined) {
  process.stdout.write('The workspace is not in a git repository, so there is nowhere to push the state.\n');
} else {
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-state-'));
  const { tryGit } = openGit(checkout);
  const files = fileNames.map(({ name, ending }) => {
    const file = `${path}${ending}`;
    if (existsSync(join(checkout, file))) copyFileSync(join(checkout, file), join(folder, name));
    return { name, path: file, before: tryGit(['rev-parse', '--verify', '--quiet', `${commit}:${file}`]) ?? null };
  });
  const manifest = { version: 1, commit, environment: readEnvironment(), files };
  writeFileSync(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  setOutputs({ 'state-folder': folder });
}
