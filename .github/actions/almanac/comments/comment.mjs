// Keeps one comment on the pull request for each environment of a workspace, or as many as its plan takes, and always
// rewrites them as a whole, also if nothing changes: they record what was reviewed. A run whose token is read-only, as for a fork, leaves a note in
// the job summary, which has the full plan.

import { readFileSync } from 'node:fs';
import { connectGithub, ownLogin } from '../github/api.mjs';
import { linkToRun } from '../runner/event.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { HostFailure } from '../runner/http.mjs';
import { redactor, secretValues } from '../runner/secrets.mjs';
import { reviewLine } from './marker.mjs';
import { commentBodies, rewriteComments } from './parts.mjs';

export async function main(step) {
  /** Whether the pull request shows an earlier plan, which readers would take for this one. */
  const shown = { isStale: false };
  try {
    await write(step, shown);
    return 0;
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    if (error.isForbidden && !shown.isStale) {
      step.say(`The pull request got no comment. ${error.message}\n`);
      addToSummary(
        step,
        `No comment was written. ${error.message} In pull requests from forks and of Dependabot, the token of a run is read-only. Without a comment from another workflow, an apply will not know that this plan was reviewed.`,
      );
      return 0;
    }
    annotate(step, 'error', `The comment on the pull request could not be written. ${error.message}`);
    addToSummary(
      step,
      '**The comment on the pull request could not be written.** An existing comment shows an earlier plan.',
    );
    return 1;
  }
}

async function write(step, shown) {
  const pull = pullNumber(step);
  const text = readFileSync(step.env.ALMANAC_COMMENT_PATH ?? '', 'utf8');
  const [first = '', ...rest] = text.split('\n');
  const review = reviewLine(first);
  if (review === undefined) throw new Error('the comment has no marker');
  const bodies = bodiesOf(step, first, rest.join('\n'), review);
  const github = connectGithub(step);
  // The comment says what could be seen before the merge. A run that ends later, or is repeated, must not replace that.
  if ((await github.pull(pull)).merged_at) {
    annotate(
      step,
      'notice',
      'The pull request is merged, so its comment stays as it is. The plan is in the job summary.',
    );
    return;
  }
  // Others may write the same first line.
  const own = (await github.commentsOf(pull)).filter(
    ({ body, user }) => user?.login === ownLogin && String(body ?? '').startsWith(`${review.identity} `),
  );
  shown.isStale = own.length > 0;
  await rewriteComments(github, pull, own, bodies);
  step.say('The comment on the pull request is up to date.\n');
}

function bodiesOf(step, first, markdown, { head }) {
  const link = linkToRun(step);
  const planned = head === '' ? '' : ` planned ${head}`;
  const foot = `\n<sub>${link === '' ? 'Almanac' : `[This run](${link})`}${planned}</sub>\n`;
  return commentBodies(first, redactor(secretValues(step))(markdown), { foot, link });
}

function pullNumber({ env }) {
  const number = Number(env.ALMANAC_PULL);
  if (!Number.isSafeInteger(number) || number <= 0) throw new Error('the comment has no pull request');
  return number;
}
