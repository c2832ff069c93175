// The step that asks who may update the branch of the state.

import { main } from '../github/state-rules.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main);
