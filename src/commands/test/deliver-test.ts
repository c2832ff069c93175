// One delivery of a declared schedule, now: the same request that creates it, with testNow. No state is read or
// written.

import { checkSecrets } from '../../apply/check-before-asking.ts';
import { createForOwner } from '../../apply/send-call.ts';
import { didYouMean } from '../../declare/findings/suggest.ts';
import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import { groupOf } from '../../model/values/address.ts';
import { Failure, refuseAll } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { ownerRefusals } from '../../observe/owners/check-owners.ts';
import type { Service } from '../../observe/service.ts';
import { whyNoTest } from './why-no-test.ts';

/** The schedule to deliver. Throws Failure usage, refused, missing-secret. */
export function scheduleToTest(loaded: Loaded, environment: Environment, address: string): Resource {
  const found = loaded.desired.resources.find((resource) => resource.address === address);
  const noTest = found === undefined ? { why: 'is not declared' } : whyNoTest[found.kind];
  if (found === undefined || noTest !== undefined) {
    const tested = loaded.desired.resources.filter(({ kind }) => whyNoTest[kind] === undefined);
    const schedules = tested.map((each) => each.address);
    const instance = schedules.find((each) => groupOf(each) === address);
    if (found === undefined && instance !== undefined)
      throw new Failure('usage', `${address} is a loop, and one delivery is tested at a time.`, {
        hint: `Name one of its instances, such as ${instance}.`,
      });
    throw new Failure('usage', `${address} ${noTest?.why}.`, {
      hint:
        noTest?.hint ??
        didYouMean(address, schedules) ??
        didYouMean(`schedules.${address}`, schedules) ??
        'An address is a section and a key, such as schedules.weekly-sales.',
    });
  }
  const unsupported = whyUnsupported(found);
  if (unsupported !== undefined) throw new Failure('refused', unsupported, { hint: 'Nothing was sent.' });
  checkSecrets(loaded, environment, [address]);
  return found;
}

function whyUnsupported({ address, attributes }: Resource): string | undefined {
  if (attributes['destinationType'] === 's3') {
    return `${address} delivers to S3, and the service has no test delivery to S3.`;
  }
  if (attributes['conditionType'] === 'RESULTS_CHANGED') {
    return `${address} has the condition RESULTS_CHANGED, and the service has no test delivery for that: there is nothing yet to compare with.`;
  }
  return undefined;
}

/** Throws Failure blocked where the declared owner cannot own it, and what the api throws. */
export async function checkOwner(service: Service, { kind, address, attributes }: Resource): Promise<void> {
  const { owner } = attributes;
  const change = { kind, address, reason: 'requested' } as const;
  refuseAll(await ownerRefusals([{ change, calls: [{ send: 'post' }], after: { owner } }], service));
}

/** Throws what the api throws. Never sent twice. */
export async function deliverNow(service: Service, { attributes }: Resource): Promise<void> {
  const api = await service.api();
  try {
    await createForOwner({ ...attributes, testNow: true }, api, service.call);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'api-answer-lost') throw error;
    const hint = 'Ask a recipient, or look at the deliveries in Omni, before you send it again.';
    throw error.with({ hint });
  }
}
