// A plan for a terminal, as users of Terraform expect it. Diagnostics are printed by the command.

import { actionNames, actions } from '../../model/plan/action.ts';
import type { RunCost } from '../../model/plan/apply-outcome.ts';
import { leavesOrphan, type PlanDocument, remainingOrphans } from '../../model/plan/plan.ts';
import { countList, countOf } from '../../model/values/words.ts';
import { type Block, code, type Doc, dim, part, strong, type Words } from '../doc.ts';
import { plainText, printText } from '../print-text.ts';
import type { CronWords } from '../text/cron-text.ts';
import { renderJson } from '../text/render-json.ts';
import { displayWidth } from '../text/terminal-text.ts';
import type { Page } from '../text/theme.ts';
import { duration, loopCounts } from '../text/words.ts';
import { changeDoc, symbolOf } from './change-report.ts';
import { dangerDoc, driftDoc, untrackedCountWords } from './danger-report.ts';
import { isAsDeclared } from './folds/fold-changes.ts';
import { orphanDoc, unresolvedDoc } from './open-report.ts';

interface PlanTextOptions extends Page {
  readonly cron: CronWords;
  /** The plan only records in the state what was observed; nothing was compared with the declarations. */
  readonly refreshOnly?: boolean;
  /** How many schedules in Omni nothing declares, where that is known. */
  readonly untrackedCount?: number;
  /** Of the apply that is about to begin. */
  readonly cost?: RunCost | undefined;
}

/** A legend, every change, what is still open from before, and the digest that `apply --expect` takes. Ends with a newline. */
export function renderPlanText(plan: PlanDocument, page: PlanTextOptions): string {
  const { changes, operations } = plan;
  return printText(
    [
      ...dangerDoc(plan.dangers, page),
      ...driftDoc(plan, page),
      ...(changes.length === 0 ? [] : [legend(plan), part(intro(plan))]),
      ...changeDoc(changes, { ...page, operations }),
      ...unresolvedDoc(plan.unresolved),
      ...orphanDoc(remainingOrphans(plan)),
      part(sinkWords(plan)),
      ...(changes.length === 0 ? [nothing(plan, page)] : counted(plan, page)),
      part(untrackedCountWords(page.untrackedCount ?? 0)),
    ],
    page,
  );
}

function legend({ changes }: PlanDocument): Block {
  // What only the state records says so itself.
  const occurring = new Set(changes.flatMap((change) => (isAsDeclared(change) ? [] : change.action)));
  const shown = actionNames.filter((action) => occurring.has(action));
  const rows = shown.map((action) => ({
    mark: [{ role: action, of: symbolOf(action) }, ' '],
    of: actions[action].legend,
  }));
  return rows.length > 0 && part('Changes are marked with these symbols:', ...rows);
}

function intro(plan: PlanDocument): Words {
  const where = plan.baseUrl !== null && [' at ', code(plan.baseUrl)];
  return ['Almanac will do the following', where, ` (operations ${plan.operations}`, stateWords(plan), '):'];
}

function nothing(plan: PlanDocument, { refreshOnly }: PlanTextOptions): Block {
  const compared = refreshOnly
    ? 'Everything that can be read back matches the state'
    : 'The declarations match the state';
  return part(strong(`No changes. ${compared}.`), dim([placeWords(plan), '.']));
}

const stateAlone =
  'Only the state changes, and that keeps nothing: the next apply changes Omni back to what is declared. To keep what others changed, run `almanac drift --deep --write` first.';

function counted(plan: PlanDocument, { cost, refreshOnly, width }: PlanTextOptions): Doc {
  const requests = `${cost === undefined ? requestCount(plan) : costWords(cost)}.`;
  const digest = dim(`Digest ${plan.digest}`);
  const onOneLine = [requests, ' ', digest];
  return [
    part(
      [strong('Plan:'), ` ${planCounts(plan) || 'nothing'}.`],
      ...(displayWidth(plainText(onOneLine)) <= width ? [onOneLine] : [requests, digest]),
      refreshOnly && stateAlone,
    ),
    part(...refusals(plan)),
  ];
}

/** What `apply` will refuse, or look for first. */
function refusals({ changes, operations }: PlanDocument): Doc {
  const held = changes.filter((change) => change.blocked !== undefined);
  const lookedFor = held.filter((change) => change.lookedFor).length;
  const blocked = held.length - lookedFor;
  const orphans = changes.filter((change) => leavesOrphan(change, operations)).length;
  const left = countOf(orphans, 'schedule keeps running as an orphan', 'schedules keep running as orphans');
  return [
    blocked > 0 && {
      role: 'error',
      of: `${countOf(blocked, 'change is', 'changes are')} blocked: apply refuses this plan.`,
    },
    lookedFor > 0 && {
      role: 'warning',
      of: `${countOf(lookedFor, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on.`,
    },
    orphans > 0 && {
      role: 'warning',
      of: `${left}: apply refuses this plan without --allow-orphans (or safety.allowOrphans).`,
    },
  ];
}

// A plan in one line, for every report: `1 to update, 1 to delete`.

/** `3 to create, 1 to update, 8 to update in the state`, with what loops make of it; empty where nothing changes. */
export function planCounts({ summary, changes }: Pick<PlanDocument, 'summary' | 'changes'>): string {
  const recorded = changes.filter(isAsDeclared).length;
  const counts = { ...summary, update: summary.update - recorded };
  const words = countList([
    ...actionNames.map((action) => [counts[action], `to ${action}`] as const),
    [recorded, 'to update in the state'] as const,
  ]);
  const loops = loopCounts(changes);
  return loops === '' ? words : `${words}, ${loops}`;
}

/**
 * Which service it is for, empty plans included: ``At `https://…`, operations full``. A state that many share is named as
 * well.
 */
export function placeWords(plan: PlanDocument): Words {
  const { baseUrl, operations } = plan;
  return [
    baseUrl === null ? 'No base URL is set' : ['At ', code(baseUrl)],
    `, operations ${operations}`,
    stateWords(plan),
  ];
}

/** `, state in git branch almanac-state of origin`; with changes, which may undo others, also who wrote it outside of CI. */
function stateWords({ state, changes }: PlanDocument): Words {
  const { place, writtenBy } = state;
  if (place === undefined) return false;
  const isTold = writtenBy !== undefined && changes.length > 0;
  return [', state in ', code(place), isTold && [', last written by ', code(writtenBy), ' outside of CI']];
}

/** `14 recipients replaced by the sink of staging, which skips 18 resources.` */
export function sinkWords({ sink }: PlanDocument): Words {
  if (sink === undefined) return false;
  const { environment, recipients, skipped } = sink;
  const replaced = recipients === 0 ? 'No recipient is' : countOf(recipients, 'recipient');
  const skips = skipped !== undefined && `, which skips ${countOf(skipped, 'resource')}`;
  return [`${replaced} replaced by the sink of `, code(environment), skips, '.'];
}

/** `2 requests`, `2 requests for the changes, 1 to see what exists`. */
export function requestCount({ changes, lists = 0 }: PlanDocument): string {
  const requests = changes.reduce((sum, change) => sum + change.requests, 0);
  if (requests === 0) return lists === 0 ? 'No requests' : `${countOf(lists, 'request')} to see what exists`;
  return withLists(countOf(requests, 'request'), lists);
}

function withLists(changes: string, lists: number): string {
  return lists === 0 ? changes : `${changes} for the changes, ${lists} to see what exists`;
}

/** The same for a run that is about to begin: `1 request for the changes, 1 to see what exists`. */
export function costWords({ requests, sent, seconds }: RunCost): string {
  const words = withLists(countOf(requests - sent, 'request'), sent);
  return seconds === 0 ? words : `${words}; the rate limit makes them take about ${duration(seconds)}`;
}

// A plan as GitLab's widget of a merge request takes it (artifacts:reports:terraform): how much is created, updated and
// deleted, and nothing else, because everybody who sees the project may read the file.

/**
 * A replaced resource is created, and with operations full the old one deleted; what runs once is created. What happens
 * in the state alone isn't counted. Ends with a newline.
 */
export function renderGitlabWidget({ summary, operations }: PlanDocument): string {
  return renderJson({
    create: summary.create + summary.replace + summary.run,
    update: summary.update,
    delete: summary.delete + (operations === 'full' ? summary.replace : 0),
  });
}
