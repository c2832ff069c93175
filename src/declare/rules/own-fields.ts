// Almanac's own fields: extra must not contain known fields, and ignoreChanges must name existing fields.

import { fieldsOf, stateOnlyFields } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';

export const extraHoldsNoKnownField: Rule = ({ kind, value }) => {
  const extra = value['extra'];
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra)
    .filter((name) => Object.hasOwn(fieldsOf[kind], name))
    .map((name) => ({
      code: 'extra-known-field',
      message: `\`${name}\` is a field of its own; inside extra it would not be checked.`,
      hint: `Move ${name} out of extra.`,
      pointer: pointerTo('extra', name),
      at: 'key',
    }));
};

export const ignoredFieldsExist: Rule = ({ kind, value }) => {
  const lifecycle = value['lifecycle'];
  const ignored = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  if (!Array.isArray(ignored)) return [];
  return ignored.flatMap((name: unknown, index) => {
    const complaint = typeof name === 'string' ? complaintAbout(name, kind) : undefined;
    return complaint === undefined ? [] : [{ ...complaint, pointer: pointerTo('lifecycle', 'ignoreChanges', index) }];
  });
};

function complaintAbout(name: string, kind: Kind): Omit<RuleFinding, 'pointer'> | undefined {
  const names = Object.keys(fieldsOf[kind]).filter((other) => !stateOnlyFields.includes(other));
  if (!names.includes(name)) {
    return {
      code: 'unknown-ignored-field',
      message: `\`${name}\` is not a field whose changes can be ignored, so the entry has no effect.`,
      hint: didYouMean(name, names) ?? 'Name a field of this resource, such as `recipients`.',
    };
  }
  const field = fieldsOf[kind][name];
  if (!field?.decisive && !field?.literal) return undefined;
  return {
    code: 'unignorable-field',
    message: `\`${name}\` decides what is sent and how the other fields are read. If its changes were ignored, Almanac would apply something other than what is declared.`,
    hint: 'Remove it from ignoreChanges.',
  };
}
