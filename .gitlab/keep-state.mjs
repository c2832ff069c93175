// After the job `apply`, whatever its result: the state becomes an artifact, which the job `push-state` pushes.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '../.github/actions/almanac/commands/place.mjs';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { leaveState } from '../.github/actions/almanac/state/state-folder.mjs';
import { readPlace, runAlmanac, runJob, stateFolder } from './job.mjs';

await runJob(async () => {
  const place = readPlace();
  const { checkout } = place.folder;
  const almanac = (args, options) => runAlmanac(place, args, options);
  const found = await placeOf(checkout, { folder: place.folder, almanac });
  if (found === undefined) throw new Refusal('almanac.yaml has errors, so it does not say where the state is.');
  if (found.state === undefined) {
    process.stdout.write(`The state is kept in ${found.place}, so there is none to push.\n`);
    return 0;
  }
  const folder = join(checkout, stateFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  if (!leaveState(folder, { checkout, path: found.state, environment: place.environment }))
    throw new Refusal('git cannot read the checkout, so the state of this apply cannot be kept for the next one.');
  return 0;
});
