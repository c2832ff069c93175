// `expect: reviewed`: writes down which changes the merged pull requests show, for `almanac apply --expect-changes`, and
// why others are not known. It reads GitHub and git, and runs nothing else. If anything cannot be read, nothing is applied.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configPathsFrom } from '../commands/place.mjs';
import { reportsIn } from '../commands/reports.mjs';
import { markerOf } from '../comments/marker.mjs';
import { connectGithub } from '../github/api.mjs';
import { isCommit } from '../runner/event.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { Refusal, readChoice, readEnvironment, readFolder } from '../runner/inputs.mjs';
import { coverage } from './coverage.mjs';
import { commitsSince, reviewsOf } from './history.mjs';

const mostNamed = 20;

export async function main(step) {
  try {
    await look(step);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const words = `What was reviewed could not be read, so nothing is applied. ${error.message}`;
    annotate(step, 'error', words);
    addToSummary(step, `## Almanac apply: refused\n\n${words}`);
    return 1;
  }
}

async function look(step) {
  const { ALMANAC_PREPARED: prepared = '', ALMANAC_WHEN_UNKNOWN: whenUnknown } = step.env;
  const applyUnknown = readChoice('when-unknown', whenUnknown, ['refuse', 'apply']) === 'apply';
  const { changes, state } = JSON.parse(readFileSync(reportsIn(prepared, 'plan').json, 'utf8'));
  const history = openHistory(step, state?.commit);
  const { digests, disputed, unknown, gaps } = await gather(changes, history);
  const assumed = applyUnknown ? unknown : [];
  if (assumed.length > 0) {
    const names = assumed.slice(0, mostNamed).map(({ address }) => address);
    const more = assumed.length > mostNamed ? ` and ${assumed.length - mostNamed} more` : '';
    annotate(step, 'warning', `Nobody reviewed these changes, and when-unknown is apply: ${names.join(', ')}${more}.`);
  }
  const list = [...digests, ...assumed.map(({ digest }) => digest)];
  writeFileSync(join(prepared, 'reviews.json'), JSON.stringify({ disputed, unknown, gaps }));
  writeFileSync(join(prepared, 'reviewed.txt'), list.map((digest) => `${digest}\n`).join(''));
  const open = disputed.length + unknown.length - assumed.length;
  step.say(`Of ${changes.length} planned changes, ${open} are not shown by a merged pull request.\n`);
}

/** The commits since the state's, and how to read what their pull requests say. */
function openHistory(step, commit) {
  const { GITHUB_REF: ref = '', GITHUB_REF_NAME: branch = '' } = step.env;
  if (ref !== `refs/heads/${branch}`) throw new Refusal('This run does not belong to a branch.');
  if (commit !== undefined && !isCommit(commit)) throw new Refusal('The state does not name a commit.');
  const folder = readFolder(step);
  const identity = markerOf({ environment: readEnvironment(step), directory: folder.name });
  const known = { github: connectGithub(step), branch, identity };
  const reviews = (commits, isEnough) => reviewsOf(commits, { ...known, isEnough });
  return { commits: commitsSince(step, commit, workspaceOf(folder)), reviews };
}

/** Reads back until every change is covered by a plan that was made after all earlier merges. */
async function gather(changes, history) {
  const [reviews, gaps] = [[], []];
  let found = coverage({ changes, reviews });
  const isCovered = () => found.disputed.length === 0 && found.unknown.length === 0;
  if (isCovered()) return { ...found, gaps };
  const planned = new Set(changes.map(({ digest }) => digest));
  const covers = ({ each }) => each === undefined || each.some(({ digest }) => planned.has(digest));
  const isEnough = (mergedAt) =>
    isCovered() && reviews.every((review) => mergedAt < review.at || !covers(review.changes));
  for await (const { pull, at, changes: reviewed, gap } of history.reviews(history.commits, isEnough)) {
    if (gap !== undefined) gaps.push(pull === undefined ? gap : `#${pull} ${gap}.`);
    else reviews.unshift({ pull, at, changes: reviewed });
    found = coverage({ changes, reviews });
  }
  return { ...found, gaps };
}

/** The folder of almanac.yaml. */
function workspaceOf({ checkout, name }) {
  const config = configPathsFrom(name).find(({ path }) => existsSync(join(checkout, path)));
  return join(checkout, config?.at ?? name);
}
