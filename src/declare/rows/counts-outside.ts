// Raises warnings where customers may get rows of others, and pauses ended deliveries. The warnings become errors for
// deliveries outside, as they are sent, and those that `safety.rows` judges, as they are declared. No acceptance and no
// check lowers them there.

import { deliveryOf } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { ReceiverKind } from '../../model/fields/receiver.ts';
import type { Address } from '../../model/values/address.ts';
import { once } from '../../model/values/collections.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { isJudged, outsideReceiver, type RowRules } from './judge-rows.ts';

const counting: ReadonlySet<Code> = new Set<Code>(['filter-incomplete']);

/** Internal kinds, as far as the files tell. */
const ours: ReadonlySet<ReceiverKind> = new Set<ReceiverKind>(['slack', 'group']);

/** `sent` are the resources as the environment delivers them. */
export function countedOutside(
  findings: readonly Finding[],
  sent: readonly Resource[],
  { internalDomains }: Config['safety'],
  rules: RowRules | undefined,
): readonly Finding[] {
  if (internalDomains.length === 0 || !findings.some(({ code }) => counting.has(code))) return findings;
  const resources = once(() => new Map(sent.map((resource) => [resource.address, resource])));
  const isOutside = outsideReceiver(internalDomains);
  const reachesOthers = (address: Address) => {
    const resource = resources().get(address);
    if (resource === undefined) return false;
    const { to, inExtra } = deliveryOf(resource.kind, resource.attributes);
    if ([...to, ...inExtra].some((each) => !ours.has(each.kind) && isOutside(each))) return true;
    return (
      rules !== undefined && isJudged(resource.kind, deliveryOf(resource.kind, declaredAttributes(resource)), rules)
    );
  };
  return findings.map((finding) => {
    const { code, address, concerns = [] } = finding;
    const about = address === undefined ? concerns : [address, ...concerns];
    return counting.has(code) && about.some(reachesOthers) ? { ...finding, severity: 'error' } : finding;
  });
}

// `ended: pause` of `safety.rows`: pauses deliveries whose line of the table has ended.

/** A schedule can be paused only with operations full. */
export function pauseFindings({ api, safety, file = '' }: Pick<Config, 'api' | 'safety' | 'file'>): readonly Finding[] {
  if (safety.rows?.ended !== 'pause' || api.operations === 'full') return [];
  return [
    {
      code: 'paused-needs-full',
      message: 'This workspace uses operations core, which cannot pause a schedule whose permission has ended.',
      hint: 'Set `api: { operations: full }` in almanac.yaml, or remove `ended`.',
      place: placeOf({ file, document: 0, pointer: pointerTo('safety', 'rows', 'ended') }),
    },
  ];
}

/** The resources as planned with `ended: pause`: paused if a line has ended. `findings` are as the team wants them. */
export function pausedWhereEnded(
  resources: readonly Resource[],
  findings: readonly Finding[],
  { safety, deliver }: Pick<Config, 'safety' | 'deliver'>,
): readonly Resource[] {
  // A sink receives it in place of the declared receivers.
  if (safety.rows?.ended !== 'pause' || deliver !== undefined) return resources;
  const ended = new Set(
    findings.flatMap(({ lapsed, severity, address, concerns = [] }) =>
      lapsed === undefined || severity === 'off' ? [] : [address ?? [], concerns].flat(),
    ),
  );
  return resources.map((resource) =>
    ended.has(resource.address) && fieldsOf[resource.kind]['paused'] !== undefined
      ? { ...resource, attributes: { ...resource.attributes, paused: true } }
      : resource,
  );
}
