// What a reviewer should check first, found in the plan document alone. The document lacks resources that do not change,
// so a domain counts as newly mailed if nothing in the plan mailed it before.

import { actions } from '../../model/plan/action.ts';
import { leavesOrphan } from '../../model/plan/leaves-orphan.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { kindWords } from '../../model/values/address.ts';
import { byCodeUnit, type Json, type JsonObject } from '../../model/values/json.ts';
import { countOf } from '../text/count-words.ts';
import { isMask } from '../text/visible-text.ts';
import { remainingOrphans } from './remaining-orphans.ts';

export interface Danger {
  readonly title: string;
  readonly items: readonly DangerItem[];
  /** What the list cannot know, or what it means. */
  readonly note?: string;
}

export interface DangerItem {
  /** An address, a recipient, a domain. */
  readonly subject: string;
  /** Why, or which resources it concerns. */
  readonly detail?: string;
}

/** The gravest first; only those that occur. */
export function dangersOf(plan: PlanDocument): readonly Danger[] {
  return [
    blocked(plan),
    deleted(plan),
    replaced(plan),
    orphaned(plan),
    forgotten(plan),
    orphans(plan),
    addedRecipients(plan),
    newDomains(plan),
  ].filter(({ items }) => items.length > 0);
}

/** How grave a change is: a lower number comes first. */
export function gravityOf({ action, blocked: why }: Change): number {
  return why === undefined ? actions[action].gravity : 0;
}

function blocked({ changes }: PlanDocument): Danger {
  const items = changes.flatMap(({ address, blocked: why }) =>
    why === undefined ? [] : [{ subject: address, detail: why }],
  );
  return { title: `${countOf(items.length, 'change is', 'changes are')} blocked: apply refuses this plan`, items };
}

function deleted({ changes }: PlanDocument): Danger {
  const items = changes.filter(({ action }) => action === 'delete').map(lostOf);
  return { title: `${countOf(items.length, 'resource is', 'resources are')} deleted`, items };
}

/** What a replacement left is not the resource that has its address now. */
function lostOf(change: Change): DangerItem {
  const { subject, detail } = named(change);
  return {
    subject,
    detail: change.reason === 'replaced' ? `${detail}, the old one that was replaced` : (detail ?? ''),
  };
}

function replaced({ changes, operations }: PlanDocument): Danger {
  const items = changes.filter((change) => change.action === 'replace' && !leavesOrphan(change, operations)).map(named);
  return { title: `${countOf(items.length, 'resource is', 'resources are')} replaced`, items };
}

function orphaned({ changes, operations }: PlanDocument): Danger {
  const items = changes
    .filter((change) => leavesOrphan(change, operations))
    .map(({ address, action, id = '' }) => ({
      subject: address,
      detail: `${action === 'replace' ? 'replaced, the old one' : 'forgotten, it'} keeps running as \`${id}\``,
    }));
  const left = countOf(items.length, 'schedule keeps', 'schedules keep');
  return { title: `${left} running as ${items.length === 1 ? 'an orphan' : 'orphans'}`, items };
}

function forgotten({ changes, operations }: PlanDocument): Danger {
  const items = changes.filter((change) => change.action === 'forget' && !leavesOrphan(change, operations)).map(named);
  return { title: `${countOf(items.length, 'resource is', 'resources are')} no longer tracked`, items };
}

function orphans(plan: PlanDocument): Danger {
  const items = remainingOrphans(plan).map(({ id, address, name }) => ({
    subject: id,
    detail: `\`${name}\`, was \`${address}\``,
  }));
  const made = countOf(items.length, 'orphan', 'orphans');
  return { title: `${made} of earlier applies still ${items.length === 1 ? 'runs' : 'run'} in Omni`, items };
}

function named({ address, kind, before }: Change): DangerItem {
  const name = before?.['name'];
  return { subject: address, detail: typeof name === 'string' ? `${kindWords[kind]} \`${name}\`` : kindWords[kind] };
}

/** Recipients who get more than before, from schedules that already existed. */
function addedRecipients({ changes }: PlanDocument): Danger {
  const schedulesOf = new Map<string, string[]>();
  for (const { address, before, after } of changes) {
    if (before === null || after === null) continue;
    const had = new Set(recipientsOf(before));
    for (const recipient of recipientsOf(after)) {
      if (!had.has(recipient)) schedulesOf.set(recipient, [...(schedulesOf.get(recipient) ?? []), address]);
    }
  }
  const items = itemsOf(schedulesOf);
  return { title: `${countOf(items.length, 'recipient is', 'recipients are')} added`, items };
}

function newDomains({ changes }: PlanDocument): Danger {
  const known = new Set(
    changes.flatMap(({ action, before, after }) => [
      ...domainsOf(before),
      ...(action === 'adopt' || action === 'move' ? domainsOf(after) : []),
    ]),
  );
  const schedulesOf = new Map<string, string[]>();
  for (const { address, after } of changes) {
    for (const domain of new Set(domainsOf(after))) {
      if (!known.has(domain)) schedulesOf.set(domain, [...(schedulesOf.get(domain) ?? []), address]);
    }
  }
  const items = itemsOf(schedulesOf);
  return {
    title: `${countOf(items.length, 'domain is', 'domains are')} newly mailed`,
    items,
    note: 'Judged from this plan alone: a domain that only unchanged schedules mail counts as new.',
  };
}

function itemsOf(schedulesOf: ReadonlyMap<string, readonly string[]>): readonly DangerItem[] {
  const sorted = [...schedulesOf].sort(([a], [b]) => byCodeUnit(a, b));
  return sorted.map(([subject, [first = '', ...others]]) => ({
    subject,
    detail: others.length === 0 ? `\`${first}\`` : `\`${first}\` and ${countOf(others.length, 'other', 'others')}`,
  }));
}

/** The people and channels of a schedule; a text lists them between commas. */
function recipientsOf(attributes: JsonObject): readonly string[] {
  const recipients: Json = attributes['recipients'] ?? [];
  const list: readonly Json[] = typeof recipients === 'string' ? recipients.split(',') : asList(recipients);
  return list.flatMap((each) => (typeof each === 'string' && !isMask(each) ? [each.trim()] : []));
}

function domainsOf(attributes: JsonObject | null): readonly string[] {
  if (attributes?.['destinationType'] !== 'email') return [];
  return recipientsOf(attributes).flatMap((recipient) => {
    const at = recipient.lastIndexOf('@');
    return at < 0 ? [] : [recipient.slice(at + 1).toLowerCase()];
  });
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
