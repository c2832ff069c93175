// A plan as a comment on a pull request: dangers first, a row for each change or for many equal ones, and the details
// folded. A comment has a limit (GitHub's is 65,536 characters), so details are dropped before rows, and the comment says
// what is missing.

import type { Danger, DangerCode } from '../../../model/plan/danger.ts';
import type { PlanDocument } from '../../../model/plan/plan.ts';
import { planFindings } from '../../../model/plan/plan-findings.ts';
import { commentLimit, fitFolds, makeBudget, reserve } from '../../text/comment-budget.ts';
import { countList, countOf } from '../../text/count-words.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { escapeMarkdown, markdownProse } from '../../text/escape-markdown.ts';
import { truncate } from '../../text/terminal-text.ts';
import { gravityOf } from '../change-gravity.ts';
import { changeOwners } from '../change-owners.ts';
import { dangersTitle, mostNamed } from '../danger-text.ts';
import { foldChanges, foldDrift } from '../folds/fold-changes.ts';
import { placeWords, planCounts, requestCount, sinkWords } from '../plan-headline.ts';
import { changeDetails, rowOf, tableHead } from './markdown-changes.ts';
import { driftDetails, driftLine } from './markdown-drift.ts';
import { code, countedLines, diagnosticLine, section } from './markdown-parts.ts';

export interface PlanMarkdownOptions {
  readonly cron: CronWords;
  /** The most characters; not less than 8,000. */
  readonly limit?: number;
}

/** Ends with a newline. */
export function renderPlanMarkdown(plan: PlanDocument, { cron, limit = commentLimit }: PlanMarkdownOptions): string {
  const budget = makeBudget(limit - reserve);
  const changes = foldChanges([...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const head = budget.spend([headline(plan), introduction(plan)]);
  const dangers = (isFirst: boolean) =>
    plan.dangers.flatMap((danger) => (isGrave(danger) === isFirst ? [dangerLine(danger, limit / 30)] : []));
  const first = budget.fit(dangers(true), Math.floor(limit / 6));
  const second = budget.fit(dangers(false), Math.floor(limit / 6));
  const share = Math.floor(limit / 12);
  const open = budget.fit(plan.unresolved.map(unresolvedLine), share);
  const drifted = foldDrift(plan.drift);
  const drift = budget.fit(drifted.map(driftLine), share);
  const findings = planFindings(plan);
  const counted = budget.fit(countedLines(findings, 'plan'), share);
  const said = budget.fit(findings.shown.map(diagnosticLine), share);
  const hasOwners = changeOwners(plan.changes).length > 0;
  const rows = budget.fit(changes.map((change) => rowOf(change, plan, hasOwners)));
  const details = fitFolds(budget, changes, (change, room) => changeDetails(change, plan, { cron, room }));
  const driftedDetails = fitFolds(budget, drifted, (each, room) => driftDetails(each, { cron, room }));
  const dangersCut = first.cut + second.cut;
  const cut = [
    [dangersCut, dangersCut === 1 ? 'danger' : 'dangers'],
    [rows.cut, rows.cut === 1 ? 'row of the table' : 'rows of the table'],
    [details.cut + driftedDetails.cut, 'times the details of a resource'],
    [details.names + driftedDetails.names, 'names of equal changes'],
    [open.cut, 'unresolved'],
    [drift.cut, 'drifted'],
    [said.cut + counted.cut, 'lines about findings'],
  ] as const;
  const parts = [
    ...head,
    section(
      dangersTitle,
      [alertOf(first.kept), second.kept.join('\n')].filter((part) => part !== ''),
    ),
    section('Changes', rows.kept.length === 0 ? [] : [...tableHead(hasOwners), ...rows.kept, ...moreRows(rows.cut)]),
    ...details.kept,
    section('Unresolved', open.kept),
    section('Changed outside of Almanac', drift.kept),
    ...driftedDetails.kept,
    section('Findings', [...said.kept, ...counted.kept]),
    cutWords(countList(cut)),
    digestLine(plan),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function moreRows(cut: number): readonly string[] {
  return cut === 0 ? [] : ['', `… and ${countOf(cut, 'more change')}.`];
}

function headline(plan: PlanDocument): string {
  return `## Almanac plan: ${planCounts(plan) || 'no changes'}`;
}

function introduction(plan: PlanDocument): string {
  const place = placeWords(plan, code);
  const sink = plan.sink === undefined ? '' : ` ${sinkWords(plan, code)}.`;
  return plan.changes.length === 0
    ? `The declarations match the state. ${place}.${sink}`
    : `${place}. ${requestCount(plan)}.${sink}`;
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

/** `room`: the characters for what is beyond the items that are explained. */
function dangerLine({ code: kind, title, items }: Danger, room: number): string {
  const shown = items.slice(0, mostNamed).map(({ subject, detail }) => {
    const why = detail === undefined ? '' : ` (${markdownProse(truncate(detail, 160))})`;
    return `  - ${code(subject)}${why}`;
  });
  const others = items.slice(mostNamed).map(({ subject }) => code(subject));
  const more =
    others.length === 0 ? [] : [`  - and ${others.length} more${seen.has(kind) ? '' : namesIn(others, room)}`];
  return [`- **${escapeMarkdown(title)}**`, ...shown, ...more].join('\n');
}

/** What these are about has a row of its own, or a name behind a fold. Recipients and places are listed nowhere else. */
const seen: ReadonlySet<DangerCode> = new Set([
  'deleted',
  'blocked',
  'unresolved',
  'replaced',
  'orphaned',
  'forgotten',
  'paused',
  'resumed',
]);

function namesIn(names: readonly string[], room: number): string {
  let left = room;
  const fitting = names.filter((name) => {
    left -= name.length + 2;
    return left >= 0;
  });
  const dots = fitting.length < names.length ? ', …' : '';
  return fitting.length === 0 ? '' : `: ${fitting.join(', ')}${dots}`;
}

function unresolvedLine({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): string {
  const way = lookedFor
    ? '`almanac apply` looks for it in Omni first, and goes on'
    : 'check in Omni whether it was carried out, then record the answer with `almanac state resolve`';
  return `- ${code(address)} (${action}, since ${code(since)}): the outcome of an earlier apply is not known; ${way}`;
}

function cutWords(cut: string): string {
  if (cut === '') return '';
  return `> **This comment is not the whole plan.** Left out to stay below the limit of a comment: ${cut}. \`almanac plan\` prints all of it; \`--report html=FILE\` and \`--report json=FILE\` write all of it.`;
}

function digestLine({ digest, changes, toolVersion }: PlanDocument): string {
  if (changes.length === 0) return '';
  return `Digest ${code(digest)}, by almanac ${escapeMarkdown(truncate(toolVersion, 40))}. \`almanac apply --expect DIGEST\` applies only this plan.`;
}
