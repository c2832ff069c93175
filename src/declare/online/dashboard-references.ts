// What a declaration refers to in the service: its dashboard, and the dashboard's filters, controls and queries.

import { identifierShape } from '../../model/fields/patterns.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { revealSecrets } from '../../model/workspace/reveal-secrets.ts';

export type Named = 'filter' | 'control' | 'filter or control' | 'query';

/** Something with an id, and where in the resource the id appears. */
export interface Reference {
  readonly named: Named;
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
  if (resource.kind === 'aiJob') return undefined;
  const { value, secrets } = revealSecrets(resource.attributes);
  const read = (named: Named, id: Json | undefined, pointer: Pointer, at: 'key' | 'value' = 'value'): Reference[] => {
    const secret = secrets.find((each) => at === 'value' && isWithin(each.pointer, pointer));
    if (typeof id !== 'string' || id === '' || secret?.known === false) return [];
    return [{ named, id, pointer, at, isSecret: secret !== undefined }];
  };
  const keys = (named: Named, field: string) => {
    const map = value[field];
    return isJsonObject(map) ? Object.keys(map).flatMap((key) => read(named, key, pointerTo(field, key), 'key')) : [];
  };
  const text = (named: Named, field: string) => read(named, value[field], pointerTo(field));
  const [identifier] = text('query', 'identifier');
  if (identifier === undefined || !isIdentifier.test(identifier.id)) return undefined;
  const { filterOrder } = value;
  const ordered: readonly Json[] = Array.isArray(filterOrder) ? filterOrder : [];
  const references =
    resource.kind === 'dashboard'
      ? [
          ...keys('filter', 'filters'),
          ...keys('control', 'controls'),
          ...ordered.flatMap((id, index) => read('filter or control', id, pointerTo('filterOrder', index))),
        ]
      : [
          ...keys('filter', 'filterConfig'),
          ...text('query', 'queryIdentifierMapKey'),
          ...text('query', 'conditionQueryMapKey'),
        ];
  return { resource, identifier, references };
}
