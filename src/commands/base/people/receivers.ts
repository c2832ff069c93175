// Who receives what a resource delivers, as it is declared: what a sink of the environment replaces counts, the sink does
// not. One table for every kind of destination.

import type { Json, JsonObject } from '../../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../../model/values/pointer.ts';
import { declaredAttributes, type Resource, shownAttributes } from '../../../model/workspace/resource.ts';
import { elements } from '../../../plan/comparable.ts';
import { hostOf } from '../../../plan/dangers/destinations.ts';
import type { RecipientKind } from './recipients-document.ts';

/** One of those who receive something. */
export interface Receiver {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: RecipientKind;
  readonly field: string;
  /** The part of the field that names it; empty for all of it. */
  readonly path: Pointer;
}

export function receiversOf(resource: Resource): readonly Receiver[] {
  const attributes = shownAttributes(declaredAttributes(resource));
  if (resource.kind === 'aiJob') return atHost('webhook', 'webhookUrl', attributes);
  if (resource.kind !== 'schedule') return [];
  switch (attributes['destinationType']) {
    case 'email':
      return listed('email', attributes);
    case 'slack':
      return listed('slack', attributes);
    case 'webhook':
      return atHost('webhook', 'url', attributes);
    case 'sftp':
      return atHost('sftp', 'address', attributes);
    case 's3':
      return whole('s3', 'bucketName', attributes['bucketName']);
    default:
      return [];
  }
}

/** The first of those who are named twice, such as in upper and in lower case. */
export function distinctReceivers(resource: Resource): readonly Receiver[] {
  const seen = new Set<string>();
  return receiversOf(resource).filter(({ recipient }) => seen.size < seen.add(recipient).size);
}

function listed(kind: RecipientKind, { recipients }: JsonObject): readonly Receiver[] {
  const field = 'recipients';
  if (!Array.isArray(recipients)) return namesIn(recipients ?? []).map((name) => receiver(kind, name, field, ''));
  return recipients.flatMap((each: Json, index) =>
    namesIn(each).map((name) => receiver(kind, name, field, pointerTo(index))),
  );
}

/** One text may name several Slack users. */
function namesIn(value: Json): readonly string[] {
  return elements(value).flatMap((each) => (typeof each === 'string' ? [each] : []));
}

function atHost(kind: RecipientKind, field: string, attributes: JsonObject): readonly Receiver[] {
  return whole(kind, field, hostOf(attributes[field]) ?? attributes[field]);
}

function whole(kind: RecipientKind, field: string, name: Json | undefined): readonly Receiver[] {
  return typeof name === 'string' ? [receiver(kind, name, field, '')] : [];
}

function receiver(kind: RecipientKind, name: string, field: string, path: Pointer): Receiver {
  const hasCase = kind === 'slack' || kind === 's3';
  return { recipient: hasCase ? name : name.toLowerCase(), kind, field, path };
}
