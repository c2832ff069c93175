// A plan for a terminal, as users of Terraform expect it. Diagnostics are printed by the command.

import type { RunCost } from '../../model/plan/apply-outcome.ts';
import { leavesOrphan, type PlanDocument, remainingOrphans } from '../../model/plan/plan.ts';
import { allowing } from '../../model/values/allowances.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, code, type Doc, dim, part, section, strong, type Words } from '../doc.ts';
import { plainText, printText } from '../print-text.ts';
import { displayWidth } from '../text/terminal-text.ts';
import type { Page } from '../text/theme.ts';
import { changeEntries } from './changes.ts';
import { driftDoc, untrackedCountWords } from './drift-report.ts';
import { orphanDoc, unresolvedDoc } from './open-report.ts';
import { costWords, placeWords, planCounts, requestCount, sinkWords, stateWords } from './plan-counts.ts';
import { dangerDoc, nearlyChosen } from './plan-findings.ts';
import type { TimedPlan } from './timed-plan.ts';

interface PlanTextOptions extends Page {
  /** The plan only records in the state what was observed; nothing was compared with the declarations. */
  readonly refreshOnly?: boolean;
  /** The number of undeclared schedules in Omni, if it is known. */
  readonly untrackedCount?: number;
  readonly cost?: RunCost | undefined;
}

/** Every change, open ones from before, and the digest that `apply --expect` takes. Ends with a newline. */
export function renderPlanText(plan: TimedPlan, page: PlanTextOptions): string {
  const { changes } = plan;
  return printText(
    [
      dangerDoc(plan.dangers),
      section(intro(plan), [changeEntries(plan, 'terminal', page.showsAll)]),
      driftDoc(plan),
      ...unresolvedDoc(plan.unresolved, page),
      ...orphanDoc(remainingOrphans(plan), page),
      part(sinkWords(plan)),
      ...(changes.length === 0 ? [nothing(plan, page)] : counted(plan, page)),
      part(untrackedCountWords(page.untrackedCount ?? 0)),
    ],
    page,
  );
}

function intro(plan: PlanDocument): Words {
  const where = plan.baseUrl !== null && [' at ', code(plan.baseUrl)];
  return ['Almanac will do the following', where, ` (operations ${plan.operations}`, stateWords(plan), '):'];
}

function nothing(plan: PlanDocument, { refreshOnly }: PlanTextOptions): Block {
  const compared = refreshOnly
    ? 'Everything that can be read back matches the state'
    : 'The declarations match the state';
  const cells = nearlyChosen(plan);
  const said =
    cells === 0
      ? `No changes. ${compared}.`
      : `Nothing is planned, but ${countOf(cells, 'cell is', 'cells are')} nearly a text of \`only\` or \`except\`: the warnings say which. ${compared}.`;
  return part(strong(said), dim([placeWords(plan), '.']));
}

const stateAlone = `This changes only the state: the next apply changes Omni back to what is declared. To keep what others changed, run \`${command('drift', '--deep', '--write')}\` first.`;

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

function refusals({ changes, operations }: PlanDocument): Doc {
  const heldBack = changes.filter((change) => change.blocked !== undefined);
  const lookedFor = heldBack.filter((change) => change.lookedFor).length;
  const blocked = heldBack.length - lookedFor;
  const left = changes.filter((change) => change.left !== undefined);
  const inPart = left.filter(({ takes }) => takes !== undefined).length;
  const notSent = left.length - inPart;
  const orphans = changes.filter((change) => leavesOrphan(change, operations)).length;
  const leftRunning = countOf(orphans, 'schedule keeps running as an orphan', 'schedules keep running as orphans');
  return [
    blocked > 0 && {
      role: 'error',
      of: `${countOf(blocked, 'change is', 'changes are')} blocked: apply refuses this plan.`,
    },
    notSent > 0 && {
      role: 'warning',
      of: `${countOf(notSent, 'change is', 'changes are')} not sent: apply goes on with the other changes.`,
    },
    inPart > 0 && {
      role: 'warning',
      of: `${countOf(inPart, 'change is', 'changes are')} sent in part: apply sends what takes something away, and leaves the rest.`,
    },
    lookedFor > 0 && {
      role: 'warning',
      of: `${countOf(lookedFor, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on.`,
    },
    orphans > 0 && {
      role: 'warning',
      of: `${leftRunning}: apply refuses this plan without ${allowing('orphans')} (or safety.allowOrphans).`,
    },
  ];
}
