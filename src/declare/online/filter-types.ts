// Compares a delivery's filters with those of the dashboard: their types, and odd values. A type tells the form of the
// condition, and not of the field: only texts, numbers, dates and booleans are compared, and others are unknown.

import { conditionOf, textOf } from '../../model/fields/conditions.ts';
import type { ServiceView } from '../../model/service/documents.ts';
import type { Address } from '../../model/values/address.ts';
import { pushAll } from '../../model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import { type Finding, type Place, severityOf } from '../../model/workspace/diagnostic.ts';
import { findingAt, placeOfField } from '../../model/workspace/field-place.ts';
import { revealSecrets } from '../../model/workspace/map-leaves.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { fieldName } from '../findings/rule.ts';
import { kindsOfDeclaration } from '../kinds-of-declaration.ts';
import { type ComparedType, comparedTypes, incompleteness } from '../rules/filter-incomplete.ts';
import { type Condition, conditionsIn } from '../rules/filter-shape.ts';
import { referredAt } from '../walk-places.ts';
import type { DashboardReferences } from './dashboard-references.ts';

/** With secrets, or with their replacements: neither is compared. */
type TypedResource = Pick<Resource, 'kind' | 'address' | 'origin' | 'origins' | 'item'> & {
  readonly attributes: DeclaredObject;
};

/** The knowledge of a dashboard about the filter of a finding. */
export interface BetterHint {
  readonly address: Address;
  readonly place: Place;
  /** The better advice for an incomplete filter; undefined to drop the warning, because the dashboard's own filter has the value. */
  readonly hint: string | undefined;
}

interface TypesFound {
  readonly findings: readonly Finding[];
  readonly hints: readonly BetterHint[];
  /** The number of filters that cannot be compared. */
  readonly untold: number;
}

export function checkFilterTypes(declared: readonly DashboardReferences[], { ids }: ServiceView): TypesFound {
  const findings: Finding[] = [];
  const hints: BetterHint[] = [];
  let untold = 0;
  for (const { resource, identifier } of declared) {
    const answer = ids.get(identifier.id);
    if (answer === undefined || 'refused' in answer) continue;
    pushAll(findings, otherTypes(resource, answer.value.own));
    pushAll(hints, betterHints(resource, answer.value.own));
    const typed = typedConditions(resource, answer.value.own);
    untold += typed.filter(({ onDashboard }) => onDashboard === undefined).length;
  }
  return { findings, hints, untold };
}

export function otherTypes(resource: TypedResource, own: JsonObject): readonly Finding[] {
  return typedConditions(resource, own).flatMap(({ condition, onDashboard }) => {
    const type = comparedType(condition.filter['type']);
    const isOther = onDashboard !== undefined && type !== undefined && type !== onDashboard;
    return isOther ? [otherType(condition, onDashboard, resource)] : [];
  });
}

interface TypedCondition {
  readonly condition: Condition;
  readonly onDashboard: ComparedType | undefined;
  /** The values that the filter of the dashboard has. */
  readonly values: ReadonlySet<Json>;
}

/** Covers the filters that the dashboard has. Conditions that one combines are about the same field. */
function typedConditions(resource: TypedResource, own: JsonObject): readonly TypedCondition[] {
  const { filters } = kindsOfDeclaration[resource.kind];
  const declared = filters?.limitsRows ? revealSecrets(resource.attributes).value[filters.field] : undefined;
  if (filters === undefined || !isJsonObject(declared)) return [];
  return Object.entries(declared).flatMap(([id, filter]) =>
    Object.hasOwn(own, id)
      ? conditionsIn(filter, filters, pointerTo(filters.field, id))
          .filter(({ filter: { filters: combined } }) => !Array.isArray(combined))
          .map((condition) => ({ condition, ...ofDashboard(own[id] ?? null) }))
      : [],
  );
}

function ofDashboard(filter: Json): Omit<TypedCondition, 'condition'> {
  const { type, values } = conditionOf(filter);
  return { onDashboard: comparedType(type), values: new Set(Array.isArray(values) ? values : []) };
}

function comparedType(type: Json | undefined): ComparedType | undefined {
  return comparedTypes.find((each) => typeof type === 'string' && type.toLowerCase() === each);
}

function otherType({ filter, pointer }: Condition, onDashboard: ComparedType, resource: TypedResource): Finding {
  const type = textOf(filter['type'] ?? null);
  return {
    code: 'filter-type',
    message: `\`${fieldName(pointer)}\` has the type ${quote(type)}, and the filter of the dashboard has ${quote(onDashboard)}. If Omni drops such a filter, all rows pass.`,
    hint: `Write \`type: ${onDashboard}\`, with a \`kind\` and values of that type.`,
    ...findingAt(resource, pointer),
  };
}

/** For the filters whose type the dashboard tells, and the values that it has itself. */
export function betterHints(resource: Resource, own: JsonObject): readonly BetterHint[] {
  const given = { fromEnvironment: new Set<Pointer>(), referredAt: (at: Pointer) => referredAt(resource, at) };
  const { address } = resource;
  const hintAt = (pointer: Pointer, hint: string | undefined) => ({
    address,
    place: placeOfField(resource, pointer).place,
    hint,
  });
  return typedConditions(resource, own).flatMap(({ condition, onDashboard, values }) => {
    const { filter, pointer } = condition;
    const declared = Array.isArray(filter['values']) ? filter['values'] : [];
    const ofType = onDashboard === undefined ? [] : incompleteness(condition, given, onDashboard);
    return [
      ...ofType.map((each) => hintAt(each.pointer, each.hint)),
      ...declared.flatMap((value, at) =>
        values.has(value) ? hintAt(pointer + pointerTo('values', at), undefined) : [],
      ),
    ];
  });
}

/** Gives findings the advice that the dashboard makes possible, and takes out warnings of values that it has. */
export function withBetterHints(findings: readonly Finding[], hints: readonly BetterHint[]): readonly Finding[] {
  if (hints.length === 0) return findings;
  const keyOf = (address: Address | undefined, place: Place | undefined) => JSON.stringify([address, place]);
  const known = new Map(hints.map(({ address, place, hint }) => [keyOf(address, place), hint]));
  return findings.flatMap((finding) => {
    const { code, address, concerns = [], place } = finding;
    if (code !== 'filter-incomplete' && code !== 'filter-value') return finding;
    const key = keyOf(address ?? concerns[0], place);
    const hint = known.get(key);
    if (code === 'filter-value')
      return known.has(key) && hint === undefined && severityOf(finding) !== 'error' ? [] : finding;
    return hint === undefined ? finding : { ...finding, hint };
  });
}
