// The fields that are Almanac's own: extra holds nothing that has a field, ignoreChanges names fields that exist.

import { fieldsOf } from '../../model/fields.ts';
import { isJsonObject } from '../../model/json.ts';
import { pointerTo } from '../../model/pointer.ts';
import type { Rule } from '../rule.ts';
import { didYouMean } from '../suggest.ts';

export const extraHoldsNoKnownField: Rule = ({ kind, value }) => {
  const extra = value['extra'];
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra)
    .filter((name) => Object.hasOwn(fieldsOf[kind], name))
    .map((name) => ({
      code: 'extra-known-field',
      message: `\`${name}\` is a field of its own; inside extra it would escape every check.`,
      hint: `Move ${name} out of extra.`,
      pointer: pointerTo('extra', name),
      at: 'key',
    }));
};

export const ignoredFieldsExist: Rule = ({ kind, value }) => {
  const lifecycle = value['lifecycle'];
  const ignored = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  if (!Array.isArray(ignored)) return [];
  const names = Object.keys(fieldsOf[kind]).filter((name) => name !== 'lifecycle');
  return ignored.flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || names.includes(name)) return [];
    return [
      {
        code: 'unknown-ignored-field' as const,
        message: `\`${name}\` is no field whose changes can be ignored, so the entry has no effect.`,
        hint: didYouMean(name, names) ?? 'Name a field of this resource, such as `recipients`.',
        pointer: pointerTo('lifecycle', 'ignoreChanges', index),
      },
    ];
  });
};
