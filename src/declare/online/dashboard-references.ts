// A declaration's references to the service: its dashboard, filters, controls and queries.

import { identifierShape } from '../../model/fields/patterns.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { revealSecrets } from '../../model/workspace/map-leaves.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { kindsOfDeclaration, type NamesInField } from '../kinds-of-declaration.ts';

export type NamedKind = NamesInField['named'];

export interface Reference {
  readonly named: NamedKind;
  readonly id: string;
  readonly pointer: Pointer;
  readonly at: 'key' | 'value';
  /** The id comes from the environment and must not be shown. */
  readonly isSecret: boolean;
}

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
