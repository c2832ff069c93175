// Findings about the rows of reports that need more than the declarations: a dividing filter that may be the dashboard's, because
// nothing was sent of it since the adoption; the new value of a filter of the dashboard that a report follows; and who still
// shows a value that others give up, as where half of a customer's reports are removed or renamed.

import {
  type JudgedDelivery,
  judgeRows,
  type RowFault,
  type RowRules,
  shownRows,
  withUnread,
} from '../declare/rows/judge-rows.ts';
import { type JudgedRows, wordsOfFaults } from '../declare/rows/rows-of-others.ts';
import { type Delivery, deliveryOf, type Limit } from '../model/fields/delivery.ts';
import { trackedAt } from '../model/plan/state.ts';
import { type Address, deliversDashboard, groupOf, itemOf } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { inBackticks, nameSome, quote } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfField, placeOfResource } from '../model/workspace/field-place.ts';
import { declaredAttributes, type Resource } from '../model/workspace/resource.ts';
import { followedIn } from './dashboard-filters.ts';
import type { PlanInputs } from './inputs.ts';
import type { Step } from './plan.ts';
import { sendsDeclaration } from './requests.ts';

/** The findings about `only`, or about all. Empty if it is not known whose rows are whose. */
export function rowsByState(
  steps: readonly Step[],
  inputs: PlanInputs,
  only?: readonly Address[] | undefined,
): readonly Finding[] {
  const { rows } = inputs.loaded;
  if (rows === undefined || inputs.state === undefined) return [];
  const byState = schedulesByState(inputs);
  const sent = sentWhole(steps);
  return [
    ...chosenIn(byState, only).flatMap(([address, resource]) =>
      sent.has(address) ? [] : unreadFindings(resource, unreadIn(inputs, address), rows),
    ),
    ...followedFindings(steps, byState, inputs, rows),
  ];
}

/** The schedules, of `only` or of all, that nothing but an unread filter limits. */
export function notLimitedByState(inputs: PlanInputs, only?: readonly Address[] | undefined): ReadonlySet<Address> {
  const { rows } = inputs.loaded;
  if (rows === undefined) return new Set();
  return new Set(
    chosenIn(schedulesByState(inputs), only).flatMap(([tracked, resource]) =>
      unreadFindings(resource, unreadIn(inputs, tracked), rows).length > 0 ? resource.address : [],
    ),
  );
}

/** The declared schedules, keyed by the addresses in the state. */
function schedulesByState({ loaded: { desired }, state }: PlanInputs): ReadonlyMap<Address, Resource> {
  const former = new Map(desired.moves.map(({ from, to }) => [to, from]));
  const trackedAs = (address: Address) =>
    trackedAt(state, address) === undefined ? (former.get(address) ?? address) : address;
  const schedules = desired.resources.filter(({ kind }) => deliversDashboard(kind));
  return new Map(schedules.map((resource) => [trackedAs(resource.address), resource]));
}

function chosenIn(byState: ReadonlyMap<Address, Resource>, only: readonly Address[] | undefined) {
  const chosen = only && new Set(only);
  return [...byState].filter(([, { address }]) => chosen?.has(address) ?? true);
}

function unreadIn({ state }: PlanInputs, tracked: Address): readonly string[] {
  return trackedAt(state, tracked)?.unread ?? [];
}

/** The addresses in the state of what the plan sends whole, which leaves nothing unread. */
function sentWhole(steps: readonly Step[]): ReadonlySet<Address> {
  return new Set(
    steps.flatMap(({ change: { address, previousAddress = address, blocked }, calls }) =>
      blocked === undefined && sendsDeclaration(calls) ? previousAddress : [],
    ),
  );
}

function unreadFindings(resource: Resource, unread: readonly string[], { rules }: JudgedRows): readonly Finding[] {
  if (unread.length === 0) return [];
  const { kind, address } = resource;
  const delivery = withUnread(deliveryOf(kind, declaredAttributes(resource)), unread);
  const faults = judgeRows(kind, delivery, rules).filter(
    (fault) => fault.kind === 'unlimited' && fault.unlimited.why === 'unread',
  );
  const shown = shownRows(kind, delivery, rules);
  const at = 'unlimited' in shown ? shown.unlimited.at : undefined;
  return wordsOfFaults(faults, `\`${address}\``, shown, rules).map((words) => ({
    ...words,
    hint: `To send the filter, so that the dashboard does not decide it, run \`${command('apply', '--refresh=deep', '--target', address)}\`.`,
    address,
    place: placeOfField(resource, at ?? '/filterConfig').place,
  }));
}

function followedFindings(
  steps: readonly Step[],
  byState: ReadonlyMap<Address, Resource>,
  { state, loaded }: PlanInputs,
  { rules }: JudgedRows,
): readonly Finding[] {
  const declared = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  return [...followedIn(steps, state)].flatMap(([{ change, delivered }, followers]) => {
    const limits = delivered().after?.rows ?? new Map<string, Limit>();
    const dashboard = declared.get(change.address);
    return followers.flatMap(({ address: tracked, ids }) => {
      const resource = byState.get(tracked);
      if (resource === undefined || dashboard === undefined) return [];
      const { address, kind, attributes: _ } = resource;
      const followed = new Map([...limits].filter(([id]) => ids.includes(id)));
      const delivery = deliveryOf(kind, declaredAttributes(resource));
      const faults = faultsByDashboard(delivery, followed, rules);
      const [first = ''] = ids;
      const place = placeOfField(dashboard, followed.get(first)?.at ?? '/filters').place;
      const what = `\`${address}\`, which follows \`${change.address}\`,`;
      return wordsOfFaults(faults, what, shownRows(kind, delivery, rules), rules).map(
        ({ hint, ...words }): Finding => ({
          ...words,
          hint: `Give \`${address}\` a filter of its own, or correct that of \`${change.address}\`. ${hint ?? ''}`.trim(),
          address,
          place,
        }),
      );
    });
  });
}

/** Findings about reports that still show a value which the last report of a loop, or a single report, no longer shows. */
export function stillShown(steps: readonly Step[], { loaded: { rows, desired } }: PlanInputs): readonly Finding[] {
  if (rows === undefined) return [];
  const { rules } = rows;
  const valuesOf = (delivery: Delivery | undefined) => {
    const found = delivery === undefined ? undefined : shownRows('schedule', delivery, rules);
    return new Set(found !== undefined && 'shown' in found ? found.shown.map(({ value }) => value) : []);
  };
  const givenUp: { readonly value: string; readonly address: Address }[] = [];
  const begun = new Set<string>();
  const keyOf = (address: Address, value: string) => JSON.stringify([address, value]);
  for (const { change, delivered } of steps) {
    if (!deliversDashboard(change.kind)) continue;
    const { address, previousAddress = address } = change;
    const [before, after] = [valuesOf(delivered().before), valuesOf(delivered().after)];
    for (const value of after) if (!before.has(value)) begun.add(keyOf(address, value));
    for (const value of before) if (!after.has(value)) givenUp.push({ value, address: previousAddress });
  }
  if (givenUp.length === 0) return [];
  const given = groupBy(givenUp, ({ value }) => value);
  const showing: { readonly value: string; readonly resource: Resource }[] = [];
  for (const resource of desired.resources) {
    if (!deliversDashboard(resource.kind)) continue;
    for (const value of valuesOf(deliveryOf(resource.kind, declaredAttributes(resource)))) {
      const isBegun = begun.has(keyOf(resource.address, value));
      if (given.has(value) && !isBegun) showing.push({ value, resource });
    }
  }
  const loops = new Set((desired.loops ?? []).map(({ address }) => address));
  return [...groupBy(showing, ({ value }) => value)].flatMap(([value, still]): readonly Finding[] => {
    const [{ resource: first }] = still;
    const showers = still.map(({ resource }) => resource.address);
    const showingGroups = new Set(showers.map(groupOf));
    // A loop that is gone as a whole is not about one value, and a loop that has another report of it keeps the value.
    const lost = (given.get(value) ?? []).flatMap(({ address }) => {
      const loop = groupOf(address);
      return itemOf(address) === undefined || (loops.has(loop) && !showingGroups.has(loop)) ? address : [];
    });
    if (lost.length === 0) return [];
    const [gone, showingNames] = [lost, showers].map((all) => nameSome(all.map(inBackticks)));
    return [
      {
        code: 'rows-still-shown',
        message: `${quote(value)} is no longer shown by ${gone}, but still by ${showingNames}.`,
        hint: 'If these rows are no longer to be delivered, or if the value has a new name, change the other reports as well.',
        address: first.address,
        place: placeOfResource(first),
      },
    ];
  });
}

/** The faults in the rows that a report gets through the filters of its dashboard which it follows. */
export function faultsByDashboard(
  { to, inExtra, dashboard, rows, extras }: JudgedDelivery,
  followed: ReadonlyMap<string, Limit>,
  rules: RowRules,
): readonly RowFault[] {
  const delivery = { to, inExtra, dashboard, extras, rows: new Map([...rows, ...followed]) };
  return judgeRows('schedule', delivery, rules).filter((fault) =>
    fault.kind === 'others'
      ? fault.valuesOfOthers().some(({ filter }) => followed.has(filter))
      : (fault.kind === 'unlimited' || fault.kind === 'sign') && fault.unlimited.filters.some((id) => followed.has(id)),
  );
}
