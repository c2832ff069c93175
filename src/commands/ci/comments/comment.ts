// Keeps one comment on the pull request for each environment of a workspace. A long plan takes several comments.
// Comments record what was reviewed, so all are always rewritten as a whole, even if nothing changes. A run that is not
// the newest changes no comment. A run whose token may not write, as for a fork, leaves a note in the job summary,
// which has the full plan.

import { readFileSync } from 'node:fs';
import { connectGithub } from '../github/api.ts';
import { addToSummary, annotate } from '../runner/files.ts';
import { HostFailure } from '../runner/http.ts';
import { linkToRun, readEvent } from '../runner/inputs.ts';
import { redactor, secretValues } from '../runner/secrets.ts';
import type { Step } from '../step.ts';
import { ontoIn, type ReviewLine, reviewLine } from './marker.ts';
import { commentBodies, keepOnPull } from './parts.ts';

interface CommentState {
  /** True if the pull request shows an earlier plan, which readers would take for this one; undefined if not known. */
  isStale: boolean | undefined;
}

export async function main(step: Step): Promise<number> {
  const shown: CommentState = { isStale: undefined };
  try {
    await write(step, shown);
    return 0;
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    if (error.lacksPermission && !shown.isStale) {
      const expected = whyReadOnly(step);
      const why = `${error.message} ${expected ?? 'Give the job the permission `pull-requests: write`.'}`;
      if (expected === undefined) annotate(step, 'warning', `The pull request got no comment. ${why}`);
      else step.say(`The pull request got no comment. ${why}\n`);
      addToSummary(
        step,
        `No comment was written. ${why} Without a comment from another workflow, an apply will not know that this plan was reviewed.`,
      );
      return 0;
    }
    annotate(step, 'error', `The comment on the pull request could not be written. ${error.message}`);
    const more = staleWords[`${shown.isStale}`];
    addToSummary(step, `**The comment on the pull request could not be written.** ${error.message}${more}`);
    return 1;
  }
}

const staleWords = {
  true: ' An existing comment shows an earlier plan.',
  false: '',
  undefined: ' An existing comment may show an earlier plan.',
};

/** Undefined if the job could have requested the permission. */
function whyReadOnly(step: Step): string | undefined {
  const { pull_request: pull } = readEvent(step);
  const [from, into] = [pull?.head?.repo?.full_name, pull?.base?.repo?.full_name];
  // A deleted fork has no name.
  if (into !== undefined && from !== into) return 'In pull requests from forks, the token of a run is read-only.';
  if (step.env.GITHUB_ACTOR === 'dependabot[bot]') return 'In runs of Dependabot, the token is read-only.';
  return undefined;
}

async function write(step: Step, shown: CommentState): Promise<void> {
  const pull = pullNumber(step);
  const text = readFileSync(step.env['ALMANAC_COMMENT_PATH'] ?? '', 'utf8');
  const [first = '', ...rest] = text.split('\n');
  const review = reviewLine(first);
  if (review === undefined) throw new Error('the comment has no marker');
  const bodies = bodiesOf(step, { first, review, markdown: rest.join('\n') });
  const { identity, head, base } = review;
  const kept = { identity, head, base, onto: ontoIn(first), bodies };
  const left = await keepOnPull(connectGithub(step), pull, kept, (count) => {
    shown.isStale = count > 0;
  });
  if (left === undefined) step.say('The comment on the pull request is up to date.\n');
  else annotate(step, 'notice', `${left}, so its comment stays as it is. The plan is in the job summary.`);
}

function bodiesOf(
  step: Step,
  { first, review, markdown }: { readonly first: string; readonly review: ReviewLine; readonly markdown: string },
): readonly string[] {
  const { head } = review;
  const link = linkToRun(step);
  const planned = head === '' ? '' : ` planned ${head}`;
  const foot = `\n<sub>${link === '' ? 'Almanac' : `[This run](${link})`}${planned}</sub>\n`;
  return commentBodies(first, redactor(secretValues(step))(markdown), review, { foot, link });
}

function pullNumber({ env }: Step): number {
  const number = Number(env['ALMANAC_PULL']);
  if (!Number.isSafeInteger(number) || number <= 0) throw new Error('the comment has no pull request');
  return number;
}
