// A plan for a terminal, as users of Terraform expect it: a legend, every change, what is still open from before, and
// at the end the counts and the digest that `apply --expect` takes. Diagnostics are printed by the command.

import { actionNames, actions } from '../../model/plan/action.ts';
import type { RunCost } from '../../model/plan/apply-outcome.ts';
import { leavesOrphan, type PlanDocument, remainingOrphans } from '../../model/plan/plan.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { displayWidth, safeText, wrap } from '../text/terminal-text.ts';
import { symbolOf, symbolWidth } from './action-symbols.ts';
import { dangerLines } from './danger-text.ts';
import { driftSections, untrackedCountWords } from './drift-text.ts';
import { changeBlocks } from './folds/change-blocks.ts';
import { isAsDeclared } from './folds/fold-changes.ts';
import { orphanLines, unresolvedLines } from './orphan-text.ts';
import { costWords, placeWords, planCounts, requestCount, sinkWords, stateWords } from './plan-headline.ts';

export interface PlanTextOptions extends Page {
  readonly cron: CronWords;
  /** The plan only records in the state what was observed; nothing was compared with the declarations. */
  readonly refreshOnly?: boolean;
  /** How many schedules in Omni nothing declares, where that is known. */
  readonly untrackedCount?: number;
  /** Of the apply that is about to begin. */
  readonly cost?: RunCost | undefined;
}

/** Ends with a newline. */
export function renderPlanText(plan: PlanDocument, options: PlanTextOptions): string {
  const page = { ...options, operations: plan.operations };
  const sections = [
    dangerLines(options, plan.dangers),
    ...driftSections(plan, options),
    ...(plan.changes.length === 0 ? [] : [legendLines(plan, options), introLines(plan, options)]),
    ...changeBlocks(page, plan.changes),
    unresolvedLines(options, plan.unresolved),
    orphanLines(options, remainingOrphans(plan)),
    sinkLines(plan, options),
    endLines(plan, options),
    wrap(untrackedCountWords(options.untrackedCount ?? 0), options.width).filter((line) => line !== ''),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

function legendLines({ changes }: PlanDocument, { theme, width }: Page): readonly string[] {
  // What only the state records says so itself.
  const occurring = new Set(changes.flatMap((change) => (isAsDeclared(change) ? [] : change.action)));
  const shown = actionNames.filter((action) => occurring.has(action));
  if (shown.length === 0) return [];
  return [
    ...wrap('Changes are marked with these symbols:', width),
    ...shown.flatMap((action) =>
      wrap(actions[action].legend, width, ' '.repeat(symbolWidth + 1)).map((line, index) =>
        index === 0 ? theme[action](symbolOf(action)) + line.slice(symbolWidth) : line,
      ),
    ),
  ];
}

function introLines(plan: PlanDocument, { width }: Page): readonly string[] {
  const { baseUrl, operations } = plan;
  const where = baseUrl === null ? '' : ` at ${safeText(baseUrl)}`;
  const kept = stateWords(plan, safeText);
  return wrap(`Almanac will do the following${where} (operations ${operations}${kept}):`, width);
}

function sinkLines(plan: PlanDocument, { width }: Page): readonly string[] {
  const words = sinkWords(plan, safeText);
  return words === '' ? [] : wrap(`${words}.`, width);
}

function endLines(plan: PlanDocument, page: PlanTextOptions): readonly string[] {
  const { theme, width } = page;
  if (plan.changes.length === 0) {
    const compared = page.refreshOnly
      ? 'Everything that can be read back matches the state'
      : 'The declarations match the state';
    const place = wrap(`${placeWords(plan, safeText)}.`, width).map(theme.dim);
    return [...wrap(`No changes. ${compared}.`, width).map(theme.strong), ...place];
  }
  const counts = `${planCounts(plan) || 'nothing'}.`;
  const headline = wrap(`Plan: ${counts}`, width).map((line, index) =>
    index === 0 ? theme.strong('Plan:') + line.slice('Plan:'.length) : line,
  );
  const kept = page.refreshOnly ? wrap(stateAlone, width) : [];
  return [...headline, ...digestLines(plan, page), ...kept, ...refusalLines(plan, page)];
}

const stateAlone =
  'Only the state changes, and that keeps nothing: the next apply changes Omni back to what is declared. To keep what others changed, run `almanac drift --deep --write` first.';

function digestLines(plan: PlanDocument, { cost, theme, width }: PlanTextOptions): readonly string[] {
  const requests = `${cost === undefined ? requestCount(plan) : costWords(cost)}.`;
  const digest = `Digest ${safeText(plan.digest)}`;
  if (displayWidth(`${requests} ${digest}`) <= width) return [`${requests} ${theme.dim(digest)}`];
  return [...wrap(requests, width), ...wrap(digest, width).map(theme.dim)];
}

/** What `apply` will refuse, or look for first. */
function refusalLines({ changes, operations }: PlanDocument, page: Page): readonly string[] {
  const held = changes.filter((change) => change.blocked !== undefined);
  const lookedFor = held.filter((change) => change.lookedFor).length;
  const blocked = held.length - lookedFor;
  const orphans = changes.filter((change) => leavesOrphan(change, operations)).length;
  const refusals = [
    blocked === 0 ? [] : hangingLines(page, '', blockedWords(blocked), { role: 'error', column: 0 }),
    lookedFor === 0 ? [] : hangingLines(page, '', lookedForWords(lookedFor), { role: 'warning', column: 0 }),
    orphans === 0 ? [] : hangingLines(page, '', orphanWords(orphans), { role: 'warning', column: 0 }),
  ].flat();
  return refusals.length === 0 ? [] : ['', ...refusals];
}

function blockedWords(count: number): string {
  return `${countOf(count, 'change is', 'changes are')} blocked: apply refuses this plan.`;
}

function lookedForWords(count: number): string {
  return `${countOf(count, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on.`;
}

function orphanWords(count: number): string {
  const left = countOf(count, 'schedule keeps running as an orphan', 'schedules keep running as orphans');
  return `${left}: apply refuses this plan without --allow-orphans (or safety.allowOrphans).`;
}
