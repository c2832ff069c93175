// The job `drift`: what differs in Omni from what was applied, and what is untracked.

import { checkWithIssue } from './checked-issue.mjs';
import { runJob } from './job.mjs';

await runJob(() => checkWithIssue('drift', ['--deep', '--untracked'], 'drift'));
