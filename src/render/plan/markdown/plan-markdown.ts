// A plan as comments on a pull request: dangers first, a row for each change or for many equal ones, and the details
// folded. A comment has a limit (GitHub's is 65,536 characters), so a long plan takes several.

import type { Danger, DangerCode } from '../../../model/plan/danger.ts';
import type { PlanDocument } from '../../../model/plan/plan.ts';
import { planFindings } from '../../../model/plan/plan-findings.ts';
import { commentLimit } from '../../text/comment-budget.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { markdownCode as code, escapeMarkdown, markdownProse } from '../../text/escape-markdown.ts';
import { truncate } from '../../text/terminal-text.ts';
import { gravityOf } from '../change-gravity.ts';
import { changeOwners } from '../change-owners.ts';
import { dangersTitle, mostNamed } from '../danger-text.ts';
import { foldChanges, foldDrift } from '../folds/fold-changes.ts';
import { placeWords, planCounts, requestCount, sinkWords } from '../plan-headline.ts';
import { commentParts, nextComment, type Section } from './comment-parts.ts';
import { changeDetails, rowOf, tableHead } from './markdown-changes.ts';
import { driftDetails, driftLine } from './markdown-drift.ts';
import { countedLines, diagnosticLine } from './markdown-parts.ts';

export interface PlanMarkdownOptions {
  readonly cron: CronWords;
  /** The most characters of a comment. */
  readonly limit?: number;
}

/** Ends with a newline. Of several comments, `nextComment` stands between two. */
export function renderPlanMarkdown(plan: PlanDocument, { cron, limit = commentLimit }: PlanMarkdownOptions): string {
  const changes = foldChanges([...plan.changes].sort((a, b) => gravityOf(a) - gravityOf(b)));
  const drifted = foldDrift(plan.drift);
  const findings = planFindings(plan);
  const hasOwners = changeOwners(plan.changes).length > 0;
  const rows = changes.map((change) => rowOf(change, plan, hasOwners));
  const sections: readonly Section[] = [
    whole(headline(plan)),
    whole(introduction(plan)),
    ...dangerSections(plan),
    { before: [...titled('Changes'), ...tableHead(hasOwners)], lines: rows },
    ...changes.map((change) => changeDetails(change, plan, cron)),
    { before: titled('Unresolved'), lines: plan.unresolved.map(unresolvedLine) },
    { before: titled('Changed outside of Almanac'), lines: drifted.map(driftLine) },
    ...drifted.map((each) => whole(driftDetails(each, { cron }).text)),
    {
      before: titled('Findings'),
      lines: [...findings.shown.map(diagnosticLine), ...countedLines(findings, 'plan')],
    },
    { lines: digestLines(plan) },
  ];
  return `${commentParts(sections, limit).join(`\n\n${nextComment}\n\n`)}\n`;
}

function whole(text: string): Section {
  return { lines: [text] };
}

function titled(title: string): readonly string[] {
  return [`### ${title}`, ''];
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

/** What GitHub and GitLab show in a red frame comes first. */
function dangerSections({ dangers }: PlanDocument): readonly Section[] {
  const linesOf = (gravity: Danger['gravity']) =>
    dangers.flatMap((danger) => (danger.gravity === gravity ? dangerLines(danger) : []));
  const [first, second] = [linesOf('grave'), linesOf('caution')];
  const title = titled(dangersTitle);
  return [
    { before: [...title, '> [!CAUTION]'], lines: first.map((line) => `> ${line}`) },
    { before: first.length === 0 ? title : [], lines: second },
  ];
}

function dangerLines({ code: kind, title, items }: Danger): readonly string[] {
  const shown = items.slice(0, mostNamed).map(({ subject, detail }) => {
    const why = detail === undefined ? '' : ` (${markdownProse(detail)})`;
    return `  - ${code(subject)}${why}`;
  });
  const others = items.slice(mostNamed).map(({ subject }) => code(subject));
  const more = others.length === 0 ? [] : [`  - and ${others.length} more${seen.has(kind) ? '' : namesOf(others)}`];
  return [`- **${escapeMarkdown(title)}**`, ...shown, ...more];
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

/** The characters for the names beyond those that are explained. */
const roomForNames = 10_000;

function namesOf(names: readonly string[]): string {
  let left = roomForNames;
  const fitting = names.filter((name) => {
    left -= name.length + 2;
    return left >= 0;
  });
  const cut = names.length - fitting.length;
  return `: ${[...fitting, ...(cut === 0 ? [] : [`${cut} without their names`])].join(', ')}`;
}

function unresolvedLine({ address, action, since, lookedFor }: PlanDocument['unresolved'][number]): string {
  const way = lookedFor
    ? '`almanac apply` looks for it in Omni first, and goes on'
    : 'check in Omni whether it was carried out, then record the answer with `almanac state resolve`';
  return `- ${code(address)} (${action}, since ${code(since)}): the outcome of an earlier apply is not known; ${way}`;
}

function digestLines({ digest, changes, toolVersion }: PlanDocument): readonly string[] {
  if (changes.length === 0) return [];
  const by = escapeMarkdown(truncate(toolVersion, 40));
  return [`Digest ${code(digest)}, by almanac ${by}. \`almanac apply --expect DIGEST\` applies only this plan.`];
}
