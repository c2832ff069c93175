// Deliveries to receivers whose lines in the table of permissions have ended. Only the changes that would reach such a
// receiver are left; the rest of the plan goes on.

import { judgeFindings } from '../declare/acceptances.ts';
import type { Loaded } from '../declare/load/load.ts';
import { judgeRows, type RowFault } from '../declare/rows/judge-rows.ts';
import type { EndedLine } from '../declare/rows/permissions.ts';
import { wordsOfFaults } from '../declare/rows/rows-of-others.ts';
import { type Delivery, deliveryOf } from '../model/fields/delivery.ts';
import type { Receiver } from '../model/fields/receiver.ts';
import { groupsOf } from '../model/plan/state.ts';
import { type Address, kindAt } from '../model/values/address.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfResource } from '../model/workspace/field-place.ts';
import { followersOf } from './dashboard-filters.ts';
import type { PlanInputs } from './inputs.ts';
import { leaving, type PlanResult, type Step } from './plan.ts';
import { onlyTakes, type RequestKind } from './requests.ts';

/** A receiver that gets something by a line that has ended, and nobody accepted that. */
export interface EndedDelivery extends DeliveryToJudge {
  readonly receiver: Receiver;
  readonly line: EndedLine;
  readonly finding: Finding;
}

/** `what`: the subject of a sentence. */
interface DeliveryToJudge {
  readonly address: Address;
  readonly delivery: Delivery;
  readonly what: string;
}

/** All of them at once. The first of a delivery is that of its first receiver. */
export function endedAmong<J extends DeliveryToJudge>(
  deliveries: readonly J[],
  loaded: Loaded,
): readonly (J & EndedDelivery)[] {
  const { rows } = loaded;
  if (rows === undefined || !rows.rules.permissions.hasEnded) return [];
  const found = deliveries.flatMap((judged) => {
    const { address, delivery, what } = judged;
    const faults = judgeRows(kindAt(address), delivery, rows.rules).filter(isEnded);
    return faults.flatMap(({ receiver, line, ...fault }) =>
      wordsOfFaults([{ receiver, line, ...fault }], what, { shown: [] }, rows.rules).map((words) => ({
        ...judged,
        receiver,
        line,
        finding: { ...words, address },
      })),
    );
  });
  const judged = judgeFindings(
    found.map(({ finding }) => finding),
    loaded,
  );
  return found.flatMap((each, index) => {
    const finding = judged[index];
    return finding?.lapsed === undefined || finding.severity === 'off' ? [] : { ...each, finding };
  });
}

function isEnded(fault: RowFault): fault is Extract<RowFault, { readonly kind: 'ended' }> {
  return fault.kind === 'ended';
}

/** Each change that would reach such a receiver, by itself or by the filter of a dashboard, says why it is left. */
export function leavingEnded(planned: PlanResult, { loaded, state }: PlanInputs): PlanResult {
  if (!loaded.rows?.rules.permissions.hasEnded) return planned;
  const { plan, steps } = planned;
  const byAddress = new Map(
    steps.map((step) => [step.change.previousAddress ?? step.change.address, step.delivered] as const),
  );
  const groups = groupsOf(state);
  const followers = followersOf({ steps, document: plan }, state);
  // A schedule that is paused and stays so is delivered to nobody.
  const staysPaused = ({ calls, delivered }: Step) =>
    delivered().before?.paused === true && delivered().after?.paused === true && !calls.some(startsDelivery);
  const reaches = (step: Step) => !step.calls.every(onlyTakes) && !staysPaused(step);
  const deliveriesOf = (step: Step): readonly DeliveryToJudge[] => {
    const { address } = step.change;
    const own = step.delivered().after;
    const following = [...(followers.get(step) ?? [])].flatMap(([each, { attributes }]): readonly DeliveryToJudge[] => {
      const delivered = byAddress.get(each);
      const delivery = delivered === undefined ? deliveryOf(kindAt(each), attributes, groups) : delivered().after;
      if (delivery === undefined || delivery.paused) return [];
      return [{ address: each, delivery, what: `\`${each}\`, which follows it,` }];
    });
    return own === undefined ? following : [{ address, delivery: own, what: 'this' }, ...following];
  };
  const judged = steps.filter(reaches).flatMap((step) => deliveriesOf(step).map((each) => ({ ...each, step })));
  const ended = new Map(
    endedAmong(judged, loaded)
      .toReversed()
      .map(({ step, finding: { message, hint = '' } }) => [step, `${message} ${hint}`.trim()]),
  );
  return leaving(planned, (step) => ended.get(step));
}

function startsDelivery(send: RequestKind): boolean {
  return send === 'post' || send === 'resume';
}

/** The deliveries that go on once the plan is applied, and are not paused. Without steps, the applied ones. */
export function stillGoing(
  steps: readonly Step[],
  { loaded, state }: Pick<PlanInputs, 'loaded' | 'state'>,
): readonly EndedDelivery[] {
  if (!loaded.rows?.rules.permissions.hasEnded) return [];
  const own = steps.filter(({ change }) => change.reason !== 'replaced');
  const changing = new Set(own.map(({ change: { address, previousAddress = address } }) => previousAddress));
  const groups = groupsOf(state);
  const planned = own.flatMap(({ change: { address }, delivered }) => {
    const { after } = delivered();
    return after === undefined ? [] : { address, delivery: after };
  });
  const applied = Object.entries(state?.resources ?? {}).flatMap(([address, { id, attributes }]) => {
    const delivery = deliveryOf(kindAt(address), attributes, groups);
    return id === undefined || changing.has(address) || delivery.when === undefined ? [] : { address, delivery };
  });
  const going = [...planned, ...applied].filter(({ delivery }) => !delivery.paused);
  return endedAmong(
    going.map((each) => ({ ...each, what: `\`${each.address}\`` })),
    loaded,
  );
}

/** A look must show what still goes on: findings about it become errors, and where the files have none, one is added. */
export function withEndedRaised(
  findings: readonly Finding[],
  going: readonly EndedDelivery[],
  { loaded: { desired } }: Pick<PlanInputs, 'loaded'>,
): readonly Finding[] {
  if (going.length === 0) return findings;
  const aboutIn = ({ address, concerns = [] }: Finding) => (address === undefined ? concerns : [address, ...concerns]);
  const addresses = new Set(going.map(({ address }) => address));
  const isGoing = (finding: Finding) =>
    finding.lapsed !== undefined && aboutIn(finding).some((at) => addresses.has(at));
  const said = new Set(findings.filter(isGoing).flatMap(aboutIn));
  const resources = new Map(desired.resources.map((resource) => [resource.address, resource]));
  const otherFindings = going.flatMap(({ address, finding }): readonly Finding[] => {
    const resource = resources.get(address);
    if (said.has(address)) return [];
    return [{ ...finding, severity: 'error', ...(resource && { place: placeOfResource(resource) }) }];
  });
  return [
    ...findings.map((each): Finding => (isGoing(each) ? { ...each, severity: 'error' } : each)),
    ...otherFindings,
  ];
}
