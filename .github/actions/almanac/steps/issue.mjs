// The step that keeps an issue.

import { main } from '../issues/keep-issue.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main);
