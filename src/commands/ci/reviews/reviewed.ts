// `expect: reviewed`: records which changes the merged pull requests show. The list is for `almanac apply
// --expect-changes`, with the reasons why other changes are not known. It reads GitHub and git, and runs nothing else.
// If anything cannot be read, nothing is applied.

import { pushAll } from '../../../model/values/collections.ts';
import { countOf } from '../../../model/values/words.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { readPlace, writeReviews } from '../commands/summary-words.ts';
import { fence } from '../comments/markdown.ts';
import { markerOf } from '../comments/marker.ts';
import { connectGithub } from '../github/api.ts';
import { addToSummary, annotate } from '../runner/files.ts';
import { isCommit, readEnvironment, readFolder } from '../runner/inputs.ts';
import type { Step } from '../step.ts';
import type { PlannedChange } from './changes.ts';
import { type Coverage, coverage, type Merge } from './coverage.ts';
import { mergesOf, openHistory } from './history.ts';
import { gapWords } from './words.ts';

const maxNamed = 20;

export async function main(step: Step): Promise<number> {
  try {
    await look(step);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const words = 'What was reviewed could not be read, so nothing is applied.';
    annotate(step, 'error', `${words} ${error.message}`);
    addToSummary(step, `## Almanac apply: refused\n\n${words}\n\n${fence(error.message)}`);
    return 1;
  }
}

async function look(step: Step): Promise<void> {
  const { ALMANAC_PREPARED: prepared = '' } = step.env;
  const { changes, state } = readPlace(prepared).planned;
  const reviews = await gather(step, changes, { since: state?.commit, prepared });
  writeReviews(prepared, reviews);
  const open = reviews.open.length;
  const shown = `${changes.length - open} of ${countOf(changes.length, 'planned change')}`;
  const others = open === 0 ? '' : `; ${open} more ${open === 1 ? 'is' : 'are'} in none of them`;
  step.say(`Merged pull requests show ${shown}${others}.\n`);
}

async function gather(
  step: Step,
  changes: readonly PlannedChange[],
  { since, prepared }: { readonly since: string | undefined; readonly prepared: string },
): Promise<Coverage & { readonly gaps: readonly string[] }> {
  const { GITHUB_REF: ref = '', GITHUB_REF_NAME: branch = '' } = step.env;
  if (ref !== `refs/heads/${branch}`) throw new Failure('usage', 'This run does not belong to a branch.');
  if (since !== undefined && !isCommit(since)) throw new Failure('usage', 'The state does not name a commit.');
  let found = coverage({ changes, merges: [], contains: () => undefined });
  const isCovered = () => found.open.length === 0;
  if (isCovered()) return { ...found, gaps: [] };
  const identity = markerOf({ environment: readEnvironment(step), directory: readFolder(step).name });
  const history = openHistory(step, { since, ...readPlace(prepared) });
  const { contains, limits } = history;
  const merges: Merge[] = [];
  const gaps = () => merges.flatMap(gapWords);
  try {
    for await (const more of mergesOf(history, { github: connectGithub(step), branch, identity })) {
      pushAll(merges, more);
      found = coverage({ changes, merges, contains });
      if (isCovered()) break;
    }
  } catch (error) {
    if (!(error instanceof Failure) || gaps().length === 0) throw error;
    throw new Failure('usage', `${error.message} So far it is known: ${gaps().slice(0, maxNamed).join(' ')}`);
  }
  return { ...found, gaps: [...gaps(), ...limits] };
}
