// The deliveries that an environment's sink replaced, and those applied through a sink.

import { deliveryOf, sinkFields } from '../model/fields/delivery.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { Kind } from '../model/values/address.ts';
import type { JsonObject } from '../model/values/json.ts';
import { type Desired, declaredAttributes, type SealedResource } from '../model/workspace/resource.ts';
import { diffAttributes } from './difference.ts';
import { ignoredValues, withIgnored } from './kept.ts';
import type { Match } from './match.ts';
import { plannedAs } from './planned-as.ts';

/** Counts everybody who would receive something, once. Returns undefined if there is no sink. */
export function sinkReport(
  { resources, skipped }: Pick<Desired<SealedResource>, 'resources' | 'skipped'>,
  environment: string | undefined,
): PlanDocument['sink'] {
  if (environment === undefined) return undefined;
  const replaced = new Set(resources.flatMap(replacedOf));
  return { environment, recipients: replaced.size, skipped };
}

/** E-mail addresses, groups, channels, people and URLs that do not receive what is declared for them. */
function replacedOf(resource: SealedResource): readonly string[] {
  if (resource.sink === undefined) return [];
  const kept = new Set(receiversOf(resource.kind, resource.attributes));
  return receiversOf(resource.kind, declaredAttributes(resource)).filter((receiver) => !kept.has(receiver));
}

/** Each by what tells it from the others of all resources. */
function receiversOf(kind: Kind, attributes: JsonObject): readonly string[] {
  const { to } = deliveryOf(kind, attributes);
  return to.map(({ kind: of, compared, path = '' }) => `${of} ${compared}${path}`);
}

/** The fields that say how, and to whom, something is delivered. */
export const governed: readonly string[] = ['destinationType', ...sinkFields];

/**
 * True if the state records that the resource delivers to the sink, and to nobody else. The recorded recipients of an adopted
 * resource are only those of its declaration.
 */
export function isThroughSink(
  resource: Pick<SealedResource, 'kind' | 'attributes'>,
  prior: StateResource | undefined,
): boolean {
  if (prior === undefined) return false;
  if (plannedAs[resource.kind].isAdoptable && prior.id !== undefined && !prior.throughSink) return false;
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

/** Tells if the sink is sent, and if it was. */
export function sinksOf({ desired, prior }: Match): { readonly sinks?: true; readonly throughSink?: true } {
  const sinks = (desired?.sink !== undefined && plannedAs[desired.kind].isAdoptable) || undefined;
  return { sinks, throughSink: prior?.throughSink };
}

/** True if the declaration is as it was applied, except for what is ignored, and only the sink of the environment is new. */
export function isChangedBySink({ desired, prior }: Match): boolean {
  if (desired?.sink === undefined || prior === undefined) return false;
  const { kind } = desired;
  const declared = declaredAttributes(desired);
  const kept = withIgnored(declared, ignoredValues(kind, declared, prior.attributes));
  return diffAttributes(kind, prior.attributes, kept).length === 0;
}
