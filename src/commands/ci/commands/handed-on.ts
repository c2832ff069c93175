// What one step of an apply hands to the next, in files.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage } from '../reviews/coverage.ts';
import type { Reads } from '../reviews/history.ts';
import type { ShownPlanDocument } from './reports.ts';

interface PreparedPlace extends Reads {
  readonly planned: Pick<ShownPlanDocument, 'changes' | 'state'>;
}

/**
 * Where the workspace is and what it reads, and what is planned: `{ …place, planned: { changes, state } }`. Nothing of it is
 * masked: what was reviewed is found by addresses.
 */
export const writePlace = (prepared: string, place: PreparedPlace): void =>
  writeFileSync(join(prepared, 'place.json'), JSON.stringify(place));
export const readPlace = (prepared: string): PreparedPlace =>
  JSON.parse(readFileSync(join(prepared, 'place.json'), 'utf8')) as PreparedPlace;

export interface Reviews extends Coverage {
  readonly gaps: readonly string[];
}

/** What was reviewed: a list for almanac, and for people why the rest is not in it. */
export function writeReviews(prepared: string, { digests, ...why }: Reviews): void {
  writeFileSync(join(prepared, 'reviews.json'), JSON.stringify(why));
  writeFileSync(reviewedList(prepared), digests.map((digest) => `${digest}\n`).join(''));
}

export const readReviews = (prepared: string): Omit<Reviews, 'digests'> =>
  JSON.parse(readFileSync(join(prepared, 'reviews.json'), 'utf8')) as Omit<Reviews, 'digests'>;
export const reviewedList = (prepared: string): string => join(prepared, 'reviewed.txt');
