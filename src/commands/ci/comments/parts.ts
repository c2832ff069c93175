// Divides a plan among as many comments as it takes. Each has a part of the digests in its first line, and only all of
// them together are a review. A plan that is too long for them appears in none: nobody can have reviewed what is not
// shown.

import { command, withoutMarks } from '../../../model/values/command.ts';
import { nextComment } from '../../../report/text/markdown-parts.ts';
import { wasThere } from '../runner/http.ts';
import { cutMarkdown, inCharacters, maxBodyLength } from './markdown.ts';
import { attribute, ontoIn, partLine, type ReviewLine, tooLong } from './marker.ts';

const maxParts = 10;
/** Characters for the words around a part. */
const around = 300;

interface CommentEnd {
  readonly foot: string;
  readonly link: string;
}

/**
 * The bodies of the comments, in order. `first` is the first line, with every digest, and its parsed content. `foot`
 * ends each of them; `link` leads to the run, or is ''.
 */
export function commentBodies(
  first: string,
  text: string,
  { head, digest, changes: all }: Pick<ReviewLine, 'head' | 'digest' | 'changes'>,
  { foot, link }: CommentEnd,
): readonly string[] {
  // The log of a failed plan may contain any line.
  const pieces = digest === '' ? [text] : `\n${text}`.split(`\n${nextComment}\n`).map(withoutBlankLines);
  const texts = pieces.map((piece, index) => (index < pieces.length - 1 ? piece.trimEnd() : piece));
  const digests = all === '' ? [] : all.split('.');
  const parts = withDigests(texts, digests, maxBodyLength - partLine(first, '').length - foot.length - around);
  const [beginning = ''] = texts;
  if (parts === undefined) return [noReview(first, beginning, { foot, link, digest })];
  if (parts.length === 1) return [`${first}\n${beginning}\n${foot}`];
  return parts.map(({ markdown, changes }, index) => {
    const of = { part: index + 1, parts: parts.length };
    const words = `part ${of.part} of ${of.parts}${head === '' ? '' : `, for ${head}`}`;
    const title = index === 0 ? `**This is ${words}.**` : `## Almanac plan: ${words}`;
    return `${partLine(first, changes, of)}\n${title}\n\n${markdown}\n${foot}`;
  });
}

const withoutBlankLines = (text: string): string => text.replace(/^\n+/, '');

export interface HostText {
  readonly id: number;
  readonly body?: string | null | undefined;
}

export interface CommentsHost {
  addComment(pull: number | string, body: string): Promise<unknown>;
  changeComment(pull: number | string, id: number, body: string): Promise<unknown>;
  removeComment(pull: number | string, id: number): Promise<unknown>;
}

export interface CommitsHost {
  /** True if a commit comes after another one; false if that is not known. */
  comesAfter(commit: string, other: string): Promise<boolean>;
}

/** The host of a pull request, or of a merge request, that keeps texts. */
export interface PullHost extends CommentsHost, CommitsHost {
  /** The host's name for it, and the branch that it goes into. */
  readonly words: { readonly pull: string; readonly base: string };
  /** Its present state; a part is undefined if the host does not tell. */
  pullNow(pull: number | string): Promise<PullNow>;
  /** The texts on it that this token wrote. */
  ownTexts(pull: number | string): Promise<readonly HostText[]>;
}

interface PullNow {
  readonly isMerged: boolean;
  readonly head: string | undefined;
  readonly base: string | undefined;
}

/** The texts of a plan. Each first line begins with `identity`, and has the other three; '' stands for what is not known. */
interface KeptTexts {
  readonly identity: string;
  readonly head: string;
  /** As an `attribute`. */
  readonly base: string;
  readonly onto: string;
  readonly bodies: readonly string[];
}

/**
 * Makes these the only texts of their identity on a pull request. Resolves to the reason why they stay as they are, undefined
 * if they were written. `onOwn` is told how many there were.
 */
export async function keepOnPull(
  host: PullHost,
  pull: number | string,
  { identity, head, base, onto, bodies }: KeptTexts,
  onOwn: (count: number) => void,
): Promise<string | undefined> {
  const { words } = host;
  const now = await host.pullNow(pull);
  // A text shows what was known before the merge. A run that ends later, or is repeated, must not replace that.
  if (now.isMerged) return `The ${words.pull} is merged`;
  if (head !== '' && now.head !== undefined && now.head !== head)
    return `The ${words.pull} was pushed to after the commit of this plan`;
  if (base !== '' && now.base !== undefined && attribute(now.base) !== base)
    return `The ${words.pull} goes into a different branch than this plan`;
  // Others may write the same first line.
  const own = (await host.ownTexts(pull))
    .filter(({ body }) => String(body ?? '').startsWith(`${identity} `))
    .sort((a, b) => a.id - b.id);
  onOwn(own.length);
  // A plan of another head or for another branch says nothing about the pull request as it is now.
  const isSame = (body: string) => (body.split(/\r?\n/, 1)[0] ?? '').includes(` head="${head}" base="${base}" `);
  const same = own.map(({ body }) => String(body)).filter(isSame);
  if (await isOutdated(host, onto, same))
    return `The ${words.pull} has a plan that contains later commits of the ${words.base}`;
  if (onto === '' && same.some((body) => ontoIn(body) !== ''))
    return `The ${words.pull} has a plan that names the commit of its ${words.base}, which this run does not know`;
  for (const [index, body] of bodies.entries()) {
    const there = own[index];
    const isWritten = there !== undefined && (await wasThere(host.changeComment(pull, there.id, body)));
    if (!isWritten) await host.addComment(pull, body);
  }
  // An earlier plan may have needed more, and two concurrent runs may each have added one.
  for (const { id } of own.slice(bodies.length)) await wasThere(host.removeComment(pull, id));
  return undefined;
}

/**
 * True if one of these texts was made from files with a later commit of the base branch than `onto`, so that a run with
 * `onto` must not replace it. The host is asked, because a shallow clone does not know the order.
 */
export async function isOutdated(
  host: CommitsHost,
  onto: string,
  bodies: readonly (string | null | undefined)[],
): Promise<boolean> {
  for (const other of new Set(bodies.map(ontoIn)))
    if (![other, onto].includes('') && other !== onto && (await host.comesAfter(other, onto))) return true;
  return false;
}

/** The text of a comment without its foot, which names the run: two runs may have added one plan. */
export function withoutFoot(body: string): string {
  return body.replace(/\n<sub>[^\n]*<\/sub>\n*$/, '');
}

/** Digests fill the room that the text leaves, and then comments of their own. Undefined if it takes too many. */
function withDigests(
  texts: readonly string[],
  digests: readonly string[],
  limit: number,
): readonly { readonly markdown: string; readonly changes: string }[] | undefined {
  const parts: { readonly markdown: string; readonly changes: string }[] = [];
  let given = 0;
  while (parts.length < texts.length || given < digests.length) {
    const markdown = texts[parts.length] ?? 'Digests of changes that the other parts show.';
    let roomLeft = limit - markdown.length;
    if (roomLeft < 0 || parts.length === maxParts) return undefined;
    const from = given;
    for (let next = digests[given]; next !== undefined && next.length < roomLeft; next = digests[given]) {
      roomLeft -= next.length + 1;
      given += 1;
    }
    parts.push({ markdown, changes: digests.slice(from, given).join('.') });
  }
  return parts;
}

function noReview(
  first: string,
  markdown: string,
  { foot, link, digest }: CommentEnd & { readonly digest: string },
): string {
  const run = link === '' ? 'of the run' : `of [the run](${link})`;
  const words = [
    '> [!CAUTION]',
    `> **This is not the whole plan, and does not count as a review: it is too long for ${maxParts} comments.** An apply will refuse it. Either split the pull request, or read the whole plan in the log ${run}, and after the merge start the apply by hand with its digest: \`${withoutMarks(command('apply', '--expect', digest))}\`.`,
  ].join('\n');
  const line = partLine(first, tooLong);
  const limit = maxBodyLength - line.length - words.length - foot.length - around;
  const shown = cutMarkdown(markdown, { limit, words: `The rest is in the log ${run}.`, sizeOf: inCharacters });
  return `${line}\n${words}\n\n${shown}\n${foot}`;
}
