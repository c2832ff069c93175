// The plan as a job makes it that does not have the secrets: the text of each is known, and its value is not. What this
// plan leaves out is planned only because the value of a secret differs, which no pull request decides.

import type { Plan } from '../../model/plan/plan.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { mapSealed, type SealedSecret, sealedSecret, sensitive, variablesIn } from '../../model/values/secret.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';
import { match } from '../../plan/match.ts';
import { type Proposal, planOf } from './propose.ts';

export function planWithoutSecrets({ basis, selection, observation }: Proposal): Plan {
  const desired = withoutValues(basis.desired);
  const matching = match(desired, basis.keying.comparable(basis.state));
  return planOf(selection, { ...basis, desired, matching }, observation).value.plan;
}

function withoutValues(desired: Desired<SealedResource>): Desired<SealedResource> {
  const resources = desired.resources.map((resource) => {
    const attributes = mapSealed(resource.attributes, withoutValue) as JsonObject;
    return { ...resource, attributes };
  });
  return { ...desired, resources };
}

function withoutValue(sealed: SealedSecret): SealedSecret {
  return isOfVariables(sealed.text) ? sealedSecret(null, sealed.text) : sealed;
}

/** Whether the text of a secret says all but the values of its variables. What a file holds besides is known everywhere. */
export function isOfVariables(text: string | undefined): text is string {
  return text !== undefined && variablesIn(text).length > 0 && !text.includes(sensitive);
}
