// What schedules show: another dashboard or tile, a filter that is taken off, opened or changed, and a new schedule without
// the filter that all others of its dashboard have. And alerts, which fire by other rules than before. Compared is what a
// schedule was applied with, or what a look at Omni found.

import type { Delivery } from '../../model/fields/delivery.ts';
import { addressWords, type DangerItem, type Gravity } from '../../model/plan/danger.ts';
import { type Address, type Kind, kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import { fieldShifts, filterShifts, type Shift } from '../filter-shifts.ts';
import type { Step } from '../plan.ts';
import { plannedAs } from '../planned-as.ts';
import { followedRows } from './followed-rows.ts';
import { type RowFinding, rowsGravity, shownBefore, wordsOf } from './row-findings.ts';
import { unlikeOthers } from './unlike-others.ts';
import type { DangerRule, World } from './world.ts';

export const otherRows: DangerRule = (steps, world) => {
  const { isOutside, internalDomains } = world;
  const isNamed = internalDomains.length > 0;
  const gravityOf = ({ isLess }: Shift, { kind, after }: Changed): Gravity | undefined => {
    const gravity = rowsGravity(isLess, isOutside(after), isNamed);
    return isLess && gravity === 'caution' && plannedAs[kind].rowsOutsideAlone ? undefined : gravity;
  };
  const known = changedReports(steps, world).flatMap((changed) =>
    rowShifts(changed).map((shift) => ({
      address: changed.address,
      gravity: gravityOf(shift, changed),
      ...wordsOf(shift),
    })),
  );
  const findings: readonly RowFinding[] = [...known, ...followedRows(steps, world), ...unlikeOthers(steps, world)];
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = findings.filter((finding) => finding.gravity === gravity);
    const show =
      gravity === 'grave' && isNamed
        ? countReports(found, 'report that goes outside shows', 'reports that go outside show')
        : countReports(found, 'report shows', 'reports show');
    return { code: 'other-rows', gravity, title: `${show} other rows`, items: itemsOf(found) };
  });
};

export const otherAlerts: DangerRule = (steps, world) => {
  const findings = changedReports(steps, world).flatMap(({ address, before, after }) =>
    fieldShifts(before.alert, after.alert).map((shift) => ({
      address,
      gravity: 'caution' as const,
      ...wordsOf(shift),
    })),
  );
  const title = `${countReports(findings, 'alert works', 'alerts work')} otherwise`;
  return [{ code: 'alert-off', title, items: itemsOf(findings) }];
};

function countReports(findings: readonly RowFinding[], one: string, several: string): string {
  return countOf(new Set(findings.map(({ address }) => address)).size, one, several);
}

function itemsOf(findings: readonly RowFinding[]): readonly DangerItem[] {
  const bySubject = [...groupBy(findings, ({ subject }) => subject)].sort(([a], [b]) => byCodeUnit(a, b));
  return bySubject.map(([subject, all]) => {
    const said = all[0]?.said.filter((words) => all.every((each) => each.said.includes(words))) ?? [];
    const addresses = all.map(({ address }) => address);
    const [one, several] = all[0]?.are ?? [];
    const are = one === undefined || several === undefined ? '' : `${countOf(all.length, one, several)}: `;
    return { subject, detail: [are + addressWords(addresses), ...said].join(', ') };
  });
}

interface Changed {
  readonly address: Address;
  readonly kind: Kind;
  readonly before: Delivery;
  readonly after: Delivery;
}

/** What is delivered again and again, before and after. Each run of an AI job is a new one. */
function changedReports(steps: readonly Step[], world: World): readonly Changed[] {
  return steps.flatMap((step) => {
    const { address, kind } = step.change;
    if (kinds[kind].life !== 'recurring') return [];
    const [before, { after }] = [shownBefore(step, world), step.delivered()];
    return before === undefined || after === undefined ? [] : [{ address, kind, before, after }];
  });
}

function rowShifts({ before, after }: Changed): readonly Shift[] {
  const ids = [...new Set([...before.rows.keys(), ...after.rows.keys()])];
  return [
    ...fieldShifts(before.shows, after.shows),
    ...ownRights(before, after),
    ...ids.flatMap((id) => filterShifts(id, before.rows.get(id), after.rows.get(id))),
  ];
}

/** What each got with their own rights, everybody then gets with those of its owner. */
function ownRights(before: Delivery, after: Delivery): readonly Shift[] {
  return before.isFannedOut && !after.isFannedOut
    ? [{ label: 'fanOut', what: 'is removed', before: true, isLess: true }]
    : [];
}
