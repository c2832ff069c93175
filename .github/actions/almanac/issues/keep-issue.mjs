// Keeps one issue for each environment of a workspace, about drift or about deliveries that failed: opens it when there is
// something to look at, updates it when there is something else, and closes it when there is nothing. It has the GitHub
// token, and runs no code of Almanac.

import { readFileSync } from 'node:fs';
import { connectGithub } from '../github/api.mjs';
import { linkToRun } from '../runner/event.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { HostFailure } from '../runner/http.mjs';
import { readEnvironment, readFolder } from '../runner/inputs.mjs';
import { redactor, secretValues } from '../runner/secrets.mjs';
import { issueAbout, keepIssue, subjects } from './issue.mjs';

const command = process.env.ALMANAC_COMMAND;
const { about } = subjects[command];

try {
  await main();
} catch (error) {
  if (!(error instanceof HostFailure)) throw error;
  if (error.isForbidden) {
    // The step before this one has reported it, so this one does not fail.
    const words = `The issue ${about} was not written: this repository has no issues, or the job lacks the permission \`issues: write\`.`;
    annotate('warning', words);
    addToSummary(words);
  } else {
    annotate('error', `The issue ${about} could not be written. ${error.message}`);
    addToSummary(`**The issue ${about} could not be written.** An existing issue may show what an earlier run found.`);
    process.exitCode = 1;
  }
}

async function main() {
  const wanted = issueAbout(command, {
    environment: readEnvironment(),
    directory: readFolder().name,
    document: JSON.parse(readFileSync(process.env.ALMANAC_REPORT_JSON ?? '', 'utf8')),
    markdown: redactor(secretValues())(readFileSync(process.env.ALMANAC_REPORT_MARKDOWN ?? '', 'utf8')),
    link: linkToRun(),
  });
  const github = connectGithub();
  await keepIssue(github, wanted, await github.ownIssues());
}
