// What the sink of an environment replaced, for the reports of a plan, and whether what runs was applied through it.

import type { PlanDocument } from '../../model/plan/plan.ts';
import type { StateResource } from '../../model/plan/state.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { declaredAttributes, type SealedResource } from '../../model/workspace/resource.ts';
import { recipientsOf, textOf } from '../dangers/destinations.ts';
import { diffAttributes } from '../diff-attributes.ts';

/** Undefined where there is no sink. Counts everybody who would receive something, once. */
export function sinkReport(
  resources: readonly SealedResource[],
  environment: string | undefined,
): PlanDocument['sink'] {
  if (environment === undefined) return undefined;
  const replaced = new Set(resources.flatMap(replacedOf));
  return { environment, recipients: replaced.size };
}

/** E-mail addresses, channels, people and URLs that do not receive what is declared for them. */
function replacedOf(resource: SealedResource): readonly string[] {
  if (resource.sink === undefined) return [];
  const kept = new Set(receiversOf(resource.attributes));
  return receiversOf(declaredAttributes(resource)).filter((receiver) => !kept.has(receiver));
}

function receiversOf(attributes: JsonObject): readonly string[] {
  const urls = [attributes['url'], attributes['webhookUrl']];
  return [...recipientsOf(attributes), ...urls.flatMap((url) => (url === undefined ? [] : (textOf(url) ?? '')))];
}

/** The fields that say who receives a delivery. */
const governed = ['destinationType', 'recipients', 'slackRecipientType', 'url', 'webhookUrl'] as const;

/**
 * Whether the state records that the resource delivers to the sink, and to nobody else. Of what was adopted the recipients
 * are only what the declaration said.
 */
export function isThroughSink(
  resource: Pick<SealedResource, 'kind' | 'attributes'>,
  prior: StateResource | undefined,
): boolean {
  if (prior === undefined) return false;
  if (resource.kind === 'schedule' && prior.id !== undefined && !prior.throughSink) return false;
  return diffAttributes(resource.kind, governedOf(prior.attributes), governedOf(resource.attributes)).length === 0;
}

function governedOf(attributes: JsonObject): JsonObject {
  return Object.fromEntries(
    governed.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
