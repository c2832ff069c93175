// The job `status`: which deliveries failed, were missed or stopped.

import { checkWithIssue } from './checked-issue.mjs';
import { runJob } from './job.mjs';

await runJob(() => checkWithIssue('status', [], 'deliveries'));
