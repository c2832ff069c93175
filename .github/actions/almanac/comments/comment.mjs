// Keeps one comment on the pull request for each environment of a workspace, and always rewrites it as a whole. If
// nothing changes, an existing comment says so and no new one is created. A run whose token is read-only, as for a
// fork, leaves a note in the job summary, which has the full plan.

import { readFileSync } from 'node:fs';
import { connectGithub, GithubFailure } from '../github/api.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { redactor, secretValues } from '../runner/secrets.mjs';
import { cutMarkdown, inCharacters } from './markdown.mjs';
import { identityIn } from './marker.mjs';
import { ownComments } from './own-comments.mjs';

/** GitHub's limit is 65,536 characters. */
const limit = 65_000;

/** Whether the pull request shows an earlier plan, which readers would take for this one. */
let isStale = false;

try {
  await main();
} catch (error) {
  if (!(error instanceof GithubFailure)) throw error;
  if (error.isForbidden && !isStale) {
    process.stdout.write('The token of this run may not comment on the pull request.\n');
    addToSummary('No comment was written: the token of this run is read-only, as in pull requests from forks.');
  } else {
    annotate('error', `The comment on the pull request could not be written. ${error.message}`);
    addToSummary(
      '**The comment on the pull request could not be written.** An existing comment shows an earlier plan.',
    );
    process.exitCode = 1;
  }
}

async function main() {
  const pull = pullNumber();
  if (pull === undefined) {
    process.stdout.write('This run does not belong to a pull request, so there is nothing to comment on.\n');
    return;
  }
  const text = readFileSync(process.env.ALMANAC_COMMENT_PATH ?? '', 'utf8');
  const [first = '', ...rest] = text.split('\n');
  const identity = identityIn(first);
  if (identity === undefined) throw new Error('the comment has no marker');
  const body = bodyOf(first, rest.join('\n'));
  const github = connectGithub();
  const [own, ...others] = ownComments(await github.commentsOf(pull), identity);
  if (own !== undefined) {
    isStale = true;
    if (own.body !== body) await github.changeComment(own.id, body);
    // Two concurrent runs may each have added a comment.
    for (const { id } of others) await github.removeComment(id);
    process.stdout.write('The comment on the pull request is up to date.\n');
  } else if (process.env.ALMANAC_CHANGES === 'false') {
    process.stdout.write('The plan has no changes, and no comment says otherwise.\n');
  } else {
    await github.addComment(pull, body);
    process.stdout.write('Commented on the pull request.\n');
  }
}

function bodyOf(first, markdown) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
  const link = server && repository && /^\d+$/.test(run ?? '') ? `${server}/${repository}/actions/runs/${run}` : '';
  const words = link === '' ? 'The rest is in the job summary.' : `The rest is in the [job summary](${link}).`;
  const foot = `\n<sub>${link === '' ? 'Almanac' : `[This run](${link})`}${commitWords()}</sub>\n`;
  const redact = redactor(secretValues());
  const room = limit - first.length - foot.length - 2;
  return `${first}\n${cutMarkdown(redact(markdown), { limit: room, words, sizeOf: inCharacters })}\n${foot}`;
}

function commitWords() {
  const head = event().pull_request?.head?.sha;
  return /^[0-9a-f]{40,64}$/.test(head ?? '') ? ` planned ${head}` : '';
}

function pullNumber() {
  const { pull_request: pull, issue } = event();
  const number = pull?.number ?? (issue?.pull_request === undefined ? undefined : issue.number);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function event() {
  try {
    return JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH ?? '', 'utf8'));
  } catch {
    return {};
  }
}
