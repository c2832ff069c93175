// Keeps one issue for each environment of a workspace, about drift or about deliveries that failed: opens it when there is
// something to look at, updates it when there is something else, and closes it when there is nothing. It has the GitHub
// token, and runs no code of Almanac.

import { readFileSync } from 'node:fs';
import { connectGithub } from '../github/api.mjs';
import { linkToRun } from '../runner/event.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { headOf } from '../runner/git.mjs';
import { HostFailure } from '../runner/http.mjs';
import { readEnvironment, readFolder } from '../runner/inputs.mjs';
import { redactor, secretValues } from '../runner/secrets.mjs';
import { issueAbout, keepIssue, subjects } from './issue.mjs';

export async function main(step) {
  const command = step.env.ALMANAC_COMMAND;
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

async function keep(step, command) {
  const { ALMANAC_REPORT_JSON: json = '', ALMANAC_REPORT_MARKDOWN: markdown = '' } = step.env;
  const { name, path } = readFolder(step);
  const wanted = issueAbout(command, {
    environment: readEnvironment(step),
    directory: name,
    onto: headOf(step, path),
    document: JSON.parse(readFileSync(json, 'utf8')),
    markdown: redactor(secretValues(step))(readFileSync(markdown, 'utf8')),
    link: linkToRun(step),
  });
  const github = connectGithub(step);
  await keepIssue(step, github, wanted, await github.ownIssues());
}
