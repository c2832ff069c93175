// Makes warnings errors where a customer may get the rows of others. These are deliveries outside, as they are sent,
// and those that `safety.rows` judges, as they are declared. No acceptance and no check lowers them there.

import { deliveryOf } from '../../model/fields/delivery.ts';
import type { ReceiverKind } from '../../model/fields/receiver.ts';
import type { Address } from '../../model/values/address.ts';
import { once } from '../../model/values/memoize.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
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
