// The changes of a plan in HTML: a card for each, or for many equal ones.

import { bodyOf, nameOf, reportName } from '../../../model/plan/change-body.ts';
import { type Change, type FieldDiff, leavesOrphan, type PlanDocument } from '../../../model/plan/plan.ts';
import { itemOf } from '../../../model/values/address.ts';
import { countResources } from '../../fields/count-resources.ts';
import { changedLeaves } from '../../fields/field-paths.ts';
import { countOf } from '../../text/count-words.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { escapeHtml, htmlCode, htmlProse, htmlSpans } from '../../text/escape-html.ts';
import { fileAndLine } from '../../text/file-and-line.ts';
import { nameSome } from '../../text/more-words.ts';
import { gravityOf, isGrave } from '../change-gravity.ts';
import { foldedNotices, reasonWords } from '../change-notices.ts';
import { ownerWords } from '../change-owners.ts';
import { foldedWords, itemWords } from '../folds/difference-words.ts';
import { type FoldedChanges, foldChanges, isStateOnly } from '../folds/fold-changes.ts';
import { htmlDeclared, htmlFieldDiff } from './html-fields.ts';

/** Up to this many cards are shown unfolded; beyond it, only the grave ones. */
const mostOpen = 10;

/** The gravest first. */
export function changeCards(plan: PlanDocument, cron: CronWords): readonly string[] {
  const changes = foldChanges([...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  return changes.map((folded) => {
    const { action } = folded.first;
    const isOne = folded.changes.length === 1;
    const isList = !isOne && isStateOnly(folded.first);
    const isOpen = !isList && (changes.length <= mostOpen || isGrave(folded.first));
    const head = isOne ? headOfOne(folded.first, plan) : headOfAll(folded, cron);
    const body = isOne ? bodyOfOne(folded, cron) : bodyOfAll(folded, plan, cron);
    const inside = [...noticesOf(folded, plan), body].join('');
    return `<details class="card"${isOpen ? ' open' : ''}><summary><span class="badge ${action}">${action}</span>${head}</summary><div class="inside">${inside}</div></details>`;
  });
}

function noticesOf(folded: FoldedChanges, { operations, baseUrl }: PlanDocument): readonly string[] {
  const { first, changes } = folded;
  const url = reportName(first, baseUrl)?.url;
  const because = reasonWords(first);
  const about = [
    ...(because === undefined ? [] : [changes.length === 1 ? `Because ${because}.` : `Each because ${because}.`]),
    ...(changes.length > 1 || first.previousAddress === undefined ? [] : [`From ${htmlCode(first.previousAddress)}.`]),
    ...(changes.length > 1 || first.id === undefined ? [] : [`Id ${htmlCode(first.id)}.`]),
    ...(changes.length > 1 || url === undefined ? [] : [linkTo(url, 'Dashboard in Omni')]),
  ];
  return [
    ...foldedNotices(folded, operations).map(({ role, text }) => `<p class="notice ${role}">${htmlProse(text)}</p>`),
    ...(about.length === 0 ? [] : [`<p class="quiet">${about.join(' ')}</p>`]),
  ];
}

/** Without a link: a click anywhere on it unfolds the card. */
function headOfOne(change: Change, { baseUrl }: PlanDocument): string {
  const name = reportName(change, baseUrl)?.name ?? '';
  const { kind, diff, address, blocked, lookedFor } = change;
  const flag =
    blocked === undefined ? '' : `<span class="badge ${lookedFor ? 'update">open' : 'blocked">blocked'}</span>`;
  const fields = changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? '');
  const what = bodyOf(change).shows === 'difference' ? [...new Set(fields)].join(', ') : '';
  return `${flag}<span class="about"><span class="address">${escapeHtml(address)}</span> ${escapeHtml(name)}</span>${quietLine([what, ownerWords([change], (owner) => owner), fileAndLine(change)].map(escapeHtml))}`;
}

function headOfAll(folded: FoldedChanges, cron: CronWords): string {
  const { first, changes } = folded;
  const files = new Set(changes.flatMap(({ file }) => file ?? []));
  const what = isStateOnly(first)
    ? nameSome(changes.map((change) => escapeHtml(nameOf(change) ?? change.address)))
    : htmlSpans(foldedWords({ ...folded, diff: timesInWords(folded, cron) }));
  const place =
    files.size === 1 ? escapeHtml([...files].join('')) : files.size === 0 ? '' : countOf(files.size, 'file');
  return `<span class="about address">${countResources(
    first.kind,
    changes.map(({ address }) => address),
  )}</span>${quietLine([what, ownerWords(changes, escapeHtml), place])}`;
}

/** The row is read before it is unfolded, and below it the expressions are shown too. */
function timesInWords({ first, diff }: FoldedChanges, cron: CronWords): readonly FieldDiff[] {
  return diff.map((field) => {
    const { path, sensitive, before, after } = field;
    const isTime = first.kind === 'schedule' && path === '/schedule' && !sensitive;
    if (!isTime || typeof before !== 'string' || typeof after !== 'string') return field;
    return { ...field, before: cron.words(before), after: cron.words(after) };
  });
}

function quietLine(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '');
  return words.length === 0 ? '' : `<span class="quiet">${words.join(' · ')}</span>`;
}

function bodyOfOne({ first, diff }: FoldedChanges, cron: CronWords): string {
  const { kind, before, after } = first;
  const body = bodyOf(first);
  switch (body.shows) {
    case 'declaration':
      return htmlDeclared({ ...body, kind, cron });
    case 'difference':
      return htmlFieldDiff({ kind, diff, before, after, cron });
    case 'names':
      return htmlDeclared({ ...body, kind, sign: ' ' });
  }
}

function bodyOfAll(folded: FoldedChanges, plan: PlanDocument, cron: CronWords): string {
  const { first, changes, byItem } = folded;
  const { kind } = first;
  const names = `<ul>${changes.map((change) => nameItem(folded, change, plan)).join('\n')}</ul>`;
  if (isStateOnly(first)) return names;
  const which = `<details><summary>Which ${countResources(
    kind,
    changes.map(({ address }) => address),
  )}</summary>${names}</details>`;
  const body = bodyOf(first);
  const sign = body.shows === 'declaration' ? body.sign : ' ';
  const shared = byItem?.attributes;
  const fields =
    shared === undefined
      ? htmlFieldDiff({ ...folded, kind, cron })
      : htmlDeclared({ kind, attributes: shared, sign, cron });
  return fields + which;
}

function nameItem(folded: FoldedChanges, change: Change, plan: PlanDocument): string {
  const { address, previousAddress, id = '' } = change;
  const from = previousAddress === undefined ? '' : `, from ${htmlCode(previousAddress)}`;
  const old = leavesOrphan(change, plan.operations) ? `, the old one is ${htmlCode(id)}` : '';
  const { name = '', url } = reportName(change, plan.baseUrl) ?? {};
  const linked = url === undefined ? escapeHtml(name) : linkTo(url, name);
  // Who added an item is what `git blame` says of its line.
  const place = itemOf(address) === undefined ? '' : escapeHtml(fileAndLine(change));
  const own = quietLine([htmlSpans(itemWords(folded, change)), place]);
  return `<li>${htmlCode(address)} ${linked}${from}${old}${own === '' ? '' : ` ${own}`}</li>`;
}

function linkTo(url: string, text: string): string {
  return `<a rel="noopener noreferrer" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
