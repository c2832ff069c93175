// What the compiled schemas found, in words: a code, a sentence and a hint for every error of theirs, at most one a
// fault.

import { type Code, isCode } from '../model/codes.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../model/pointer.ts';
import type { SchemaError, SchemaNote, Validator } from './compiled.js';
import type { RuleFinding } from './rule.ts';
import { didYouMean } from './suggest.ts';

type Notes = Readonly<Record<string, SchemaNote>>;

/** The errors of a value by a schema; none where it is valid. */
export function schemaFindings(value: Json, validator: Validator, notes: Notes): readonly RuleFinding[] {
  if (validator(value)) return [];
  const seen = new Set<string>();
  return (validator.errors ?? []).flatMap((error) => {
    if (error.keyword === 'if' || error.keyword === 'anyOf' || error.keyword === 'not') return [];
    const finding = findingOf(error, value, notes);
    const fault = `${finding.pointer} ${missingOf(error)}`;
    if (seen.has(fault)) return [];
    seen.add(fault);
    return [finding];
  });
}

const missingOf = ({ keyword, params }: SchemaError) =>
  keyword === 'required' ? String(params['missingProperty']) : '';

function findingOf(error: SchemaError, root: Json, notes: Notes): RuleFinding {
  const pointer = error.instancePath;
  const note = noteOf(error.schemaPath, notes);
  const code = (fallback: Code): Code => (note?.code !== undefined && isCode(note.code) ? note.code : fallback);
  const value = valueAt(root, pointer);
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty']);
      if (note?.code === 'invalid-key') {
        return { code: 'invalid-key', message: note.words ?? '', pointer: pointer + pointerTo(name), at: 'key' };
      }
      return {
        code: 'unknown-field',
        message: `There is no field \`${name}\` ${pointer === '' ? 'here' : `in \`${fieldName(pointer)}\``}, so it would have no effect.`,
        hint: didYouMean(name, note?.names ?? []) ?? otherFields(note?.names),
        pointer: pointer + pointerTo(name),
        at: 'key',
      };
    }
    case 'required': {
      const name = String(error.params['missingProperty']);
      const message = note?.words ?? `${pointer === '' ? '' : `\`${fieldName(pointer)}\`: `}\`${name}\` is missing.`;
      return { code: code('required-field'), message, hint: `Add \`${name}\`.`, pointer, at: 'key' };
    }
    case 'false schema':
      return { code: code('unknown-field'), message: note?.words ?? '', hint: 'Take it out.', pointer, at: 'key' };
    case 'enum': {
      const allowed = (error.params['allowedValues'] as readonly Json[]).map(String);
      return {
        code: 'unknown-value',
        message: `\`${fieldName(pointer)}\` can be ${listed(allowed)}.`,
        hint: (typeof value === 'string' ? didYouMean(value, allowed) : undefined) ?? 'Choose one of these.',
        pointer,
      };
    }
    case 'type':
      return wrongType(error, pointer, value);
    default:
      return { code: code('wrong-type'), message: note?.words ?? boundWords(error, pointer), pointer };
  }
}

function otherFields(names: readonly string[] | undefined): string {
  return names === undefined || names.length > 12
    ? 'Take it out, or look up its name in the field reference.'
    : `The fields here are ${listed(names)}.`;
}

/** The note of the nearest place above that has one. */
function noteOf(schemaPath: string, notes: Notes): SchemaNote | undefined {
  const parent = schemaPath.slice(0, schemaPath.lastIndexOf('/'));
  for (let path = parent; path.length > 0; path = path.slice(0, path.lastIndexOf('/'))) {
    if (Object.hasOwn(notes, path)) return notes[path];
    if (path === '#') break;
  }
  return undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list',
  object: 'a map',
  null: 'empty',
};

function wrongType(error: SchemaError, pointer: Pointer, value: Json | undefined): RuleFinding {
  const types = [error.params['type']].flat().flatMap((type) => String(type).split(','));
  const wanted = types.filter((type) => type !== 'null').map((type) => typeWords[type] ?? type);
  const message = `${pointer === '' ? 'This' : `\`${fieldName(pointer)}\``} must be ${wanted.join(' or ')}, not ${typeOf(value)}.`;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return { code: 'wrong-type', message, pointer, quote: true };
  }
  const unquoted =
    typeof value === 'string' &&
    (types.includes('boolean') ? /^(true|false)$/.test(value) : types.includes('integer') && /^\d+$/.test(value));
  return { code: 'wrong-type', message, ...(unquoted ? { hint: 'Take the quotes off.' } : {}), pointer };
}

function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a map';
  return typeof value === 'string' ? 'a text' : typeof value === 'boolean' ? String(value) : 'a number';
}

function boundWords({ keyword, params }: SchemaError, pointer: Pointer): string {
  const name = `\`${fieldName(pointer)}\``;
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'minLength':
      return `${name} is empty.`;
    case 'minimum':
      return `${name} must be at least ${limit}.`;
    case 'maximum':
      return `${name} must be at most ${limit}.`;
    case 'minItems':
    case 'minProperties':
      return `${name} needs at least ${limit === 1 ? 'one entry' : `${limit} entries`}.`;
    case 'maxItems':
      return `${name} may have no more than ${limit === 1 ? 'one entry' : `${limit} entries`}.`;
    case 'uniqueItems':
      return `${name} lists the same value twice.`;
    default:
      return `${name} is not valid.`;
  }
}

/** A pointer as people write it: `recipients[0]`, `filters.region.values`. */
export function fieldName(pointer: Pointer): string {
  return pointerSegments(pointer)
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');
}

function valueAt(root: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of pointerSegments(pointer)) {
    value = Array.isArray(value) ? value[Number(segment)] : isJsonObject(value) ? value[segment] : undefined;
  }
  return value;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1);
  return names.length < 2
    ? `\`${last}\``
    : `${names
        .slice(0, -1)
        .map((name) => `\`${name}\``)
        .join(', ')} or \`${last}\``;
}
