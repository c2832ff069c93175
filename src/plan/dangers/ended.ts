// What a plan ends, leaves running or cannot do: deletes, replacements, orphans, and changes that are blocked.

import { type Danger, type DangerCode, type DangerItem, dangerGravity } from '../../model/plan/danger.ts';
import { leavesOrphan } from '../../model/plan/leaves-orphan.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import { remainingOrphans } from '../../model/plan/remaining-orphans.ts';
import { kindWords } from '../../model/values/address.ts';
import { inBackticks } from '../../model/values/in-backticks.ts';
import { counted } from './folded.ts';

export function endedDangers(plan: Plan): readonly Danger[] {
  const { changes, operations } = plan;
  const isOrphan = (change: Change) => leavesOrphan(change, operations);
  const of = (action: Change['action']) => changes.filter((change) => change.action === action && !isOrphan(change));
  const resources = (count: number) => counted(count, 'resource is', 'resources are');
  return [
    danger('deleted', of('delete').map(lostOf), (count) => `${resources(count)} deleted`),
    danger('blocked', blockedItems(plan, false), blockedTitle),
    danger('unresolved', blockedItems(plan, true), lookedForTitle),
    danger('replaced', of('replace').map(named), (count) => `${resources(count)} replaced`),
    danger('orphaned', changes.filter(isOrphan).map(keptRunning), orphanedTitle),
    danger('forgotten', of('forget').map(named), (count) => `${resources(count)} no longer tracked`),
    danger('orphans', orphanItems(plan), orphansTitle),
  ];
}

function danger(code: DangerCode, items: readonly DangerItem[], titleOf: (count: number) => string): Danger {
  return { code, gravity: dangerGravity[code], title: titleOf(items.length), items };
}

function blockedItems({ changes }: Plan, isLookedFor: boolean): readonly DangerItem[] {
  return changes.flatMap(({ address, blocked, lookedFor = false }) =>
    blocked === undefined || lookedFor !== isLookedFor ? [] : [{ subject: address, detail: blocked }],
  );
}

function blockedTitle(count: number): string {
  return `${counted(count, 'change is', 'changes are')} blocked: apply refuses this plan`;
}

function lookedForTitle(count: number): string {
  return `${counted(count, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on`;
}

/** What a replacement left is not the resource that has its address now. */
function lostOf(change: Change): DangerItem {
  const { subject, detail } = named(change);
  return { subject, detail: change.reason === 'replaced' ? `${detail}, the old one that was replaced` : detail };
}

function keptRunning({ address, action, id = '' }: Change): DangerItem {
  const what = action === 'replace' ? 'replaced, the old one' : 'forgotten, it';
  return { subject: address, detail: `${what} keeps running as \`${id}\`` };
}

function orphanedTitle(count: number): string {
  return `${counted(count, 'schedule keeps running as an orphan', 'schedules keep running as orphans')}`;
}

function orphanItems(plan: Plan): readonly DangerItem[] {
  return remainingOrphans(plan).map(({ id, address, name }) => ({
    subject: id,
    detail: `${inBackticks(name)}, was \`${address}\``,
  }));
}

function orphansTitle(count: number): string {
  const made = counted(count, 'orphan', 'orphans');
  return `${made} of earlier applies still ${count === 1 ? 'runs' : 'run'} in Omni`;
}

function named({ address, kind, before }: Change): DangerItem & { readonly detail: string } {
  const name = before?.['name'];
  return {
    subject: address,
    detail: typeof name === 'string' ? `${kindWords[kind]} ${inBackticks(name)}` : kindWords[kind],
  };
}
