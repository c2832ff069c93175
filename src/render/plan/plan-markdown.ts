// A plan as a comment on a pull request: dangers first, a row for each change, and the details folded. A comment has a
// limit (GitHub's is 65,536 characters), so details are dropped before rows, and the comment says what is missing.

import { bodyOf } from '../../model/plan/change-body.ts';
import type { Danger } from '../../model/plan/danger.ts';
import { type Change, type PlanDocument, reasons } from '../../model/plan/plan.ts';
import { changedLeaves } from '../fields/field-paths.ts';
import { countList, countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { escapeMarkdown, markdownCode, markdownFence, markdownProse } from '../text/escape-markdown.ts';
import { truncate } from '../text/terminal-text.ts';
import { markedTheme } from '../text/theme.ts';
import { gravityOf } from './change-gravity.ts';
import { dangersTitle, mostNamed } from './danger-text.ts';
import { driftSections } from './drift-text.ts';
import { changeLines } from './plan-change-text.ts';
import { placeWords, planCounts, requestCount } from './plan-headline.ts';

export interface PlanMarkdownOptions {
  readonly cron: CronWords;
  /** The most characters; not less than 8,000. */
  readonly limit?: number;
}

export const commentLimit = 60_000;
/** Reserved for the words between the parts, and for the note about what was cut. */
export const reserve = 2_000;
/** Columns of a change's details. */
const width = 100;

/** Ends with a newline. */
export function renderPlanMarkdown(plan: PlanDocument, { cron, limit = commentLimit }: PlanMarkdownOptions): string {
  const budget = makeBudget(limit - reserve);
  const changes = [...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b));
  const head = budget.spend([headline(plan), introduction(plan)]);
  const first = budget.fit(plan.dangers.filter(isGrave).map(dangerLine), Math.floor(limit / 6));
  const second = budget.fit(plan.dangers.filter((danger) => !isGrave(danger)).map(dangerLine), Math.floor(limit / 6));
  const share = Math.floor(limit / 12);
  const open = budget.fit(plan.unresolved.map(unresolvedLine), share);
  const drift = budget.fit(plan.drift.map(driftLine), share);
  const said = budget.fit(plan.diagnostics.map(diagnosticLine), share);
  const rows = budget.fit(changes.map(rowOf));
  const details = budget.fit(
    changes.map((change) =>
      detailsOf(change.address, changeLines({ ...markdownPage, cron, operations: plan.operations }, change)),
    ),
  );
  const driftDetails = budget.fit(
    driftSections(plan, { ...markdownPage, cron })
      .slice(1)
      .map((lines, index) => detailsOf(plan.drift[index]?.address ?? '', lines)),
  );
  const dangersCut = first.cut + second.cut;
  const cut = [
    [dangersCut, dangersCut === 1 ? 'danger' : 'dangers'],
    [rows.cut, rows.cut === 1 ? 'row of the table' : 'rows of the table'],
    [details.cut + driftDetails.cut, 'times the details of a resource'],
    [open.cut, 'unresolved'],
    [drift.cut, 'drifted'],
    [said.cut, said.cut === 1 ? 'finding' : 'findings'],
  ] as const;
  const parts = [
    ...head,
    section(
      dangersTitle,
      [alertOf(first.kept), second.kept.join('\n')].filter((part) => part !== ''),
    ),
    section('Changes', rows.kept.length === 0 ? [] : [...tableHead, ...rows.kept], rows.cut),
    ...details.kept,
    section('Unresolved', open.kept),
    section('Changed outside of Almanac', drift.kept),
    ...driftDetails.kept,
    section('Findings', said.kept),
    cutWords(countList(cut)),
    digestLine(plan),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** No text from outside can contain it: invisible characters are escaped. */
const mark = '\u0080';
export const markdownPage = { theme: markedTheme(mark), width };

interface Fitted {
  readonly kept: readonly string[];
  readonly cut: number;
}

/** Hands out the characters of the comment, first come, first served. */
export function makeBudget(limit: number) {
  let left = limit;
  return {
    spend: (parts: readonly string[]): readonly string[] => {
      for (const part of parts) left -= part.length + 2;
      return parts;
    },
    /** The parts that still fit, in order; one that is too long is skipped. */
    fit: (parts: readonly string[], most = Number.POSITIVE_INFINITY): Fitted => {
      let room = Math.min(left, most);
      const kept = parts.filter((part) => {
        const size = part.length + 2;
        if (size > room) return false;
        room -= size;
        left -= size;
        return true;
      });
      return { kept, cut: parts.length - kept.length };
    },
  };
}

function section(title: string, lines: readonly string[], cut = 0): string {
  if (lines.length === 0) return '';
  const more = cut === 0 ? [] : ['', `… and ${countOf(cut, 'more change')}.`];
  return [`### ${title}`, '', ...lines, ...more].join('\n');
}

function headline({ summary }: PlanDocument): string {
  return `## Almanac plan: ${planCounts(summary) || 'no changes'}`;
}

function introduction(plan: PlanDocument): string {
  const place = placeWords(plan, code);
  return plan.changes.length === 0 ? `The declarations match the state. ${place}.` : `${place}. ${requestCount(plan)}.`;
}

function isGrave({ gravity }: Danger): boolean {
  return gravity === 'grave';
}

/** What GitHub and GitLab show in a red frame. */
function alertOf(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const framed = ['[!CAUTION]', ...lines.flatMap((line) => line.split('\n'))].map((line) => `> ${line}`);
  return [...framed, ''].join('\n');
}

function dangerLine({ title, items }: Danger): string {
  const shown = items.slice(0, mostNamed).map(({ subject, detail }) => {
    const why = detail === undefined ? '' : ` (${markdownProse(truncate(detail, 160))})`;
    return `  - ${code(subject)}${why}`;
  });
  const more = items.length - shown.length;
  return [`- **${escapeMarkdown(title)}**`, ...shown, ...(more > 0 ? [`  - and ${more} more`] : [])].join('\n');
}

const tableHead = ['| | resource | what | declared in |', '|---|---|---|---|'];

function rowOf(change: Change): string {
  const { action, address, file, line, blocked, lookedFor } = change;
  const place = file === undefined ? '' : code(line === undefined ? file : `${file}:${line}`);
  const what = [whatChanges(change), ...(blocked === undefined ? [] : [lookedFor ? 'open' : '**blocked**'])].filter(
    (part) => part !== '',
  );
  const isGrave = gravityOf(change) <= 3;
  return `| ${isGrave ? `**${action}**` : action} | ${code(address)} | ${what.join(', ')} | ${place} |`;
}

const mostFields = 6;

/** The fields that change; the name if there is nothing to compare with. */
function whatChanges(change: Change): string {
  const { action, kind, diff, before, after, previousAddress, reason } = change;
  if (action === 'move') return `from ${code(previousAddress ?? '')}`;
  const from = previousAddress === undefined ? [] : [`from ${code(previousAddress)}`];
  const why =
    reason === 'drifted' || reason === 'changed-and-drifted' || reason === 'missing' || reason === 'replaced'
      ? [reasons[reason]]
      : [];
  if (bodyOf(change).shows === 'difference') {
    const fields = [...new Set(changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? ''))];
    const more = fields.length - mostFields;
    const shown = fields.slice(0, mostFields).map(code);
    return [...from, ...why, ...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  }
  const { name, identifier } = after ?? before ?? {};
  const known = typeof name === 'string' ? name : identifier;
  return [...from, ...why, ...(typeof known === 'string' ? [code(known)] : [])].join(', ');
}

function unresolvedLine({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): string {
  const way = lookedFor
    ? '`almanac apply` looks for it in Omni first, and goes on'
    : 'check in Omni whether it was carried out, then record the answer with `almanac state resolve`';
  return `- ${code(address)} (${action}, since ${code(since)}): the outcome of an earlier apply is not known; ${way}`;
}

export function driftLine({ address, diff }: PlanDocument['drift'][number]): string {
  if (diff.some(({ path }) => path === '')) return `- ${code(address)} is gone`;
  const fields = [...new Set(diff.map(({ path }) => path.split('/')[1] ?? ''))];
  const shown = fields.slice(0, mostFields).map(code).join(', ');
  return `- ${code(address)}: ${shown}${fields.length > mostFields ? ', …' : ''}`;
}

export function diagnosticLine({
  severity,
  code: name,
  message,
  file,
  line,
}: PlanDocument['diagnostics'][number]): string {
  const place = file === undefined ? '' : ` in ${code(line === undefined ? file : `${file}:${line}`)}`;
  return `- **${severity}** ${code(name)}${place}: ${markdownProse(truncate(message, 400))}`;
}

/** Folded; the summary is HTML, in which Markdown means nothing. */
export function detailsOf(address: string, lines: readonly string[]): string {
  const title = `<summary><code>${escapeHtml(truncate(address, 120))}</code></summary>`;
  return [`<details>${title}`, '', markdownFence('diff', lines.map(signFirst)), '', '</details>'].join('\n');
}

/** Signs at the beginning of the line are what colours a `diff` block: ours, not those that a text begins with. */
function signFirst(line: string): string {
  const [, before = '', after = '', sign, rest = ''] = /^( *)\u0080( *)([+~-])( .*)$/.exec(line) ?? [];
  const signed = sign === undefined ? line : `${sign === '~' ? '!' : sign}${before}${after}${rest.slice(1)}`;
  return signed.replaceAll(mark, '');
}

function cutWords(cut: string): string {
  if (cut === '') return '';
  return `> **This comment is not the whole plan.** Left out to stay below the limit of a comment: ${cut}. \`almanac plan\` prints all of it; \`--report html=FILE\` and \`--report json=FILE\` write all of it.`;
}

function digestLine({ digest, changes, toolVersion }: PlanDocument): string {
  if (changes.length === 0) return '';
  return `Digest ${code(digest)}, by almanac ${escapeMarkdown(truncate(toolVersion, 40))}. \`almanac apply --expect DIGEST\` applies only this plan.`;
}

export function code(text: string): string {
  return markdownCode(truncate(text, 120));
}
