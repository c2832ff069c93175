// The sinks of an environment: outside of production, declared receivers must not get anything. The rules have judged
// the declarations by then; from here on a resource has what is really sent, and remembers what it replaced. Parts that
// Almanac cannot replace are refused: a destination without a sink, and `extra`, because a field in it may name a
// recipient. None of these can be ignored, so the sent values never come from the state or from Omni.

import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination } from '../model/fields/field.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { define } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { Config, Deliver } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import type { Declared, Resource } from '../model/workspace/resource.ts';
import { kindsOfDeclaration, type SinksOfKind } from './kinds-of-declaration.ts';

const nothingFound: readonly Finding[] = [];

/** The resource as it is sent. If a finding is returned, it must not be sent at all. */
export function throughSink(resource: Resource, deliver: Config['deliver']): WithFindings<Resource> {
  const { sinks } = kindsOfDeclaration[resource.kind];
  if (deliver === undefined || sinks === undefined) return { value: resource, findings: nothingFound };
  const destination = destinationOf(resource);
  // A resource without its required destination has an error of its own: nothing is sent.
  if (destination === undefined && fieldsOf[resource.kind][sinks.saidIn]?.required)
    return { value: resource, findings: nothingFound };
  const sink = destination === undefined ? {} : sinkOf(sinks, destination, deliver);
  if (sink === undefined) return { value: resource, findings: [withoutSink(resource, sinks, deliver)] };
  const findings = resource.attributes['extra'] === undefined ? [] : [unknownFields(resource, deliver)];
  if (Object.keys(sink).length === 0) return { value: resource, findings };
  return { value: replacedBy(resource, sink, deliver.environment), findings };
}

/** The fields whose declared values nobody needs here, because a sink replaces them. */
export function replacedFields(
  kind: Kind,
  destination: Destination | undefined,
  deliver: Config['deliver'],
): ReadonlySet<string> {
  const { sinks } = kindsOfDeclaration[kind];
  const isReplaced = deliver !== undefined && destination !== undefined && sinks !== undefined;
  return new Set(isReplaced ? Object.keys(sinkOf(sinks, destination, deliver) ?? {}) : []);
}

/** The replacements of the fields with receivers. Undefined if there are none. */
function sinkOf(
  { give }: SinksOfKind,
  destination: Destination,
  { email, slack, webhook }: Deliver,
): Readonly<Record<string, Declared | undefined>> | undefined {
  const given: Readonly<Partial<Record<Destination, Declared>>> = { email, slack, webhook };
  const sink = given[destination];
  return sink === undefined ? undefined : give[destination]?.(sink);
}

function replacedBy(
  resource: Resource,
  replaced: Readonly<Record<string, Declared | undefined>>,
  environment: string,
): Resource {
  const attributes: Record<string, Declared> = {};
  const declared: Record<string, Declared> = {};
  for (const [name, value] of Object.entries({ ...resource.attributes, ...replaced })) {
    if (value !== undefined) define(attributes, name, value);
    const before = resource.attributes[name];
    if (Object.hasOwn(replaced, name) && before !== undefined) define(declared, name, before);
  }
  return { ...resource, attributes, sink: { environment, declared } };
}

const destinationWords: Readonly<Record<Destination, string>> = {
  email: 'e-mail',
  slack: 'Slack',
  webhook: 'a webhook',
  sftp: 'an SFTP server',
  s3: 'S3',
};

function withoutSink(resource: Resource, { saidIn, give }: SinksOfKind, { environment }: Deliver): Finding {
  const destination = destinationOf(resource) ?? 'webhook';
  const isReplaceable = give[destination] !== undefined;
  const deliver = `\`environments.${environment}.deliver\``;
  return {
    code: 'no-sink',
    message: `It delivers to ${destinationWords[destination]}, and \`deliver\` of the environment ${environment} has no sink for that. Nothing of ${environment} may reach the declared recipients.`,
    hint: isReplaceable
      ? `Add \`${destination}\` to ${deliver} in almanac.yaml: a sink, or \`skip\`, which leaves whatever delivers there out of ${environment}.`
      : `Write \`${destination}: skip\` in ${deliver} of almanac.yaml: it leaves whatever delivers there out of ${environment}, as \`in\` does for one resource.`,
    ...findingAt(resource, pointerTo(saidIn)),
  };
}

function unknownFields(resource: Resource, { environment }: Deliver): Finding {
  return {
    code: 'no-sink',
    message: `Almanac does not know what the fields under \`extra\` mean, so the sink of the environment ${environment} cannot tell whether one of them names a recipient.`,
    hint: `Remove \`extra\`, or leave the resource out of ${environment} with \`in\`.`,
    ...findingAt(resource, '/extra', { at: 'key' }),
  };
}
