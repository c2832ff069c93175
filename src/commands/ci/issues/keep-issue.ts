// Keeps one issue about drift or failed deliveries for each environment of a workspace. The issue is opened when there
// is something to look at, updated when that changes, and closed when there is nothing. Another step has looked: this
// one has GitHub's token, and asks Omni nothing.

import { readFileSync } from 'node:fs';
import { connectGithub } from '../github/api.ts';
import { addToSummary, annotate } from '../runner/files.ts';
import { headOf } from '../runner/git.ts';
import { HostFailure } from '../runner/http.ts';
import { linkToRun, readChoice, readEnvironment, readFolder } from '../runner/inputs.ts';
import { redactor, secretValues } from '../runner/secrets.ts';
import type { Step } from '../step.ts';
import { type CheckDocument, issueAbout, keepIssue, type SubjectName, subjects } from './issue.ts';

export async function main(step: Step): Promise<number> {
  const command = readChoice('command', step.env['ALMANAC_COMMAND'], ['drift', 'status']);
  const { about } = subjects[command];
  try {
    await keep(step, command);
    return 0;
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    if (error.lacksPermission) {
      // The step before this one has reported it, so this one does not fail.
      const words = `The issue ${about} was not written. ${error.message} This repository has no issues, or the job lacks the permission \`issues: write\`.`;
      annotate(step, 'warning', words);
      addToSummary(step, words);
      return 0;
    }
    annotate(step, 'error', `The issue ${about} could not be written. ${error.message}`);
    addToSummary(
      step,
      `**The issue ${about} could not be written.** An existing issue may show what an earlier run found.`,
    );
    return 1;
  }
}

async function keep(step: Step, command: SubjectName): Promise<void> {
  const { ALMANAC_REPORT_JSON: json = '', ALMANAC_REPORT_MARKDOWN: markdown = '' } = step.env;
  const { name, path } = readFolder(step);
  const wanted = issueAbout(command, {
    environment: readEnvironment(step),
    directory: name,
    onto: headOf(step, path),
    document: JSON.parse(readFileSync(json, 'utf8')) as CheckDocument,
    markdown: redactor(secretValues(step))(readFileSync(markdown, 'utf8')),
    link: linkToRun(step),
  });
  const github = connectGithub(step);
  await keepIssue(step, github, wanted, await github.ownIssues());
}
