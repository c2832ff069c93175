// The audiences of a workspace: how they are read, and what `${audience.NAME}` stands for. That is the e-mail addresses or
// the Slack id, as the destination of the resource needs it. Validation checks what audiences contain.

import { peopleAt, receiversAt } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import { type Kind, kinds, kindsInOrder } from '../../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../../model/workspace/diagnostic.ts';
import type { ValueGiver } from '../../model/workspace/origins.ts';
import {
  type Audience,
  type Audiences,
  audienceSection,
  type DeclaredObject,
  noAudiences,
} from '../../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../../yaml/raw-document.ts';
import { namesIn } from '../../yaml/references-in.ts';
import { nearest } from '../findings/suggest.ts';
import { interpolate } from './interpolate.ts';
import type { Problem, Scope, ScopeOf } from './resolve-reference.ts';

export interface AudienceUse {
  readonly audiences: Audiences;
  /** Collects the names of those that are used, or were most likely meant. */
  readonly used: Set<string>;
  /** Audiences that a resource of another environment uses. */
  readonly usedElsewhere: Set<string>;
}

/** The resource whose value is interpolated; a missing or wrong destination is reported elsewhere. */
interface AudienceUser {
  readonly kind: Kind;
  readonly destination: Destination | undefined;
}

/** The scope of a resource: the same one, with the audiences. */
export function withAudiences(scope: Scope, use: AudienceUse, user: AudienceUser): Scope {
  return { ...scope, audience: (name, at) => audienceNamed(name, use, user, at) };
}

export function makeAudienceUse(audiences: Audiences): AudienceUse {
  return { audiences, used: new Set(), usedElsewhere: new Set() };
}

/** An unresolved declaration, such as a loop whose items cannot be read, uses the audiences that it names. */
export function useAsWritten(
  declaration: JsonObject,
  { audiences, used }: AudienceUse,
  usedElsewhere?: Set<string>,
): void {
  for (const name of namesIn(declaration, 'audience')) {
    const meant = audiences.has(name) ? name : nearest(name, audiences);
    if (meant === undefined) continue;
    used.add(meant);
    if (meant === name) usedElsewhere?.add(name);
  }
}

const namesPeople = (kind: Kind) => peopleAt(kind).length > 0;

/** The kinds that an audience may be used in, in words: those of them that a workspace declares. */
export function audienceUsers(declared: ReadonlySet<Kind> = new Set()): string {
  const all = kindsInOrder.filter(namesPeople);
  const there = all.filter((kind) => declared.has(kind));
  return (there.length === 0 ? all.slice(0, 1) : there).map((kind) => kinds[kind].words).join(' or ');
}

const halves = ['emails', 'userGroups', 'slack'] as const;

/** The part of an audience for one kind of destination, or its groups for `userGroups`. */
type Half = (typeof halves)[number];

function audienceNamed(
  name: string,
  { audiences, used }: AudienceUse,
  user: AudienceUser,
  at: Pointer,
): ReturnType<NonNullable<Scope['audience']>> {
  const audience = audiences.get(name);
  if (audience === undefined) {
    const near = nearest(name, audiences);
    if (near !== undefined) used.add(near);
    return unknownAudience(name, near);
  }
  used.add(name);
  const half = halfFor(user, audience, at);
  const { origin, origins } = audience;
  const valueGiver: ValueGiver = {
    place: { kind: 'audience', origin, name },
    origins,
    at: half === undefined ? '' : pointerTo(half),
  };
  if (half === undefined) return { ...noRecipients(name, user), valueGiver };
  const value = audience.attributes[half];
  if (value === undefined && isSomebody(audience)) return { ...missingHalf(audience, half, user), valueGiver };
  // An audience without anybody, or a half without a value, is one mistake: it is reported at the audience.
  return { value: value ?? Secret.unknown(), valueGiver };
}

function isSomebody({ attributes }: Audience): boolean {
  return halves.some((half) => (attributes[half] ?? null) !== null);
}

/** The part of an audience for a resource; undefined if its destination has no recipients. */
function halfFor({ kind, destination }: AudienceUser, { attributes }: Audience, at: Pointer): Half | undefined {
  if (!namesPeople(kind)) return undefined;
  const { group } = receiversAt(kind);
  if (destination !== 'slack' && group !== undefined && isWithin(at, group)) return 'userGroups';
  if (destination === 'email') return 'emails';
  if (destination === 'slack') return 'slack';
  if (destination !== undefined) return undefined;
  return Object.hasOwn(attributes, 'emails') ? 'emails' : 'slack';
}

function unknownAudience(name: string, near: string | undefined): Problem {
  return {
    code: 'unknown-audience',
    message: `There is no audience \`${name}\`.`,
    hint:
      near === undefined ? 'Declare it under `audiences` in a source file.' : `Did you mean \`\${audience.${near}}\`?`,
  };
}

const missing: Readonly<Record<Half, readonly [has: string, needs: string]>> = {
  emails: ['has no e-mail addresses', 'is delivered by e-mail'],
  userGroups: ['has no user groups', 'names it in `userGroups`'],
  slack: ['has no Slack id', 'is delivered to Slack'],
};

function missingHalf({ name, origin, line }: Audience, half: Half, { kind }: AudienceUser): Problem {
  const [has, needs] = missing[half];
  return {
    code: 'audience-incomplete',
    message: `The audience \`${name}\` ${has}, and this ${kinds[kind].words} ${needs}.`,
    hint: `Add \`${half}\` to it at ${origin.file}:${line}, or use another audience.`,
  };
}

function noRecipients(name: string, { kind, destination }: AudienceUser): Problem {
  const what = namesPeople(kind) ? `destinationType \`${destination}\`` : `a resource of the kind ${kinds[kind].words}`;
  return {
    code: 'audience-incomplete',
    message: `The audience \`${name}\` is e-mail addresses or a Slack id, and ${what} has no recipients.`,
    hint: `Use it in a ${audienceUsers()} that is delivered by e-mail or to Slack.`,
  };
}

export function parseAudiences(documents: readonly RawDocument[], scopeOf: ScopeOf): WithFindings<Audiences> {
  const declaring = documents.filter(({ value }) => isJsonObject(value) && Object.hasOwn(value, audienceSection));
  if (declaring.length === 0) return { value: noAudiences, findings: [] };
  const audiences = new Map<string, Audience>();
  const findings: Finding[] = [];
  for (const { value, origin, keyLines } of declaring) {
    for (const [name, declared] of entriesOf(isJsonObject(value) ? value[audienceSection] : undefined)) {
      const isMap = isJsonObject(declared);
      const pointer = pointerTo(audienceSection, name);
      const own = below(origin, audienceSection, name);
      const first = audiences.get(name);
      if (first !== undefined) {
        findings.push(declaredTwice(own, first));
        continue;
      }
      const scope = { ...scopeOf(origin.file), audience: () => nested };
      const {
        value: attributes,
        problems,
        ...recorded
      } = interpolate(isMap ? declared : {}, scope, { ignoresCaseAt: (at) => !isWithin(at, pointerTo('userGroups')) });
      for (const { pointer: at, within, origin: _, at: __, ...words } of problems)
        findings.push({
          ...words,
          place: { ...placeOf(own), pointer: own.pointer + at, within },
        });
      const line = keyLines.get(pointer) ?? 1;
      audiences.set(name, {
        name,
        attributes: attributes as DeclaredObject,
        origin: own,
        line,
        ...recorded,
        isMisshapen: !isMap,
      });
    }
  }
  return { value: audiences, findings };
}

const nested = {
  code: 'invalid-interpolation',
  message: 'An audience cannot hold another audience.',
  hint: 'Name both audiences where they are used: `recipients: ["${audience.a}", "${audience.b}"]`.',
} as const;

function declaredTwice(second: Origin, first: Audience): Finding {
  return {
    code: 'duplicate-address',
    message: `The audience \`${first.name}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or put all its people into one of the two.',
    place: placeOf(second, 'key'),
  };
}
