// Whether the filters, controls and queries that a declaration names exist on its dashboard. Ids are case-sensitive.

import { identifierShape } from '../../model/fields/patterns.ts';
import type { DashboardIds, RemoteQuery, ServiceView } from '../../model/service/documents.ts';
import { kinds } from '../../model/values/address.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { nameSome } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import { type Resource, revealSecrets } from '../../model/workspace/resource.ts';
import { fieldName, type RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { kindsOfDeclaration, type NamesInField } from '../kinds-of-declaration.ts';
import { shortened } from './check-dashboard.ts';

type NamedKind = NamesInField['named'];

const codeOf: Readonly<Record<NamedKind, Code>> = {
  filter: 'unknown-filter-key',
  control: 'unknown-control',
  'filter or control': 'unknown-filter-key',
  query: 'unknown-query',
};

/** Reports nothing for a dashboard that was not queried or whose query failed. */
export function checkIds(declared: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const { identifier } = declared;
  const [ids, queries] = [view.ids.get(identifier.id), view.queries.get(identifier.id)];
  const of = identifier.isSecret ? 'the dashboard' : `the dashboard \`${identifier.id}\``;
  return declared.references.flatMap((reference) => {
    if (reference.named === 'query')
      return queries && 'value' in queries ? checkQuery(reference, queries.value, of) : [];
    return ids && 'value' in ids ? checkId(reference, ids.value, declared, of) : [];
  });
}

function checkId(
  reference: Reference,
  { filters, controls }: DashboardIds,
  { resource }: DashboardReferences,
  of: string,
): readonly RuleFinding[] {
  const { named, id } = reference;
  const known = { filter: filters, control: controls, 'filter or control': [...filters, ...controls] };
  const wanted = known[named as keyof typeof known];
  if (wanted.includes(id)) return [];
  const other = named === 'filter' ? controls : named === 'control' ? filters : [];
  const otherwise = named === 'filter' ? 'control' : 'filter';
  if (other.includes(id)) {
    const takesOther = kindsOfDeclaration[resource.kind].namesOnDashboard?.some((each) => each.named === otherwise);
    const hint = takesOther
      ? `Declare it under \`${otherwise}s\`.`
      : `A ${kinds[resource.kind].words} can set only ${named}s: remove it.`;
    return [fault(reference, of, `is a ${otherwise}, not a ${named},`, hint)];
  }
  return [fault(reference, of, `is not a ${named}`, hintFor(id, wanted, `${of} has no ${named}`))];
}

function checkQuery(reference: Reference, queries: readonly RemoteQuery[], of: string): readonly RuleFinding[] {
  const { id } = reference;
  if (queries.some(({ key }) => key === id)) return [];
  const named = queries.find(({ name }) => name?.toLowerCase() === id.toLowerCase());
  if (named !== undefined)
    return [fault(reference, of, 'is the name of a query and not its key', `Write \`${named.key}\`.`)];
  const names = queries.map(({ key }) => key);
  const labels = queries.map(({ key, name }) =>
    name === undefined ? `\`${key}\`` : `\`${key}\` (${shortened(name, longestLabel)})`,
  );
  return [fault(reference, of, 'is not a query', hintFor(id, names, `${of} has no query`, labels))];
}

function fault(reference: Reference, of: string, is: string, hint: string): RuleFinding {
  const { named, id, pointer, at, isSecret } = reference;
  const shown = isSecret ? `The value of \`${fieldName(pointer)}\` (secret, not shown)` : `\`${id}\``;
  const message = `${shown} ${is} of ${of}. The service would reject it.`;
  return { code: codeOf[named], message, hint: isSecret ? 'Check the value at its source.' : hint, pointer, at };
}

const mostListed = 12;
const longestLabel = 40;

function hintFor(
  id: string,
  known: readonly string[],
  none: string,
  shown = known.map((each) => `\`${each}\``),
): string {
  if (known.length === 0) return `${none.charAt(0).toUpperCase()}${none.slice(1)} at all.`;
  const near = nearest(id, known);
  if (near !== undefined && near.toLowerCase() === id.toLowerCase())
    return `Write \`${near}\`: the ids differ only in case, and case matters here.`;
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  return `Available: ${nameSome(shown, shown.length, mostListed)}.`;
}

/** Something with an id, and where in the resource the id appears. */
interface Reference {
  readonly named: NamedKind;
  readonly id: string;
  readonly pointer: Pointer;
  readonly at: 'key' | 'value';
  /** The id comes from the environment and must not be shown. */
  readonly isSecret: boolean;
}

/**
 * What a declaration refers to in the service: its dashboard, and the dashboard's filters, controls and queries.
 */
export interface DashboardReferences {
  readonly resource: Resource;
  readonly identifier: Omit<Reference, 'named'>;
  readonly references: readonly Reference[];
}

const isIdentifier = new RegExp(identifierShape);

/** Undefined for a resource without a dashboard, with one that is not known before apply, or with a pasted URL. */
export function referencesOf(resource: Resource): DashboardReferences | undefined {
  const { namesOnDashboard } = kindsOfDeclaration[resource.kind];
  if (namesOnDashboard === undefined) return undefined;
  const { value, secrets } = revealSecrets(resource.attributes);
  const read = (
    named: NamedKind,
    id: Json | undefined,
    pointer: Pointer,
    at: 'key' | 'value' = 'value',
  ): Reference[] => {
    const secret = secrets.find((each) => at === 'value' && isWithin(each.pointer, pointer));
    if (typeof id !== 'string' || id === '' || secret?.known === false) return [];
    return [{ named, id, pointer, at, isSecret: secret !== undefined }];
  };
  const keys = (named: NamedKind, field: string) => {
    const map = value[field];
    return isJsonObject(map) ? Object.keys(map).flatMap((key) => read(named, key, pointerTo(field, key), 'key')) : [];
  };
  const text = (named: NamedKind, field: string) => read(named, value[field], pointerTo(field));
  const [identifier] = text('query', 'identifier');
  if (identifier === undefined || !isIdentifier.test(identifier.id)) return undefined;
  const entries = (named: NamedKind, field: string) => {
    const list = value[field];
    return Array.isArray(list) ? list.flatMap((id: Json, index) => read(named, id, pointerTo(field, index))) : [];
  };
  const references = namesOnDashboard.flatMap((names) => {
    if ('keysOf' in names) return keys(names.named, names.keysOf);
    return 'eachOf' in names ? entries(names.named, names.eachOf) : text(names.named, names.valueOf);
  });
  return { resource, identifier, references };
}
