// A comment's hidden first line: its environment and the reviewed plan. It holds the digest of the plan ('' if the plan
// failed), the planned commit, the branch that it goes into, the commit of that branch that the planned files contain,
// whether the plan is of everything, and the digest of each change. If one plan has several comments, each says which
// part it is.

import {
  decodeChanges,
  encodeChanges,
  encodeNamed,
  type PlannedChange,
  type ReviewedChange,
} from '../reviews/changes.ts';

/** The part that is the same in all comments for one environment of one workspace. */
export function markerOf({
  environment,
  directory,
}: {
  readonly environment: string;
  readonly directory: string;
}): string {
  return `<!-- almanac:plan environment="${environment}" directory="${attribute(directory)}"`;
}

export interface ShownPlan {
  readonly digest: string;
  readonly head: string;
  readonly base: string;
  readonly onto?: string;
  readonly isWhole?: boolean;
  readonly named?: readonly string[];
  readonly changes: readonly PlannedChange[];
}

/**
 * `head` is the commit of the pull request, `base` its target branch, and `onto` the commit of that branch that the
 * planned files contain, each '' if it is unknown. `isWhole` means that the plan is of everything; `named` are the
 * addresses that it leaves open, and `changes` those of the plan document.
 */
export function firstLine(
  identity: string,
  { digest, head, base, onto = '', isWhole = false, named = [], changes }: ShownPlan,
): string {
  const encodedNames = encodeNamed(named);
  return lineOf({
    ...{ identity, digest, head, base: attribute(base), onto },
    isWhole: digest !== '' && isWhole && encodedNames !== undefined,
    ...{ named: encodedNames ?? '', changes: encodeChanges(changes) },
  });
}

/**
 * The commit of the base branch in the files from which a text was made; '' if its first line names none. The lines of
 * comments, notes and issues have it in the same form.
 */
export function ontoIn(body: string | null | undefined): string {
  return / onto="([0-9a-f]{40,64})"/.exec(String(body ?? '').split(/\r?\n/, 1)[0] ?? '')?.[1] ?? '';
}

/** Replaces the changes if a plan is too long to be shown. */
export const tooLong = 'too-long' as const;

const marker =
  /^(<!-- almanac:plan environment="[^"]*" directory="[^"]*") digest="([0-9a-f]{64})?" head="([0-9a-f]{40,64})?" base="([^"]*)" onto="([0-9a-f]{40,64})?" whole="(yes|no)" named="((?:[\w-]{8}(?:\.[\w-]{8})*)?)" changes="([^"]*)"(?: part="([1-9]\d?)\/([1-9]\d?)")? -->$/;

interface MarkerLine {
  readonly identity: string;
  readonly digest: string;
  readonly head: string;
  readonly base: string;
  readonly onto: string;
  readonly isWhole: boolean;
  readonly named: string;
  readonly changes: string;
}

interface Part {
  readonly part: number;
  readonly parts: number;
}

export interface ReviewLine extends MarkerLine, Part {}

export interface Review extends Omit<ReviewLine, 'changes'> {
  readonly changes: readonly ReviewedChange[] | typeof tooLong;
}

/**
 * Parses a comment's first line: `base` is still an `attribute`, and `changes` are as written there, or `tooLong`.
 * Undefined if it is not the marker of this environment, or is damaged.
 */
export function reviewIn(body: string, identity: string): Review | undefined {
  const review = reviewLine(body.split(/\r?\n/, 1)[0] ?? '');
  if (review?.identity !== identity) return undefined;
  const changes = review.changes === tooLong ? tooLong : decodeChanges(review.changes);
  return changes === undefined ? undefined : { ...review, changes };
}

/** Like `reviewIn`, with the changes as a text; undefined if the line is not a marker. */
export function reviewLine(line: string): ReviewLine | undefined {
  const found = marker.exec(line);
  if (found === null) return undefined;
  const [, identity = '', digest = '', head = '', base = '', onto = '', whole, named = ''] = found;
  const [changes = '', part = '1', parts = '1'] = found.slice(8);
  const isWhole = whole === 'yes';
  return { identity, digest, head, base, onto, isWhole, named, changes, part: Number(part), parts: Number(parts) };
}

/** A marker with other changes. `of` is `{ part, parts }`, if there are several. */
export function partLine(line: string, changes: string, of?: Part): string {
  const review = reviewLine(line);
  if (review === undefined) throw new Error('the comment has no marker');
  return lineOf({ ...review, changes }, of);
}

function lineOf({ identity, digest, head, base, onto, isWhole, named, changes }: MarkerLine, of?: Part): string {
  const whole = isWhole ? 'yes' : 'no';
  const part = of === undefined ? '' : ` part="${of.part}/${of.parts}"`;
  return `${identity} digest="${digest}" head="${head}" base="${base}" onto="${onto}" whole="${whole}" named="${named}" changes="${changes}"${part} -->`;
}

/** Escapes text for the quotes of a marker, so that it can end neither them nor the comment. */
export function attribute(text: string): string {
  return encodeURIComponent(text).replace(/[-']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
