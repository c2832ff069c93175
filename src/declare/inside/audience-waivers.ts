// Gives resources the waivers of the audiences through which they receive. Each waiver is added to the `accept` of the
// resource, with its addresses, so that the state remembers it and a plan can tell a new one.

import { destinationOf, receiversAt } from '../../model/fields/delivery.ts';
import { insideTest } from '../../model/values/domains.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import type { Audience, Audiences, DeclaredObject, Desired, Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf } from '../acceptances.ts';
import { isOutsideAddress } from './receiving-places.ts';

const code = 'recipient-not-inside';

/** The name of the entry; that of a code is one word. */
const entryOf = ({ name }: Audience) => `${code} of audiences.${name}`;

/** The addresses that an entry of `accept` waives: undefined for all, empty for an entry of another code. */
export function waivedBy(name: string, entry: unknown): readonly string[] | undefined {
  if (name === code) return undefined;
  const emails = name.startsWith(`${code} of audiences.`) && isJsonObject(entry) ? entry['emails'] : [];
  return Array.isArray(emails) ? emails.filter((email) => typeof email === 'string') : [];
}

export function withAudienceWaivers(
  desired: Desired,
  audiences: Audiences | undefined,
  internalDomains: readonly string[],
): Desired {
  const waiving = [...(audiences?.values() ?? [])].filter((audience) => acceptancesOf(audience).has(code));
  if (waiving.length === 0 || internalDomains.length === 0) return desired;
  const isInside = insideTest(internalDomains);
  const entries = new Map(
    waiving.map((audience) => {
      const { emails } = audience.attributes;
      const outside = (Array.isArray(emails) ? emails : []).filter(
        (email) => typeof email === 'string' && isOutsideAddress(email, isInside),
      );
      const entry = { ...acceptancesOf(audience).get(code), emails: outside } as unknown as DeclaredObject;
      return [audience.name, { name: entryOf(audience), entry }] as const;
    }),
  );
  const resources = desired.resources.map((resource) => {
    const used = namesUsed(resource).flatMap((name) => entries.get(name) ?? []);
    return used.length === 0 ? resource : withEntries(resource, used);
  });
  return { ...desired, resources };
}

/** The audiences through which people receive it; empty if a sink replaces them. */
function namesUsed(resource: Resource): readonly string[] {
  const { kind, origins, sink } = resource;
  const { email } = receiversAt(kind);
  if (origins === undefined || sink !== undefined || email === undefined || destinationOf(resource) !== 'email')
    return [];
  const [field = ''] = pointerSegments(email);
  return [...new Set(audiencesIn(origins, pointerTo(field)))];
}

function withEntries(
  resource: Resource,
  used: readonly { readonly name: string; readonly entry: DeclaredObject }[],
): Resource {
  const { accept } = resource.attributes;
  const own = isJsonObject(accept) ? accept : {};
  const shared = Object.fromEntries(used.map(({ name, entry }) => [name, entry]));
  return { ...resource, attributes: { ...resource.attributes, accept: { ...own, ...shared } } };
}
