// Every danger of a plan, in the order in which reports list them. Judged against the state: the plan alone does not know
// what stays as it is. A new danger is a row of `dangerGravity` in model/plan/danger.ts, and is found here.

import { acceptancesOf } from '../../declare/acceptances.ts';
import { isOutsideAddress } from '../../declare/inside/receiving-places.ts';
import { waivedBy } from '../../declare/inside/recipients-inside.ts';
import type { DashboardFinding } from '../../declare/rows/on-dashboards.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { plainNames } from '../../model/fields/receiver.ts';
import {
  addressWords,
  concernedBySubject,
  type Danger,
  type DangerCode,
  type DangerItem,
  dangerGravity,
  type FoundDanger,
  foldedItems,
  type Gravity,
} from '../../model/plan/danger.ts';
import type { GonePart } from '../../model/plan/observation.ts';
import { type Change, type KeptValue, leavesOrphan, type Plan, remainingOrphans } from '../../model/plan/plan.ts';
import { type Kind, kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { countOf, inBackticks, maxEqual, nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import { filtersIn } from '../drift.ts';
import type { EndedDelivery } from '../ended-lines.ts';
import { keptWords } from '../kept.ts';
import { type PlanResult, type Step, sendsGroups } from '../plan.ts';
import { plannedAs } from '../planned-as.ts';
import { onlyTakes } from '../requests.ts';
import { unmeantDeletions } from '../unmeant-deletions.ts';
import { rowsOfReceivers } from './new-rows.ts';
import { otherAlerts, otherRows } from './other-rows.ts';
import { addedRecipients, newOwners, newPlaces, outsideRecipients, removedRecipients } from './receivers.ts';
import { lastElsewhere, movedSubmodules } from './reverted-changes.ts';
import { movedSecrets, removedPasswords, takenOutFilters, unreadFields, unreadFilters } from './unread.ts';
import { type DangerContext, type DangerRule, type World, worldOf } from './world.ts';

// Names and texts that `ignoreChanges` keeps although receivers or rows of their report change. Such a text may have
// been written for somebody else.

const keptTexts: DangerRule = (steps) => {
  const keeping = steps.filter((step) => step.change.kept !== undefined && reachesOthers(step));
  const items = keeping.flatMap(({ change: { address, kind, kept = [] } }) =>
    kept.flatMap((value): readonly DangerItem[] => {
      const words = fieldsOf[kind][value.field]?.decides === 'text' ? keptWords(value) : undefined;
      return words === undefined ? [] : [{ subject: address, detail: shortened(words, value) }];
    }),
  );
  const reports = countOf(new Set(items.map(({ subject }) => subject)).size, 'report keeps', 'reports keep');
  const title = `${reports} a name or a text that is not declared, with other receivers or rows than before`;
  return [{ code: 'kept-text', title, items }];
};

/** A longer one is only in the change. */
const maxLength = 240;

function shortened(words: string, { field }: KeptValue): string {
  return words.length <= maxLength ? words : `${field} is kept`;
}

/** True if the resource exists before and after, and delivers to different receivers or shows different rows. */
function reachesOthers({ change: { kind }, delivered }: Step): boolean {
  const { before, after } = delivered();
  return before !== undefined && after !== undefined && reached(before, kind) !== reached(after, kind);
}

function reached({ to, inExtra, shows, rows }: Delivery, kind: Kind): string {
  const receivers = [...to, ...inExtra].map(({ kind, compared, account = '' }) => `${kind} ${compared} ${account}`);
  const limits = [...rows].map(([id, { written }]) => [id, written] as const);
  const shown = [...shows].flatMap(([name, value = null]) =>
    fieldsOf[kind][name]?.decides === 'rows' ? [[name, value]] : [],
  );
  return canonicalJson([receivers.sort(), Object.fromEntries(shown), Object.fromEntries(limits)]);
}

// Dangers in what dashboards make of the filters of reports that a plan sends. What counts as an error is grave.

const titles = {
  'filters-joined': 'joins filters of reports, so that they let more rows through',
  'tile-unfiltered': 'has tiles that a filter of reports does not limit',
  'pages-left-out': 'has pages that a PDF or PNG lacks',
} as const satisfies Partial<Record<DangerCode, string>>;

const madeOfFilters: DangerRule = (steps, { dashboards = [] }) => {
  if (dashboards.length === 0) return [];
  const sent = new Set(
    steps.flatMap(({ change, calls }) => (calls.some((call) => !onlyTakes(call)) ? change.address : [])),
  );
  const touched = dashboards.flatMap((each) => {
    const isBrought = each.by !== undefined && sent.has(each.by);
    const reports = each.reports.filter((address) => isBrought || sent.has(address));
    return reports.length === 0 ? [] : [{ ...each, reports }];
  });
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((code) =>
    (['grave', 'caution'] as const).map((gravity) => {
      const of = touched.filter((each) => each.finding.code === code && gravityOf(each) === gravity);
      return {
        code,
        gravity,
        title: `${countOf(of.length, 'dashboard')} ${titles[code]}`,
        items: of.map(({ identifier, what, reports }) => ({
          subject: identifier,
          detail: `${what}, in ${addressWords(reports)}`,
        })),
      };
    }),
  );
};

function gravityOf({ finding }: DashboardFinding): Gravity {
  return severityOf(finding) === 'error' ? 'grave' : 'caution';
}

// Declared user group names that mean another group than the one sent to. The former group is gone, and the group that
// has its name now may hold other people.

const otherGroups: DangerRule = (steps) => {
  const found = concernedBySubject(
    steps
      .filter(sendsGroups)
      .flatMap(({ change: { address }, groups: { replaced = [] } }) =>
        replaced.map((text) => [`another group called ${text}`, address] as const),
      ),
  );
  const title = `${countOf(found.size, 'name means', 'names mean')} a different user group: the group that Almanac sent to is gone`;
  return [{ code: 'another-group', title, items: foldedItems(found) }];
};

// Waivers of checks that a plan brings or prolongs. A waiver of `recipient-not-inside` lets somebody outside receive
// reports; one of `rows-of-others`, or of what a dashboard or Omni makes of its filters, may show the rows of others.

interface Waiver {
  readonly recipient: string;
  readonly reason: string;
  /** The last day; one that never comes where the waiver has no end. */
  readonly until: string;
}

const never = '9999-12-31';

const newWaivers: DangerRule = (steps, { isInside, judgesRecipients }) => {
  if (!judgesRecipients) return [];
  const found = steps.flatMap(({ change: { address, before, after }, delivered }) => {
    const known = waiversIn(before, delivered().before, isInside);
    return [...waiversIn(after, delivered().after, isInside)].flatMap(([key, waiver]) =>
      waiver.until > (known.get(key)?.until ?? '') ? [[subjectOf(waiver), address] as const] : [],
    );
  });
  const items = [...concernedBySubject(found)].map(([words, addresses]) => {
    const [subject = '', why = ''] = words.split('\n');
    return { subject, detail: `${why}, in ${addressWords(addresses)}` };
  });
  const recipients = new Set(items.map(({ subject }) => subject.toLowerCase())).size;
  const title = `${countOf(recipients, 'recipient', 'recipients')} outside may receive reports by a new or longer waiver`;
  return [{ code: 'waiver', title, items }];
};

const rowWaivers: DangerRule = (steps, { rows }) => {
  if (rows === undefined) return [];
  const waived = steps.flatMap(({ change: { address, before, after } }) =>
    waivedRows.flatMap((code) => {
      const { reason, until = never } = waiverIn(after, code) ?? {};
      if (reason === undefined || until <= (waiverIn(before, code)?.until ?? '')) return [];
      return [[`until ${until}: ${inBackticks(reason.replaceAll(/\s+/g, ' '))}`, address] as const];
    }),
  );
  const reports = countOf(new Set(waived.map(([, address]) => address)).size, 'resource', 'resources');
  const title = `${reports} may show the rows of others by a new or longer waiver`;
  return [{ code: 'waiver', title, items: foldedItems(concernedBySubject(waived)) }];
};

/** The checks whose waiver may give somebody the rows of others. */
const waivedRows: readonly Code[] = [
  'rows-of-others',
  'filters-joined',
  'tile-unfiltered',
  'stored-otherwise',
  'not-read',
];

function waiverIn(attributes: JsonObject | null, code: Code) {
  return attributes === null ? undefined : acceptancesOf({ attributes }).get(code);
}

/** One key for equal waivers. */
function subjectOf({ recipient, reason, until }: Waiver): string {
  const end = until === never ? 'without an end' : `until ${until}`;
  return `${recipient}\n${end}: ${inBackticks(reason.replaceAll(/\s+/g, ' '))}`;
}

/** Returns for each recipient outside the waiver that ends last. */
function waiversIn(
  attributes: JsonObject | null,
  delivery: Delivery | undefined,
  isInside: (host: string) => boolean,
): ReadonlyMap<string, Waiver> {
  const waivers = new Map<string, Waiver>();
  if (attributes === null || delivery === undefined || attributes['accept'] === undefined) return waivers;
  const outside = [...delivery.to, ...delivery.inExtra].filter(
    ({ kind, shown, isHidden }) => kind === 'email' && !isHidden && isOutsideAddress(shown, isInside),
  );
  const entries = isJsonObject(attributes['accept']) ? attributes['accept'] : {};
  for (const [name, { reason, until = never }] of acceptancesOf({ attributes })) {
    const waived = waivedBy(name, entries[name])?.map((email) => email.toLowerCase());
    for (const { shown: recipient, compared: key } of outside) {
      const isLonger = until > (waivers.get(key)?.until ?? '');
      if ((waived === undefined || waived.includes(key)) && isLonger) waivers.set(key, { recipient, reason, until });
    }
  }
  return waivers;
}

const rules: readonly DangerRule[] = [
  (_, { fromBase = [] }) => fromBase,
  lastElsewhere,
  movedSubmodules,
  unmeantDeletions,
  (_, { plan }) => endedDangers(plan),
  otherRows,
  otherAlerts,
  keptTexts,
  (_, world) => goneDangers(world),
  (_, { plan }) => [goneFilters(plan)],
  (_, { ended = [] }) => [endedLines(ended)],
  madeOfFilters,
  outsideRecipients,
  addedRecipients,
  newPlaces,
  newOwners,
  otherGroups,
  movedSecrets,
  removedPasswords,
  removedRecipients,
  switched('paused'),
  switched('resumed'),
  unreadFields,
  unreadFilters,
  takenOutFilters,
  rowsOfReceivers,
  newWaivers,
  rowWaivers,
];

const order = Object.keys(dangerGravity);

/** Returns only the dangers that occur. */
export function findDangers(planned: Pick<PlanResult, 'plan' | 'steps'>, context: DangerContext): readonly Danger[] {
  const world = worldOf(planned, context);
  return withGravity(rules.flatMap((rule) => rule(planned.steps, world)));
}

/** The dangers of a list that occur, in their order. */
export function withGravity(found: readonly FoundDanger[]): readonly Danger[] {
  return (
    found
      // A line about recipients who may be outside, or about a base that nobody could read, names nothing.
      .filter(({ code, items }) => items.length > 0 || code === 'new-receiver' || code === 'base-unread')
      .map(({ code, gravity = dangerGravity[code], ...rest }) => ({ code, gravity, ...rest }))
      .sort((a, b) => rankOf(a) - rankOf(b))
  );
}

/** The graver first, and in the order of the table. */
function rankOf({ code, gravity }: Danger): number {
  return order.indexOf(code) + (gravity === 'grave' ? 0 : order.length);
}

/** Dashboards and tiles that Omni no longer has, with who receives nothing. */
function goneDangers({ gone = [], appliedAt }: World): readonly FoundDanger[] {
  const items = (parts: readonly GonePart[]) =>
    [...groupBy(parts, ({ identifier, tile = '' }) => JSON.stringify([identifier, tile]))].map(
      ([, same]): DangerItem => {
        const [{ identifier, tile }] = same;
        const receivers = same.flatMap(({ address }) => appliedAt(address)?.to.flatMap(plainNames) ?? []);
        const distinct = [...new Set(receivers)].map(inBackticks);
        const of = tile === undefined ? '' : `of the dashboard ${inBackticks(identifier)}: `;
        const whom =
          distinct.length === 0 ? '' : `; receives nothing: ${nameSome(distinct, distinct.length, maxEqual)}`;
        return {
          subject: tile ?? identifier,
          detail: `${of}${addressWords(same.map(({ address }) => address))}${whom}`,
        };
      },
    );
  const onDashboards = items(gone.filter(({ tile }) => tile === undefined));
  const onTiles = items(gone.filter(({ tile }) => tile !== undefined));
  return [
    {
      code: 'dashboard-gone',
      title: `${countOf(onDashboards.length, 'dashboard is', 'dashboards are')} gone from Omni`,
      items: onDashboards,
    },
    {
      code: 'tile-gone',
      title: `${countOf(onTiles.length, 'tile that is delivered or watched is', 'tiles that are delivered or watched are')} gone from ${onTiles.length === 1 ? 'its dashboard' : 'their dashboards'}`,
      items: onTiles,
    },
  ];
}

/** Filters that a look did not find any more on the dashboards of schedules that set them. */
function goneFilters({ drift }: Plan): FoundDanger {
  const found = concernedBySubject(
    drift.flatMap(({ address, diff }) => filtersIn(diff, 'gone').map((id) => [id, address] as const)),
  );
  const filters = countOf(found.size, 'filter is gone from its dashboard', 'filters are gone from their dashboards');
  const title = `${filters}: without ${found.size === 1 ? 'it' : 'them'} a report would show all rows`;
  return { code: 'filter-gone', title, items: foldedItems(found) };
}

/** Each plan reports a delivery by an ended line while it goes on: nothing else that is reviewed would. */
function endedLines(ended: readonly EndedDelivery[]): FoundDanger {
  const found = concernedBySubject(
    ended.map(({ address, receiver, line }) => [JSON.stringify([receiver.shown, line.at]), address] as const),
  );
  const lines = new Map(ended.map(({ receiver, line }) => [JSON.stringify([receiver.shown, line.at]), line]));
  const items = [...found].map(([key, addresses]): DangerItem => {
    const [subject = ''] = JSON.parse(key) as readonly string[];
    const { text = '', until, at } = lines.get(key) ?? {};
    return { subject, detail: `the line ${inBackticks(text)} ended on ${until}, ${at}: ${addressWords(addresses)}` };
  });
  const receivers = countOf(items.length, 'receiver gets reports by a line', 'receivers get reports by lines');
  return {
    code: 'permission-ended',
    title: `${receivers} of the table that ${items.length === 1 ? 'has' : 'have'} ended`,
    items,
  };
}

/** Schedules that a plan pauses, or resumes. */
function switched(code: 'paused' | 'resumed'): DangerRule {
  return (steps) => {
    const items = steps.flatMap(({ change: { address, kind, after: attributes }, delivered }) => {
      const { before, after } = delivered();
      if (!plannedAs[kind].byThemselves.paused || before === undefined || after === undefined) return [];
      const name = attributes?.['name'];
      const detail = typeof name === 'string' ? `${kinds[kind].words} ${inBackticks(name)}` : undefined;
      return before.paused === after.paused || after.paused !== (code === 'paused')
        ? []
        : [{ subject: address, detail }];
    });
    return [{ code, title: `${countOf(items.length, 'schedule is', 'schedules are')} ${code}`, items }];
  };
}

/** The dangers of what a plan ends, leaves running or cannot do: deletes, replacements, orphans, and changes that are blocked. */
function endedDangers(plan: Plan): readonly FoundDanger[] {
  const { changes, operations } = plan;
  const isOrphan = (change: Change) => leavesOrphan(change, operations);
  const of = (action: Change['action']) => changes.filter((change) => change.action === action && !isOrphan(change));
  const [blocked, unresolved] = [blockedBy(plan, false), blockedBy(plan, true)];
  const resources = (count: number) => countOf(count, 'resource is', 'resources are');
  return [
    danger('deleted', of('delete').map(lostOf), (count) => `${resources(count)} deleted`),
    danger(
      'blocked',
      blockedItems(blocked),
      () => `${countOf(blocked.length, 'change is', 'changes are')} blocked: apply refuses this plan`,
    ),
    danger(
      'unresolved',
      blockedItems(unresolved),
      () =>
        `${countOf(unresolved.length, 'change has', 'changes have')} an unknown outcome: apply looks in Omni first, and goes on`,
    ),
    danger('replaced', of('replace').map(named), (count) => `${resources(count)} replaced`),
    danger('orphaned', changes.filter(isOrphan).map(keptRunning), (count) =>
      countOf(count, 'schedule keeps running as an orphan', 'schedules keep running as orphans'),
    ),
    danger('forgotten', of('forget').map(named), (count) => `${resources(count)} no longer tracked`),
    danger('orphans', orphanItems(plan), orphansTitle),
  ];
}

function danger(code: DangerCode, items: readonly DangerItem[], titleOf: (count: number) => string): FoundDanger {
  return { code, title: titleOf(items.length), items };
}

function blockedBy({ changes }: Plan, isLookedFor: boolean): readonly Change[] {
  return changes.filter(({ blocked, lookedFor = false }) => blocked !== undefined && lookedFor === isLookedFor);
}

/** A reason that several have is said once. */
function blockedItems(changes: readonly Change[]): readonly DangerItem[] {
  return [...groupBy(changes, ({ blocked = '' }) => blocked)].map(([why, [first, ...others]]) => ({
    subject: first.address,
    detail: others.length === 0 ? why : `and ${countOf(others.length, 'other change', 'other changes')}: ${why}`,
  }));
}

/** A resource that a replacement left is not the one that has its address now. */
function lostOf(change: Change): DangerItem {
  const { subject, detail } = named(change);
  return { subject, detail: change.reason === 'replaced' ? `${detail}, which was replaced earlier` : detail };
}

function keptRunning({ address, action, id = '' }: Change): DangerItem {
  const what = action === 'replace' ? 'replaced; the old schedule' : 'forgotten; the schedule';
  return { subject: address, detail: `${what} keeps running as \`${id}\`` };
}

function orphanItems(plan: Plan): readonly DangerItem[] {
  return remainingOrphans(plan).map(({ id, address, name }) => ({
    subject: id,
    detail: `${inBackticks(name)}, was \`${address}\``,
  }));
}

function orphansTitle(count: number): string {
  const made = countOf(count, 'orphan', 'orphans');
  return `${made} of earlier applies still ${count === 1 ? 'runs' : 'run'} in Omni`;
}

function named({ address, kind, before }: Change): DangerItem & { readonly detail: string } {
  const name = before?.['name'];
  return {
    subject: address,
    detail: typeof name === 'string' ? `${kinds[kind].words} ${inBackticks(name)}` : kinds[kind].words,
  };
}
