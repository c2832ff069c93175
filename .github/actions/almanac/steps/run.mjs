// The steps that run Almanac.

import { main } from '../commands/run.mjs';
import { startAlmanac } from '../runner/almanac.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main, { almanac: startAlmanac });
