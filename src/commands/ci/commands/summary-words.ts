// Words and files that steps share: those of summaries, and files from one to the next.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, fence } from '../comments/markdown.ts';
import type { Coverage } from '../reviews/coverage.ts';
import type { Reads } from '../reviews/history.ts';
import type { Folder } from '../runner/inputs.ts';
import type { ShownPlanDocument } from './reports.ts';
import type { ActionRun } from './run.ts';

/** Characters of the log that a failure shows. */
const shownOfLog = 8_000;

export interface Workspace {
  readonly environment: string;
  readonly folder: Pick<Folder, 'name'>;
}

/** Names the workspace, because a run may have several. */
export function workspaceWords({ environment, folder }: Workspace): string {
  const words = [
    ...(environment === '' ? [] : [`Environment ${code(environment)}`]),
    ...(folder.name === '.' ? [] : [`workspace ${code(folder.name)}`]),
  ];
  return words.length === 0 ? '' : `${words.join(', ')}\n\n`;
}

/** Says first in a comment that nothing was compared with the base branch, and why; '' without a reason. */
export function baseWords(unread: string): string {
  const what = 'so almanac.yaml and the table of permissions were not compared with the base branch';
  return unread === '' ? '' : `> [!CAUTION]\n> - **${unread}, ${what}**\n\n`;
}

interface FailureToShow {
  readonly exitCode: number;
  readonly log: string;
}

export function failureWords(what: string, { exitCode, log }: FailureToShow, run: Workspace): string {
  const end = log.length > shownOfLog ? `…\n${log.slice(-shownOfLog)}` : log;
  return `## almanac ${what} failed\n\n${workspaceWords(run)}It ended with exit code ${exitCode}.\n\n${fence(end)}`;
}

/** Reports why almanac stopped, also as an annotation if it named an `error`. Returns the exit code of the step. */
export function reportFailure(
  run: ActionRun,
  what: string,
  { exitCode, log, error }: FailureToShow & { readonly error?: Said | undefined },
): number {
  const words = error === undefined ? '' : errorText(error);
  if (words !== '') run.annotate('error', words);
  run.addToSummary(failureWords(what, { exitCode, log: `${log}${words}` }, run));
  return exitCode || 1;
}

export interface Said {
  readonly message: string;
  readonly hint?: string;
}

export function errorText({ message, hint }: Said): string {
  return hint === undefined ? String(message) : `${message}\n${hint}`;
}

// The files by which one step of an apply informs the next.

interface PreparedPlace extends Reads {
  readonly planned: Pick<ShownPlanDocument, 'changes' | 'state'>;
}

/**
 * Writes the workspace's place and sources, and the planned changes: `{ …place, planned: { changes, state } }`. Nothing
 * of it is masked, because reviews are found by addresses.
 */
export const writePlace = (prepared: string, place: PreparedPlace): void =>
  writeFileSync(join(prepared, 'place.json'), JSON.stringify(place));
export const readPlace = (prepared: string): PreparedPlace =>
  JSON.parse(readFileSync(join(prepared, 'place.json'), 'utf8')) as PreparedPlace;

interface Reviews extends Coverage {
  readonly gaps: readonly string[];
}

/** Writes the reviewed digests as a list for almanac, and for people the reasons why others are missing. */
export function writeReviews(prepared: string, { digests, ...why }: Reviews): void {
  writeFileSync(join(prepared, 'reviews.json'), JSON.stringify(why));
  writeFileSync(reviewedList(prepared), digests.map((digest) => `${digest}\n`).join(''));
}

export const readReviews = (prepared: string): Omit<Reviews, 'digests'> =>
  JSON.parse(readFileSync(join(prepared, 'reviews.json'), 'utf8')) as Omit<Reviews, 'digests'>;
export const reviewedList = (prepared: string): string => join(prepared, 'reviewed.txt');
