// Whose rows a report shows, as far as the declarations alone cannot tell: a dividing filter that may be the dashboard's, because
// nothing was sent of it since the adoption, and the new value of a filter of the dashboard that a report follows.

import {
  type JudgedDelivery,
  judgeRows,
  type RowFault,
  type RowRules,
  shownRows,
  withUnread,
} from '../declare/rows/judge-rows.ts';
import { type JudgedRows, wordsOfFaults } from '../declare/rows/rows-of-others.ts';
import { deliveryOf, type Limit } from '../model/fields/delivery.ts';
import { trackedAt } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { declaredAttributes, type Resource } from '../model/workspace/resource.ts';
import { sendsDeclaration } from './calls.ts';
import { followedIn } from './dashboard-filters.ts';
import type { PlanInputs } from './inputs.ts';
import type { Step } from './plan.ts';

/** Of `only`, or of all. Nothing where nobody knows whose rows are whose. */
export function rowsByState(
  steps: readonly Step[],
  inputs: PlanInputs,
  only?: readonly Address[] | undefined,
): readonly Finding[] {
  const { rows } = inputs.loaded;
  if (rows === undefined || inputs.state === undefined) return [];
  const byState = schedulesByState(inputs);
  return [
    ...chosenIn(byState, only).flatMap(([address, resource]) =>
      unreadFindings(resource, unreadAfter(address, steps, inputs), rows),
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
      unreadFindings(resource, unreadAfter(tracked, [], inputs), rows).length > 0 ? resource.address : [],
    ),
  );
}

/** What is declared, by the addresses that the state has. */
function schedulesByState({ loaded: { desired }, state }: PlanInputs): ReadonlyMap<Address, Resource> {
  const former = new Map(desired.moves.map(({ from, to }) => [to, from]));
  const trackedAs = (address: Address) =>
    trackedAt(state, address) === undefined ? (former.get(address) ?? address) : address;
  const schedules = desired.resources.filter(({ kind }) => kind === 'schedule');
  return new Map(schedules.map((resource) => [trackedAs(resource.address), resource]));
}

function chosenIn(byState: ReadonlyMap<Address, Resource>, only: readonly Address[] | undefined) {
  const chosen = only && new Set(only);
  return [...byState].filter(([, { address }]) => chosen?.has(address) ?? true);
}

/** What nothing was sent of, also once the plan is applied. */
function unreadAfter(tracked: Address, steps: readonly Step[], { state }: PlanInputs): readonly string[] {
  const { unread = [] } = trackedAt(state, tracked) ?? {};
  if (unread.length === 0) return unread;
  const isSent = steps.some(
    ({ change: { address, previousAddress = address, blocked }, calls }) =>
      previousAddress === tracked && blocked === undefined && sendsDeclaration(calls.map(({ send }) => send)),
  );
  return isSent ? [] : unread;
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
    hint: `To send the filter, which makes it its own, run \`${command('apply', '--refresh=deep', '--target', address)}\`.`,
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

/** What is wrong with the rows that filters of its dashboard let through, which a report follows. */
export function faultsByDashboard(
  { to, inExtra, shows, rows, extras }: JudgedDelivery,
  followed: ReadonlyMap<string, Limit>,
  rules: RowRules,
): readonly RowFault[] {
  const delivery = { to, inExtra, shows, extras, rows: new Map([...rows, ...followed]) };
  return judgeRows('schedule', delivery, rules).filter((fault) =>
    fault.kind === 'others'
      ? fault.others().some(({ filter }) => followed.has(filter))
      : (fault.kind === 'unlimited' || fault.kind === 'sign') && fault.unlimited.filters.some((id) => followed.has(id)),
  );
}
