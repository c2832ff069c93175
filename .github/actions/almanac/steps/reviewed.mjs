// The step that writes down what the merged pull requests show.

import { main } from '../reviews/reviewed.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main);
