// Reads the audiences of a workspace, which its resources may use from any file, and says what `${audience.NAME}` stands for
// where it is used. Validation checks what they contain.

import { type Kind, kindWords } from '../../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../../model/workspace/diagnostic.ts';
import type { Giver } from '../../model/workspace/origins.ts';
import {
  type Audience,
  type Audiences,
  audienceSection,
  type DeclaredObject,
  noAudiences,
} from '../../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../../yaml/raw-document.ts';
import { namesIn } from '../../yaml/written/references-in.ts';
import { nearest } from '../findings/suggest.ts';
import { interpolate } from './interpolate.ts';
import type { Problem, Scope, ScopeOf } from './resolve-reference.ts';

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
      } = interpolate(isMap ? declared : {}, scope, { ignoresCaseAt: () => true });
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
  hint: 'Name both where they are used: `recipients: ["${audience.a}", "${audience.b}"]`.',
} as const;

function declaredTwice(again: Origin, first: Audience): Finding {
  return {
    code: 'duplicate-address',
    message: `The audience \`${first.name}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or put all its people into one of the two.',
    place: placeOf(again, 'key'),
  };
}

// What `${audience.NAME}` stands for where it is used: the e-mail addresses or the Slack id, as the destination of the
// schedule needs it.

/** The audiences of a workspace as its resources use them. */
export interface AudienceUse {
  readonly audiences: Audiences;
  /** Collects the names of those that are used, or were most likely meant. */
  readonly used: Set<string>;
}

/** Whose value is interpolated; a destination that is missing or wrong is reported elsewhere. */
interface AudienceUser {
  readonly kind: Kind;
  readonly destinationType: unknown;
}

/** The scope of a resource: the same one, with the audiences. */
export function withAudiences(scope: Scope, use: AudienceUse, user: AudienceUser): Scope {
  return { ...scope, audience: (name) => audienceNamed(name, use, user) };
}

/** A loop without an item, or whose items cannot be read, uses the audiences that its declaration names. */
export function useAsWritten(declaration: JsonObject, { audiences, used }: AudienceUse): void {
  for (const name of namesIn(declaration, 'audience')) {
    const meant = audiences.has(name) ? name : nearest(name, audiences);
    if (meant !== undefined) used.add(meant);
  }
}

const halves = ['emails', 'slack'] as const;

/** What an audience gives to one kind of destination. */
type Half = (typeof halves)[number];

function audienceNamed(
  name: string,
  { audiences, used }: AudienceUse,
  user: AudienceUser,
): ReturnType<NonNullable<Scope['audience']>> {
  const audience = audiences.get(name);
  if (audience === undefined) {
    const near = nearest(name, audiences);
    if (near !== undefined) used.add(near);
    return unknownAudience(name, near);
  }
  used.add(name);
  const half = halfFor(user, audience);
  const { origin, origins } = audience;
  const giver: Giver = {
    place: { kind: 'audience', origin, name },
    origins,
    at: half === undefined ? '' : pointerTo(half),
  };
  if (half === undefined) return { ...noRecipients(name, user), giver };
  const value = audience.attributes[half];
  if (value === undefined && isSomebody(audience)) return { ...missingHalf(audience, half), giver };
  // An audience that is nobody, or a half without a value, is one mistake: it is reported at the audience.
  return { value: value ?? Secret.unknown(), giver };
}

function isSomebody({ attributes }: Audience): boolean {
  return halves.some((half) => (attributes[half] ?? null) !== null);
}

/** What a resource gets of an audience; undefined if its destination has no recipients. */
function halfFor({ kind, destinationType }: AudienceUser, { attributes }: Audience): Half | undefined {
  if (kind !== 'schedule') return undefined;
  if (destinationType === 'email') return 'emails';
  if (destinationType === 'slack') return 'slack';
  const isKnown = ['webhook', 'sftp', 's3'].includes(String(destinationType));
  if (isKnown) return undefined;
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

function missingHalf({ name, origin, line }: Audience, half: Half): Problem {
  const [has, needs] =
    half === 'emails'
      ? ['has no e-mail addresses', 'is delivered by e-mail']
      : ['has no Slack id', 'is delivered to Slack'];
  return {
    code: 'audience-incomplete',
    message: `The audience \`${name}\` ${has}, and this schedule ${needs}.`,
    hint: `Add \`${half}\` to it at ${origin.file}:${line}, or use another audience.`,
  };
}

function noRecipients(name: string, { kind, destinationType }: AudienceUser): Problem {
  const what =
    kind === 'schedule'
      ? `destinationType \`${String(destinationType)}\``
      : `a resource of the kind ${kindWords[kind]}`;
  return {
    code: 'audience-incomplete',
    message: `The audience \`${name}\` is e-mail addresses or a Slack id, and ${what} has no recipients.`,
    hint: 'Use it in a schedule that is delivered by e-mail or to Slack.',
  };
}
