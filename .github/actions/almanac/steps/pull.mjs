// The step that finds the pull request that a plan is for.

import { main } from '../github/pull-request.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main);
