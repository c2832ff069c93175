// The keys below a prefix, page by page, in order. An answer that does not fit the question is refused: a key that is
// overlooked could be the newest entry.

import { type Answer, type NoAnswer, textOf } from '../exchange.ts';
import { child, childText, readXml } from './read-xml.ts';
import type { S3Client } from './s3-client.ts';

export interface Listing {
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after?: string;
  readonly pageSize?: number;
  /** More keys than these are none of a log. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

export type Listed =
  | { readonly type: 'keys'; readonly keys: readonly string[]; readonly answer: Answer }
  | { readonly type: 'refused'; readonly answer: Answer | NoAnswer }
  /** `what` ends a sentence that begins with "it". */
  | { readonly type: 'odd'; readonly answer: Answer; readonly what: string };

/** Of ten years of an apply each ten minutes. Without an end to it, a server could keep a run busy for ever. */
const usualMost = 5_000_000;

export async function listKeys(
  client: Pick<S3Client, 'send'>,
  { prefix, after, pageSize, most = usualMost, signal }: Listing,
): Promise<Listed> {
  const keys: string[] = [];
  let token: string | undefined;
  for (;;) {
    const query = {
      'list-type': '2',
      prefix,
      'max-keys': pageSize?.toString(),
      'continuation-token': token,
      'start-after': token === undefined ? after : undefined,
    };
    const answer = await client.send({ method: 'GET', query }, { signal });
    if (answer.type === 'none' || answer.status !== 200) return { type: 'refused', answer };
    const page = readPage(answer);
    if (page === undefined) return { type: 'odd', answer, what: 'does not answer a listing as S3 does' };
    for (const key of page.keys) {
      if (!key.startsWith(prefix) || key <= (keys.at(-1) ?? after ?? ''))
        return { type: 'odd', answer, what: 'lists other objects than those asked for, or not in order' };
      keys.push(key);
    }
    if (keys.length > most) return { type: 'odd', answer, what: 'lists objects without an end' };
    if (!page.isTruncated) return { type: 'keys', keys, answer };
    if (page.token === undefined || page.token === token || page.keys.length === 0)
      return { type: 'odd', answer, what: 'breaks off its listing' };
    token = page.token;
  }
}

interface Page {
  readonly keys: readonly string[];
  readonly isTruncated: boolean;
  readonly token: string | undefined;
}

function readPage(answer: Answer): Page | undefined {
  const result = readXml(textOf(answer));
  const truncated = childText(result, 'IsTruncated');
  if (result?.name !== 'ListBucketResult' || (truncated !== 'true' && truncated !== 'false')) return undefined;
  const keys: string[] = [];
  for (const contents of result.children.filter(({ name }) => name === 'Contents')) {
    const key = childText(contents, 'Key');
    if (key === undefined) return undefined;
    keys.push(key);
  }
  const token = child(result, 'NextContinuationToken')?.text;
  return { keys, isTruncated: truncated === 'true', token: token || undefined };
}
