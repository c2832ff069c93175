// Keeps one issue for each environment of a workspace, about drift or about deliveries that failed: opens it when there is
// something to look at, updates it when there is something else, and closes it when there is nothing. It has the GitHub
// token, and runs no code of Almanac.

import { readFileSync } from 'node:fs';
import { connectGithub, GithubFailure } from '../github/api.mjs';
import { linkToRun } from '../runner/event.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { readAuthor, readCommand, readEnvironment, readFolder } from '../runner/inputs.mjs';
import { redactor, secretValues } from '../runner/secrets.mjs';
import { decideIssue, issueAbout } from './issue.mjs';

const command = readCommand();
const about = { drift: 'about drift', status: 'about deliveries' }[command];

try {
  await main();
} catch (error) {
  if (!(error instanceof GithubFailure)) throw error;
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
  const redact = redactor(secretValues());
  const wanted = issueAbout(command, {
    environment: readEnvironment(),
    directory: readFolder().name,
    document: JSON.parse(readFileSync(process.env.ALMANAC_REPORT_JSON ?? '', 'utf8')),
    markdown: redact(readFileSync(process.env.ALMANAC_REPORT_MARKDOWN ?? '', 'utf8')),
    link: linkToRun(),
  });
  const author = readAuthor();
  const github = connectGithub();
  const steps = decideIssue(wanted, ownIssues(await github.issuesBy(author), author));
  for (const step of steps) {
    if (step.action === 'open') {
      await github.addIssue({ title: step.title, body: step.body });
      process.stdout.write(`Opened an issue ${about}.\n`);
    } else {
      const state = step.open === undefined ? {} : { state: step.open ? 'open' : 'closed' };
      await github.changeIssue(step.id, { ...(step.body === undefined ? {} : { body: step.body }), ...state });
      process.stdout.write(`Updated issue #${step.id} ${about}.\n`);
    }
  }
  if (steps.length === 0) process.stdout.write(`The issue ${about}, if any, is up to date.\n`);
}

/** GitHub lists pull requests among the issues. */
function ownIssues(issues, author) {
  return issues
    .filter(({ user, pull_request: pull }) => user?.login === author && pull === undefined)
    .map(({ number, body, state }) => ({ id: number, body, isOpen: state === 'open' }));
}
