// The step that keeps the comment on the pull request.

import { main } from '../comments/comment.mjs';
import { runStep } from '../runner/step.mjs';

await runStep(main);
