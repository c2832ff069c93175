// After an apply: leaves the state for another job, which pushes it. The job that has the Omni token needs no right to push.

import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotate, setOutputs } from '../runner/files.mjs';
import { readEnvironment, readFolder } from '../runner/inputs.mjs';
import { leaveState } from './state-folder.mjs';

const { checkout } = readFolder();
const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-state-'));
if (leaveState(folder, { checkout, path: process.env.ALMANAC_STATE ?? '', environment: readEnvironment() })) {
  setOutputs({ 'state-folder': folder });
} else if (existsSync(join(checkout, '.git'))) {
  annotate('error', 'git cannot read the checkout, so the state of this apply cannot be kept for the next one.');
  process.exitCode = 1;
} else {
  process.stdout.write('The workspace is not in a git repository, so there is nowhere to push the state.\n');
}
