// After the job `apply`, whatever its result: the state becomes an artifact, which the job `push-state` pushes.

import { readPlace, runJob } from './job.mjs';
import { keepState } from './state-files.mjs';

await runJob(async () => {
  await keepState(readPlace());
  return 0;
});
