// The fields of a resource or of a layer of defaults, with references resolved.

import { peopleAt, receiversAt } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import { fieldsOf, type RoomForSecrets } from '../../model/fields/fields.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { memoize } from '../../model/values/collections.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import { referenceTokens } from '../../model/values/references.ts';
import { Secret } from '../../model/values/secret.ts';
import { isHeard } from '../../model/workspace/codes.ts';
import {
  type Finding,
  type FindingWords,
  type Origin,
  placeOf,
  type WithFindings,
} from '../../model/workspace/diagnostic.ts';
import { usedAt } from '../../model/workspace/field-place.ts';
import { joinOrigins, type Origins } from '../../model/workspace/origins.ts';
import type { Declared } from '../../model/workspace/resource.ts';
import { readCell } from './cells.ts';
import { holdsReference, interpolate } from './interpolate.ts';
import { lacks, optionalFields } from './item-values.ts';
import type { EachScope, Scope, ScopeOf } from './resolve-reference.ts';
import { type AudienceUse, withAudiences } from './use-audience.ts';

export interface FieldSources {
  readonly scopeOf: ScopeOf;
  readonly audiences: AudienceUse;
}

export interface ResolvedFields {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly origins?: Origins;
}

export interface Holder {
  readonly kind: Kind;
  readonly origin: Origin;
  readonly address?: string;
  readonly destination: Destination | undefined;
  /** The fields that a sink replaces: a secret in them is not needed. */
  readonly replaced?: ReadonlySet<string> | undefined;
}

/** Fields that decide which others apply must not contain references. */
export function resolveFields(
  fields: JsonObject,
  holder: Holder,
  { scopeOf, audiences }: FieldSources,
): WithFindings<ResolvedFields> {
  if (!holdsReference(fields)) return { value: { fields }, findings: [] };
  return resolveIn(withAudiences(scopeOf(holder.origin.file), audiences, holder), fields, holder);
}

/**
 * The fields of an instance of a loop, without those that its item leaves out. Those that no item gives are resolved
 * once for all of them.
 */
export function fieldsOfInstances(
  fields: JsonObject,
  holder: Omit<Holder, 'address'>,
  { scopeOf, audiences }: FieldSources,
): (address: Address, each: EachScope) => WithFindings<ResolvedFields> {
  const scope = {
    ...withAudiences(scopeOf(holder.origin.file), audiences, holder),
    tokensOf: memoize(referenceTokens),
  };
  const names = Object.keys(fields);
  const optional = optionalFields(holder.kind, fields);
  const isOwn = ([, value]: readonly [string, Json]) => JSON.stringify(value).includes('${each.');
  const own = Object.fromEntries(Object.entries(fields).filter(isOwn));
  const sharedFields = Object.fromEntries(Object.entries(fields).filter((entry) => !isOwn(entry)));
  let shared: WithFindings<ResolvedFields> | undefined;
  return (address, each) => {
    const inItem = { each, ...scope };
    shared ??= resolveIn(inItem, sharedFields, holder);
    const lacked = new Set(optional.flatMap(({ field, name }) => (lacks(each, name) ? field : [])));
    const had = lacked.size === 0 ? own : Object.fromEntries(Object.entries(own).filter(([name]) => !lacked.has(name)));
    const { value, findings } = resolveIn(inItem, had, { address, ...holder });
    const origins = joinOrigins(shared.value.origins, value.origins);
    const all: Record<string, Declared> = {};
    for (const name of names.filter((each) => !lacked.has(each)))
      define(all, name, (Object.hasOwn(own, name) ? value : shared.value).fields[name] as Declared);
    return {
      value: { fields: all, origins },
      findings: [...shared.findings.map((finding) => ({ ...finding, address })), ...findings],
    };
  };
}

/** Includes fields that choose one of several record types. */
const literalPlaces = memoize((kind: Kind): readonly Pointer[] =>
  Object.entries(fieldsOf[kind]).flatMap(([name, { literal, shape }]) => {
    if (literal) return pointerTo(name);
    return shape.type === 'oneOf' ? pointerTo(name, shape.by) : [];
  }),
);

function resolveIn(
  scope: Scope,
  fields: JsonObject,
  { kind, origin, destination, replaced, ...of }: Holder,
): WithFindings<ResolvedFields> {
  const { value, problems, ...recorded } = interpolate(fields, scope, {
    roomAt: (pointer) => roomForSecrets(kind, pointer),
    ignoresCaseAt: (pointer) => peopleAt(kind).some((people) => isWithin(pointer, people)),
    mayBeEmptyAt: (pointer) => [...peopleAt(kind), receiversAt(kind).group].includes(pointer),
    readCell: (text, pointer) => readCell(text, { kind, pointer, destination }),
  });
  const findings: Finding[] = [];
  const attributes = { ...(value as Readonly<Record<string, Declared>>) };
  const interpolated = literalPlaces(kind).filter(
    (place) => valueAt(fields, place) !== valueAt(value as JsonObject, place),
  );
  for (const place of interpolated) {
    const [name = '', ...below] = pointerSegments(place);
    // The value is unknown: report nothing else about it, and treat every field as applicable.
    attributes[name] = Secret.unknown();
    findings.push({
      code: 'not-interpolated',
      ...notInterpolated([name, ...below]),
      ...of,
      place: placeOf(origin, 'value', name, ...(isJsonObject(fields[name]) ? below : [])),
    });
  }
  for (const { pointer, within, origin: source, at = 'value', ...problem } of problems) {
    if (interpolated.some((place) => isWithin(pointer, place) || isWithin(place, pointer))) continue;
    if (problem.code === 'each-outside' && Object.keys(fields).some((name) => misspeltLoop.test(name))) continue;
    const [field = ''] = pointerSegments(pointer);
    if (replaced?.has(field) && !isHeard(problem.code, 'sent')) continue;
    const words = fieldsOf[kind][field]?.secret ? withoutValue(problem) : problem;
    const fieldOrigin = { ...origin, pointer: origin.pointer + pointer };
    findings.push({
      ...words,
      ...of,
      place: { ...(source ?? fieldOrigin), at, within },
      related: source && [usedAt(fieldOrigin, field, of.address, problem.code)],
    });
  }
  return { value: { fields: attributes, ...recorded }, findings };
}

/** The mistake is in the name then, and the references are right. */
const misspeltLoop = /^for.?e[a-z]{1,4}(?:.?rows?)?$/i;

function notInterpolated(path: readonly string[]): Pick<Finding, 'message' | 'hint'> {
  const name = path.join('.');
  return name === 'in'
    ? {
        message: '`in` decides where the resource exists, so it cannot be interpolated.',
        hint: 'Write the names of the environments themselves.',
      }
    : {
        message: `\`${name}\` decides which other fields apply, so it cannot be interpolated.`,
        hint: `Write the ${path.at(-1)} itself.`,
      };
}

/** Never quotes a password that happens to contain `${`. */
function withoutValue(problem: FindingWords): FindingWords {
  if (problem.code !== 'invalid-interpolation') return problem;
  return {
    code: problem.code,
    message: 'The text after a `${` in this value is not a reference.',
    hint: 'Write `$${` for a literal `${`.',
  };
}

/** Undefined if secrets do not belong there. `pointer` is the place in the resource. */
function roomForSecrets(kind: Kind, pointer: Pointer): RoomForSecrets | undefined {
  const [name = ''] = pointerSegments(pointer);
  const fields = fieldsOf[kind];
  // The purpose of an unknown field is not known, and that is an error of its own.
  if (!Object.hasOwn(fields, name)) return 'whole';
  return fields[name]?.secret ? 'whole' : fields[name]?.secretsIn;
}
