// The jobs `drift` and `status`, of which an argument names one. `drift` looks for differences in Omni from what was
// applied and for what is untracked; `status` looks for deliveries that failed, were missed or stopped. Each runs
// Almanac, and with ALMANAC_NOTE_TOKEN one issue reports the findings. The issue is opened, kept up to date, and closed
// when nothing needs attention.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CheckDocument,
  isBeforeFirstApply,
  issueAbout,
  keepIssue,
  type SubjectName,
  subjects,
} from '../issues/issue.ts';
import { headOf } from '../runner/git.ts';
import { readChoice } from '../runner/inputs.ts';
import { redactedJson } from '../runner/secrets.ts';
import type { RunningStep } from '../step.ts';
import { connectGitlab, withoutQuickActions } from './api.ts';
import { inTemporaryFolder, type Job, jobLink, readPlace, requirePinnedUrl, runJob } from './job.ts';

export function main(step: RunningStep, word?: string): Promise<number> {
  const command = readChoice('command', word, ['drift', 'status']);
  return runJob(step, (job) => {
    requirePinnedUrl(job);
    return inTemporaryFolder((reports) => checkIn(job, reports, command));
  });
}

async function checkIn(job: Job, reports: string, command: SubjectName): Promise<number> {
  const place = readPlace(job);
  const [json, markdown] = [join(reports, `${command}.json`), join(reports, `${command}.md`)];
  const files = [`--report=json=${json}`, `--report=markdown=${markdown}`];
  const { code } = await place.almanac([command, ...subjects[command].options, ...files]);
  // If it could not look, the issue stays as it is.
  if (![0, 1, 2].includes(code) || !existsSync(json)) return code;
  const document = JSON.parse(redactedJson(readFileSync(json, 'utf8'), job.redact)) as CheckDocument;
  if (code === 1) {
    if (!isBeforeFirstApply(document)) return code;
    job.say('The job passes: nothing was applied yet, so there is nothing to compare.\n');
    return 0;
  }
  const wanted = issueAbout(command, {
    environment: place.environment,
    directory: place.folder.name,
    onto: headOf(job, place.folder.path),
    document,
    markdown: withoutQuickActions(job.redact(readFileSync(markdown, 'utf8'))),
    link: jobLink(job),
  });
  const gitlab = connectGitlab(job);
  if (gitlab === undefined) {
    job.say('ALMANAC_NOTE_TOKEN is not set, so no issue is opened or closed.\n');
    // A failing job is then the only sign.
    return code;
  }
  await keepIssue(job, gitlab, wanted, await gitlab.ownIssues());
  return 0;
}
