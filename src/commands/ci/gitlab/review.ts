// The job `review`: plans the merge request, and keeps one note on it with the plan, even if nothing changes. The note
// begins with a warning if the base URL or the place of the state is not that of the target branch. Without
// ALMANAC_NOTE_TOKEN, as in the pipelines of forks, the plan stays among the artifacts of the job.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, withoutMarks } from '../../../model/values/command.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { baseWords, failureWords, workspaceWords } from '../commands/summary-words.ts';
import { cutMarkdown, fence, inCharacters } from '../comments/markdown.ts';
import { attribute, markerOf } from '../comments/marker.ts';
import { keepOnPull } from '../comments/parts.ts';
import { openGit } from '../runner/git.ts';
import { isCommit, readEnvironment, readFolder } from '../runner/inputs.ts';
import type { RunningStep } from '../step.ts';
import { connectGitlab, withoutQuickActions } from './api.ts';
import { inCheckout, inTemporaryFolder, type Job, jobLink, type Place, readPlace, runJob } from './job.ts';

/** GitLab allows 1,000,000 characters. */
const maxNoteLength = 990_000;

const tooLong = `> [!CAUTION]
> **This is not the whole plan: it is too long for a note.** Either split the merge request, or read the whole plan in plan.html, among the artifacts of this job, and after the merge apply it by hand with its digest: \`${withoutMarks(command('apply', '--expect', 'DIGEST'))}\`.

`;

export function main(step: RunningStep): Promise<number> {
  return runJob(step, (job) => inTemporaryFolder((folder) => review(job, folder)));
}

async function review(job: Job, folder: string): Promise<number> {
  const { words, code } = await planned(job, folder).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    job.say(`${job.redact(error.message)}\n`);
    return { words: `## Almanac did not run\n\nThere is no plan of this push.\n\n${fence(error.message)}\n`, code: 1 };
  });
  job.say(`${await keepNote(job, words)}\n`);
  return code;
}

async function planned(job: Job, folder: string): Promise<{ readonly words: string; readonly code: number }> {
  const place = readPlace(job);
  const { commit, unread } = baseOf(job, place);
  if (unread !== '') job.say(`${unread}, so nothing was compared with the target branch.\n`);
  const markdown = join(folder, 'plan.md');
  const reports = ['gitlab=widget.json', 'html=plan.html', `markdown=${markdown}`];
  const options = ['--verbose', '--detailed-exitcode', ...reports.map((report) => `--report=${report}`)];
  const plan = await place.almanac(['plan', ...options, ...(commit === '' ? [] : [`--base=${commit}`])]);
  const failed = plan.code !== 0 && plan.code !== 2;
  const report = existsSync(markdown) ? readFileSync(markdown, 'utf8') : '';
  const words = failed
    ? `${report}\n${failureWords('plan', { exitCode: plan.code, log: plan.log }, place)}`
    : `${workspaceWords(place)}${report}`;
  return { words: `${baseWords(unread)}${words}`, code: failed ? plan.code : 0 };
}

/** The commit of the target branch that these files contain; both are '' outside of a merge request. */
function baseOf(job: Job, place: Place): { readonly commit: string; readonly unread: string } {
  if (!job.env['CI_MERGE_REQUEST_IID']) return { commit: '', unread: '' };
  const { onto } = commitsOf(job);
  if (onto === '')
    return { commit: '', unread: 'GitLab does not say which commit of the target branch these files contain' };
  // The clone of a runner is shallow, so the commit may be missing.
  const isThere = openGit(job, place.folder.checkout).fetchCommit(onto);
  return isThere ? { commit: onto, unread: '' } : { commit: '', unread: 'The base branch could not be read' };
}

/**
 * The tip of the branch, and the commit of the target branch that the planned files contain; '' if unknown. The
 * checkout does not tell: with squash or fast-forward there is no merge commit of both.
 */
function commitsOf({ env }: Job): { readonly head: string; readonly onto: string } {
  const first = (...names: readonly string[]) => names.map((name) => env[name]).find(isCommit) ?? '';
  return {
    head: first('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'),
    onto: first('CI_MERGE_REQUEST_TARGET_BRANCH_SHA', 'CI_MERGE_REQUEST_DIFF_BASE_SHA'),
  };
}

/** Writes or rewrites the note. Resolves to a sentence about that. */
async function keepNote(job: Job, words: string): Promise<string> {
  const mergeRequest = job.env['CI_MERGE_REQUEST_IID'] ?? '';
  if (!/^\d+$/.test(mergeRequest)) return 'This pipeline belongs to no merge request, so there is no note to write.';
  if (job.env['CI_MERGE_REQUEST_EVENT_TYPE'] === 'merge_train')
    return 'This pipeline belongs to a merge train: its plan contains what other merge requests change, so the note stays as it is.';
  const gitlab = connectGitlab(job);
  if (gitlab === undefined)
    return 'ALMANAC_NOTE_TOKEN is not set, as in merge requests from forks, so there is no note. The plan is among the artifacts of this job: plan.html.';
  try {
    const folder = readFolder(inCheckout(job), { mayBeMissing: true });
    const identity = markerOf({ environment: readEnvironment(job), directory: folder.name });
    const { head, onto } = commitsOf(job);
    const into = attribute(job.env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME'] ?? '');
    const body = noteOf(job, `${identity} head="${head}" base="${into}" onto="${onto}" -->`, { words, head });
    let isFirst = true;
    const left = await keepOnPull(
      gitlab,
      mergeRequest,
      { identity, head, base: into, onto, bodies: [body] },
      (count) => {
        isFirst = count === 0;
      },
    );
    if (left !== undefined) return `${left}, so its note stays as it is.`;
    return isFirst ? 'Wrote the plan as a note on the merge request.' : 'The note on the merge request is up to date.';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'usage',
      `The note on the merge request could not be written, and an existing one may show an earlier plan. ${error.message}`,
    );
  }
}

function noteOf(job: Job, first: string, { words, head }: { readonly words: string; readonly head: string }): string {
  const link = jobLink(job);
  const planned = head === '' ? '' : ` planned ${head}`;
  const foot = `<sub>${link === '' ? 'Almanac' : `[This job](${link})`}${planned}</sub>`;
  const text = withoutQuickActions(job.redact(words));
  const shown = cutMarkdown(text, { limit: maxNoteLength, words: 'The rest is in plan.html.', sizeOf: inCharacters });
  return `${first}\n${text.length <= maxNoteLength ? '' : tooLong}${shown}\n${foot}\n`;
}
