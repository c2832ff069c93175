// Decides where a resource exists, and what receives it outside of production. `in`, and `skip` in `deliver`, name the
// environments where it exists. That depends on the written text, before anything is resolved. Where a resource does
// not exist, only the names of its environments are checked: a misspelled one would delete it everywhere.

import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination } from '../model/fields/field.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import { endFinder, groupOf, itemOf, type Kind } from '../model/values/address.ts';
import { define } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { Config, Deliver } from '../model/workspace/config.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import {
  type Absence,
  type Adoption,
  type Declared,
  type Desired,
  environmentsIn,
  isInherited,
  type Loop,
  type Move,
  originOf,
  type Removal,
  type Resource,
} from '../model/workspace/resource.ts';
import { environmentHint } from './findings/suggest.ts';
import { kindsOfDeclaration, type SinksOfKind } from './kinds-of-declaration.ts';

export interface Here {
  /** Without an environment, everything exists. */
  readonly environment?: string | undefined;
  readonly deliver?: Config['deliver'];
  /** True to resolve resources that do not exist here as well, to check them. */
  readonly everywhere?: boolean | undefined;
}

/** The declarations for other environments only. */
export interface Elsewhere {
  /** Unresolved ones have only their written `in` and `testNow`. */
  readonly absent: readonly Resource[];
  /** Includes loops whose items cannot be read in this environment. */
  readonly loops: readonly Loop[];
  /** The number of absent ones that only `skip` in `deliver` leaves out. */
  readonly skipped: number;
}

export const nothingElsewhere: Elsewhere = { absent: [], loops: [], skipped: 0 };

/** Returns the reason why a resource does not exist here; undefined if it does, and if `in` is not a list of names, which is an error. */
export function whyElsewhere(
  { in: names, destination }: Pick<Loop, 'in' | 'destination'>,
  { environment, deliver }: Here,
): 'in' | 'skip' | undefined {
  if (environment !== undefined && names?.includes(environment) === false) return 'in';
  return destination !== undefined && deliver?.skips?.includes(destination) ? 'skip' : undefined;
}

/** The resource with its environments apart from its attributes: the service and the state do not know them. */
export function withoutIn(resource: Resource): Resource {
  if (!Object.hasOwn(resource.attributes, 'in')) return resource;
  const { in: value, ...attributes } = resource.attributes;
  if (value === undefined || value instanceof Secret) return resource;
  return { ...resource, attributes, in: environmentsIn(value) };
}

/** The names in a default are reported once. `known` are all environments; undefined if almanac.yaml cannot be read. */
export function unknownNames(resources: readonly Resource[], known: readonly string[] | undefined): readonly Finding[] {
  const findings = new Map<string, Finding>();
  if (known === undefined) return [];
  for (const resource of resources) {
    if (!Object.hasOwn(resource.attributes, 'in')) continue;
    const { file, document, pointer } = originOf(resource, 'in');
    const address = resource.item?.loop.address ?? resource.address;
    for (const [index, name] of (environmentsIn(resource.attributes['in']) ?? []).entries()) {
      const place = { file, document, pointer: `${pointer}/${index}`, at: 'value' } as const;
      const key = JSON.stringify(place);
      if (known.includes(name) || findings.has(key)) continue;
      findings.set(key, {
        code: 'unknown-environment',
        message: `There is no environment \`${name}\` in almanac.yaml, so \`${address}\` would not exist where it is meant to.`,
        hint: environmentHint(name, known),
        ...(isInherited(resource, 'in') ? { concerns: [address] } : { address }),
        place,
      });
    }
  }
  return [...findings.values()];
}

interface Entries {
  readonly moves: readonly Move[];
  readonly adoptions: readonly Adoption[];
  readonly removals: readonly Removal[];
}

/** The entries that have an effect in this environment, and those that are absent from it. */
export function entriesHere(
  entries: Entries,
  present: readonly Resource[],
  { absent, loops, skipped }: Elsewhere,
  environment: string | undefined,
): Omit<Desired, 'resources'> {
  const limited = [...entries.adoptions, ...entries.removals].some((entry) => !isFor(entry, environment));
  if (absent.length === 0 && loops.length === 0 && !limited) return entries;
  const { moves, adoptions, removals } = entries;
  const elsewhere = new Map<string, Absence>(absent.map((resource) => [resource.address, resource]));
  for (const { address, origin, line } of loops) elsewhere.set(address, { address, origin, line, attributes: {} });
  const absenceOf = (address: string) => elsewhere.get(address) ?? elsewhere.get(groupOf(address));
  const presentAddresses = new Set(present.map(({ address }) => address));
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const endOf = endFinder(next, (address) => presentAddresses.has(address) || absenceOf(address) !== undefined);
  const former: Absence[] = [];
  const leftOut: Origin[] = [];
  const movesHere = moves.filter((move) => {
    // The first declared address on the way.
    const to = endOf(move.to);
    const end = to === undefined ? undefined : absenceOf(to);
    if (end === undefined) return true;
    leftOut.push(move.origin);
    if (!presentAddresses.has(move.from) && absenceOf(move.from) === undefined)
      former.push({ ...end, address: move.from, attributes: {} });
    return false;
  });
  const ofHere = <E extends Adoption | Removal>(of: readonly E[], isHere: (entry: E) => boolean = () => true) =>
    of.filter((entry) => {
      const stays = isFor(entry, environment) && isHere(entry);
      if (!stays) leftOut.push(entry.origin);
      return stays;
    });
  return {
    moves: movesHere,
    adoptions: ofHere(adoptions, ({ to }) => absenceOf(to) === undefined),
    removals: ofHere(removals),
    absent: [...elsewhere.values(), ...former],
    ...(skipped === 0 ? {} : { skipped }),
    leftOut,
  };
}

/** A run without an environment leaves alone what belongs to one. */
function isFor({ in: names }: Pick<Adoption, 'in'>, environment: string | undefined): boolean {
  return names === undefined || (environment !== undefined && names.includes(environment));
}

/** An entry that names its environments must name those that there are, and in which its resource exists. */
export function entriesNameEnvironments(
  { adoptions, removals }: Pick<Entries, 'adoptions' | 'removals'>,
  { absent }: Pick<Elsewhere, 'absent'>,
  { environment, known }: { readonly environment: string | undefined; readonly known: readonly string[] | undefined },
): readonly Finding[] {
  if (known === undefined) return [];
  const elsewhere = new Set(absent.map(({ address }) => address));
  const all = [
    ...adoptions.map((each) => ({ ...each, address: each.to })),
    ...removals.map((each) => ({ ...each, address: each.from })),
  ];
  const ofNames = all.flatMap(({ address, in: names = [], origin }) =>
    names.flatMap((name, index): readonly Finding[] =>
      known.includes(name)
        ? []
        : [
            {
              code: 'unknown-environment',
              message: `There is no environment \`${name}\` in almanac.yaml, so this entry of \`${address}\` would take effect nowhere.`,
              hint: environmentHint(name, known),
              address,
              place: placeOf(below(origin, 'in', index)),
            },
          ],
    ),
  );
  const ofTargets = adoptions.flatMap(({ to, in: names, origin }): readonly Finding[] =>
    environment !== undefined && names?.includes(environment) && elsewhere.has(to)
      ? [
          {
            code: 'invalid-adopt',
            message: `\`${to}\` does not exist in the environment ${environment}, which \`in\` of this entry names.`,
            hint: 'Name an environment in which it is declared, or correct `in` of the declaration.',
            address: to,
            place: placeOf(origin, 'value', 'in'),
          },
        ]
      : [],
  );
  return [...ofNames, ...ofTargets];
}

/** Leaves out entries about instances of absent loops that only another environment knows. */
export function knownEntries<E extends Pick<Entries, 'moves' | 'adoptions'>>(
  entries: E,
  { absent, loops }: Elsewhere,
): E {
  if (loops.length === 0) return entries;
  const known = new Set(absent.map(({ address }) => address));
  const isKnown = ({ to }: { readonly to: string }) =>
    itemOf(to) === undefined || known.has(to) || !loops.some(({ address }) => address === groupOf(to));
  return { ...entries, moves: entries.moves.filter(isKnown), adoptions: entries.adoptions.filter(isKnown) };
}

// The sinks of an environment: outside of production, declared receivers must not get anything. The rules have judged
// the declarations by then; from here on a resource has what is really sent, and remembers what it replaced. Parts that
// Almanac cannot replace are refused: a destination without a sink, and `extra`, because a field in it may name a
// recipient. None of these can be ignored, so the sent values never come from the state or from Omni.

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
