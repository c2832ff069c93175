// The files by which one step of an apply informs the next.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage } from '../reviews/coverage.ts';
import type { Reads } from '../reviews/history.ts';
import type { ShownPlanDocument } from './reports.ts';

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

export interface Reviews extends Coverage {
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
