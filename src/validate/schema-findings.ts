// What the compiled schemas found, in words: a code, a sentence and a hint for every error of theirs, at most one a
// fault.

import { type Code, isCode } from '../model/codes.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { resourceKey } from '../model/patterns.ts';
import { type Pointer, pointerSegments, pointerTo } from '../model/pointer.ts';
import type { SchemaError, SchemaNote, Validator } from './compiled.js';
import { fieldName } from './field-name.ts';
import { quote } from './formats/quote.ts';
import type { RuleFinding } from './rule.ts';
import { didYouMean } from './suggest.ts';
import { boundWords, wrongType } from './wrong-value.ts';

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
  const note = noteOf(error, notes);
  const code = (fallback: Code): Code => (note?.code !== undefined && isCode(note.code) ? note.code : fallback);
  const value = valueAt(root, pointer);
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty']);
      if (note?.code === 'invalid-key') {
        const hint = mendedKey(name);
        return { code: 'invalid-key', message: note.words ?? '', hint, pointer: pointer + pointerTo(name), at: 'key' };
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
      const where = pointer === '' ? '' : ` in \`${fieldName(pointer)}\``;
      const rule = code('required-field');
      const missing = rule === 'required-field' ? [`\`${name}\` is missing${where}.`] : [];
      const { message, hint = `Add \`${name}\`.` } = adviceIn([...missing, note?.words ?? ''].join(' ').trim());
      return { code: rule, message, hint, pointer, at: 'key' };
    }
    case 'false schema': {
      const { message, hint = 'Take it out.' } = adviceIn(note?.words ?? '');
      return { code: code('unknown-field'), message, hint, pointer, at: 'key' };
    }
    case 'enum': {
      const allowed = (error.params['allowedValues'] as readonly Json[]).map(String);
      return {
        code: 'unknown-value',
        message: `\`${fieldName(pointer)}\` can ${allowed.length === 1 ? 'only ' : ''}be ${listed(allowed, 'or')}.`,
        hint:
          (typeof value === 'string' ? didYouMean(value, allowed) : undefined) ??
          (allowed.length === 1 ? `Write \`${allowed[0]}\`.` : 'Choose one of these.'),
        pointer,
      };
    }
    case 'type':
      return wrongType(error, pointer, value);
    case 'pattern':
      if (note?.words === undefined || isRule(note.words)) break;
      return {
        code: code('wrong-type'),
        // A user before a host may come with a password.
        message:
          value === ''
            ? `\`${fieldName(pointer)}\` is empty.`
            : `${String(value).includes('@') ? 'The value' : quote(String(value))} is not what \`${fieldName(pointer)}\` takes.`,
        hint: `Write ${note.words.charAt(0).toLowerCase()}${note.words.slice(1)}`,
        pointer,
      };
    default:
  }
  if (note?.words !== undefined && isRule(note.words))
    return { code: code('wrong-type'), ...adviceIn(note.words), pointer };
  return { code: code('wrong-type'), ...boundWords(error, pointer), pointer };
}

// The words of a rule end in what to do: `…: take testNow out.` Editors show them whole.
const advice = /^(?<message>.*): (?<hint>(?:take|name|give|write|choose) .*)$/s;

const isRule = (words: string) => advice.test(words);

function adviceIn(words: string): { message: string; hint?: string } {
  const { message, hint } = advice.exec(words)?.groups ?? {};
  if (message === undefined || hint === undefined) return { message: words };
  return { message: `${message}.`, hint: hint.charAt(0).toUpperCase() + hint.slice(1) };
}

/** The nearest text that is a key. */
function mendedKey(name: string): string {
  const mended = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[_-]+|-+$/g, '')
    .slice(0, 64);
  return new RegExp(resourceKey).test(mended) ? `Write \`${mended}\`, for example.` : 'Begin it with a letter.';
}

function otherFields(names: readonly string[] | undefined): string {
  return names === undefined || names.length > 12
    ? 'Take it out, or look up its name in the field reference.'
    : `The fields here are ${listed(names, 'and')}.`;
}

/** The note of the schema whose keyword it is; of `false`, which holds none, that of the schema around its properties. */
function noteOf({ schemaPath, keyword }: SchemaError, notes: Notes): SchemaNote | undefined {
  const above = keyword === 'false schema' ? 3 : 1;
  // The names of patterns are percent-encoded in the path of an error.
  return notes[decodeURIComponent(schemaPath).split('/').slice(0, -above).join('/')];
}

function valueAt(root: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of pointerSegments(pointer)) {
    value = Array.isArray(value) ? value[Number(segment)] : isJsonObject(value) ? value[segment] : undefined;
  }
  return value;
}

function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  const last = names.at(-1);
  return names.length < 2
    ? `\`${last}\``
    : `${names
        .slice(0, -1)
        .map((name) => `\`${name}\``)
        .join(', ')} ${conjunction} \`${last}\``;
}
