// A plan as comments on a pull request. Dangers come first, then a row for each change or for many equal ones, and the
// details folded.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { command } from '../../model/values/command.ts';
import { findingsDoc, findingsOfPlan } from '../diagnostics/findings-doc.ts';
import { type Block, code, type Doc, isEmpty, item, section, type Words } from '../doc.ts';
import { type MarkdownOptions, printMarkdown } from '../print-markdown.ts';
import { truncate } from '../text/terminal-text.ts';
import { changeEntries, type Medium } from './changes.ts';
import { driftDoc } from './drift-report.ts';
import { placeWords, planCounts, requestCount, sinkWords } from './plan-counts.ts';
import { dangerDoc, planFindings } from './plan-findings.ts';
import type { TimedPlan } from './timed-plan.ts';

/** Ends with a newline. `nextComment` separates several comments. */
export function renderPlanMarkdown(plan: TimedPlan, options?: MarkdownOptions): string {
  const heading = { heading: `Almanac plan: ${planCounts(plan) || 'no changes'}` };
  return printMarkdown([heading, planSummary(plan), dangerDoc(plan.dangers), ...planDetails(plan, 'comment')], options);
}

/** The beginning of a comment and a page, after the counts. */
export function planSummary(plan: PlanDocument): Words {
  const { length } = plan.changes;
  const place = [placeWords(plan), '.', length > 0 && ` ${requestCount(plan)}.`];
  const sink = sinkWords(plan);
  return [length === 0 && 'The declarations match the state. ', place, !isEmpty(sink) && [' ', sink]];
}

/** The part below the dangers: each change or many equal ones, unresolved changes, drift, findings and the digest. */
export function planDetails(plan: TimedPlan, medium: Exclude<Medium, 'terminal'>): Doc {
  return [
    section('Changes', [changeEntries(plan, medium)]),
    section('Unresolved', plan.unresolved.map(unresolvedItem)),
    driftDoc(plan),
    section('Findings', findingsDoc(planFindings(plan), findingsOfPlan)),
    plan.changes.length > 0 && [
      'Digest ',
      code(plan.digest),
      `, by almanac ${truncate(plan.toolVersion, 40)}. \`${command('apply', '--expect', 'DIGEST')}\` applies only this plan.`,
    ],
  ];
}

function unresolvedItem({ address, action, since, lookedFor, sentAgain }: PlanDocument['unresolved'][number]): Block {
  const way = lookedFor
    ? `\`${command('apply')}\` looks for it in Omni first, and goes on`
    : sentAgain
      ? `\`${command('apply')}\` sends it again`
      : `check in Omni whether it was carried out, then record the answer with \`${command('state resolve')}\``;
  const when = [` (${action}, since `, code(since), '): '];
  return item([code(address), when, `the outcome of an earlier apply is not known; ${way}`]);
}
