// What others changed, in Markdown: a line for each resource, or for many that were changed equally.

import type { Address } from '../../../model/values/address.ts';
import { countResources } from '../../fields/count-resources.ts';
import { fieldDiffLines } from '../../fields/field-diff-text.ts';
import type { Details } from '../../text/comment-budget.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { markdownCode as code } from '../../text/escape-markdown.ts';
import { driftedLines, isGone } from '../drift-text.ts';
import { differenceWords } from '../folds/difference-words.ts';
import type { FoldedDrift } from '../folds/fold-changes.ts';
import { detailsOf, detailsPage, fenced, nameList, spans, titleCode } from './markdown-parts.ts';

const mostFields = 6;

export function driftLine({ kind, addresses, diff }: FoldedDrift): string {
  if (addresses.length > 1) {
    const what = isGone(diff) ? ' are gone' : `: ${spans(differenceWords(kind, diff))}`;
    return `- ${countResources(kind, addresses)}${what}`;
  }
  if (isGone(diff)) return `- ${code(addresses[0])} is gone`;
  const fields = [...new Set(diff.map(({ path }) => path.split('/')[1] ?? ''))];
  const shown = fields.slice(0, mostFields).map(code).join(', ');
  return `- ${code(addresses[0])}: ${shown}${fields.length > mostFields ? ', …' : ''}`;
}

/** `room`: the characters for the names. `placeOf`: words behind an address. */
export function driftDetails(
  { kind, addresses, diff }: FoldedDrift,
  { cron, room = Number.POSITIVE_INFINITY }: { readonly cron: CronWords; readonly room?: number },
  placeOf: (address: Address) => string = () => '',
): Details {
  const page = { ...detailsPage, cron };
  const [address] = addresses;
  if (addresses.length === 1) {
    const lines = driftedLines({ address, diff }, page, placeOf(address));
    return { text: detailsOf(titleCode(address), fenced(lines)), cut: 0 };
  }
  const names = nameList(
    addresses.map((each) => code(each + placeOf(each))),
    room,
  );
  const lines = isGone(diff) ? [] : fieldDiffLines(page, { kind, diff, before: null, after: null, cron });
  const body = [...(lines.length === 0 ? [] : [fenced(lines)]), names.text].join('\n\n');
  return { text: detailsOf(countResources(kind, addresses), body), cut: names.cut };
}
