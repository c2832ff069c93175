// The plan of a basis: with the secrets that are known here, or as a job makes it that does not have them.

import type { JsonObject } from '../../model/values/json.ts';
import { mapSealed, type SealedSecret, sealedSecret, sensitive, variablesIn } from '../../model/values/secret.ts';
import { makePlan } from '../../plan/make-plan.ts';
import { match } from '../../plan/match.ts';
import type { Observation } from '../service/observe.ts';
import type { Basis } from './basis.ts';
import type { Selection } from './selection.ts';

export function planOf(basis: Basis, { targets, replace, refresh }: Selection, observation: Observation | undefined) {
  const { config, desired, state, matching } = basis;
  const { operations } = config.api;
  const baseUrl = config.api.baseUrl ?? state?.baseUrl;
  const policy = { baseUrl, operations, targets, replace, refreshOnly: refresh?.only ?? false };
  return makePlan({ desired, state, matching, observed: observation?.observed, policy });
}

/** Of each secret the text is known, and the values of its variables are not. What the files hold is known everywhere. */
export function withoutValues(basis: Basis): Basis {
  const resources = basis.desired.resources.map((resource) => {
    const attributes = mapSealed(resource.attributes, withoutValue) as JsonObject;
    return { ...resource, attributes };
  });
  const desired = { ...basis.desired, resources };
  return { ...basis, desired, matching: match(desired, basis.keying.comparable(basis.state)) };
}

function withoutValue(sealed: SealedSecret): SealedSecret {
  return sealed.text !== undefined && saysAll(sealed.text) ? sealedSecret(null, sealed.text) : sealed;
}

/** Whether the text of a secret says everything but the values of its variables. */
export function saysAll(text: string): boolean {
  return variablesIn(text).length > 0 && !text.includes(sensitive);
}
