// The value of one reference: ${var.NAME}, ${env.NAME}, ${file.PATH}, ${each.NAME} or ${audience.NAME}.

import { command } from '../../model/values/command.ts';
import type { Json } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import { type ReferenceToken, referenceForms } from '../../model/values/references.ts';
import { nameSome } from '../../model/values/words.ts';
import { below, type FindingWords, type Origin, type SourceFile } from '../../model/workspace/diagnostic.ts';
import type { ValueGiver, ValuePlace } from '../../model/workspace/origins.ts';
import type { Declared } from '../../model/workspace/resource.ts';
import { nearest } from '../findings/suggest.ts';
import type { Expansion } from './expansion-room.ts';

const maxListed = 12;

export interface Scope {
  readonly variables: Readonly<Record<string, Json>>;
  /** The value of an environment variable; undefined and empty both mean that it is not set. */
  readonly environment: (name: string) => string | undefined;
  /** The text of a referenced file, or why it cannot be read. `path` is relative to the workspace. */
  readonly readFile: (path: string) => { readonly path?: string; readonly text: string } | FindingWords;
  /** The CSV file of a loop, or why it cannot be read. */
  readonly readTable?: (path: string) => SourceFile | FindingWords;
  /** The place of a variable, if it is known. `lineOf` gives the line of an entry of its map. */
  readonly variablePlace?: (
    name: string,
  ) => { readonly origin: Origin; readonly lineOf: (key: string) => number } | undefined;
  /** True if an environment variable belongs to the job, and not to declarations. */
  readonly isReserved: (name: string) => boolean;
  /** Inside a loop: the item whose instance is made. */
  readonly each?: EachScope;
  /** The references of a text, for texts that are read for many instances; otherwise each is parsed on its own. */
  readonly tokensOf?: (text: string) => readonly ReferenceToken[];
  /** The room for the results of references, if it is limited. */
  readonly expansion?: Expansion;
  /** The value is part of an item. */
  readonly isInItem?: true;
  /** The place of the value in the resource. */
  readonly at?: Pointer;
  /** An audience's value for a place of the resource. */
  readonly audience?: (name: string, at: Pointer) => ({ readonly value: Declared } | Problem) & WithGiver;
}

/** The scope of a file: paths of ${file.…} are relative to it. */
export type ScopeOf = (file: string) => Scope;

export interface Problem extends FindingWords {
  /** The place of the mistake, if a reference led there: an item of a loop. */
  readonly origin?: Origin;
  readonly at?: 'key';
}

const forms = ({ each }: Scope) => referenceForms(each !== undefined);

interface WithGiver {
  /** Left out if it is not known. */
  readonly valueGiver?: ValueGiver | undefined;
}

export type ReferenceResult =
  /** Keeps its type if it is the whole value. */
  | ({ readonly value: Declared } & WithGiver)
  | EachValue
  | ({ readonly text: string } & WithGiver)
  | { readonly text: string | undefined; readonly variable: string; readonly doubt?: Problem | undefined }
  | (Problem & WithGiver);

/** `inner` is the text between the braces. */
export function resolve(inner: string, closed: boolean, scope: Scope): ReferenceResult {
  if (!closed) {
    return { code: 'invalid-interpolation', message: 'A `${` is not closed by a `}` on its line.', hint: forms(scope) };
  }
  if (inner.includes('${'))
    return {
      code: 'invalid-interpolation',
      message: 'A reference cannot hold another reference.',
      hint:
        scope.each === undefined
          ? 'Write the whole name of the value.'
          : 'Give each item, or each row, a value with the whole text, and refer to that: `${each.NAME}`.',
    };
  const [, namespace, name = ''] = /^(var|env|file|each|audience)\.(.+)$/.exec(inner) ?? [];
  if (namespace === 'var' && Object.hasOwn(scope.variables, name)) return variableNamed(name, scope);
  if (namespace === 'var' && name === name.trim()) return unknownVariable(name, scope);
  if (namespace === 'each' && name === name.trim()) {
    return scope.each === undefined ? eachOutside(name, scope.isInItem === true) : eachValue(name, scope.each);
  }
  if (namespace === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return environmentValue(name, scope);
  if (namespace === 'file' && name === name.trim()) {
    const file = scope.readFile(name);
    if ('code' in file) return file;
    const { path, text } = file;
    return path === undefined ? { text } : { text, valueGiver: { place: { kind: 'text-file', path }, at: '' } };
  }
  if (namespace === 'audience' && name === name.trim() && scope.audience !== undefined)
    return scope.audience(name, scope.at ?? '');
  const suggestion = suggestedReference(inner, scope);
  return {
    code: 'invalid-interpolation',
    message: `\`\${${inner}}\` is not a reference.`,
    hint: suggestion === undefined ? forms(scope) : `Did you mean \`${suggestion}\`?`,
  };
}

/** `${team}`, `${vars.team}` and `${ var.team }` all mean `${var.team}`. */
function suggestedReference(inner: string, scope: Scope): string | undefined {
  const bare = inner.trim();
  // `${customer}`, `${row.customer}` and `${each["customer"]}`, with the name of a column.
  const named = bare.match(/[\w-]+/g)?.at(-1) ?? '';
  if (scope.each?.names?.has(named)) return `\${each.${named}}`;
  if (Object.hasOwn(scope.variables, bare)) return `\${var.${bare}}`;
  const [, word = '', rest = ''] = /^(var|env|file|each|audience)[a-z]*\s*[.:](.*)$/is.exec(bare) ?? [];
  const [namespace, name] = [word.toLowerCase(), rest.trim()];
  if (name === '' || (namespace === 'env' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) return undefined;
  return `\${${namespace}.${name}}`;
}

function variableNamed(name: string, { variables, variablePlace }: Scope): ReferenceResult {
  const value = variables[name] ?? null;
  const origin = variablePlace?.(name)?.origin;
  return origin === undefined
    ? { value }
    : { value, valueGiver: { place: { kind: 'variable', origin, name }, at: '' } };
}

function unknownVariable(name: string, { variables }: Scope): Problem {
  const near = nearest(name, Object.keys(variables));
  return {
    code: 'unknown-variable',
    message: `There is no variable \`${name}\` in almanac.yaml.`,
    hint: near === undefined ? 'Add it under `variables` in almanac.yaml.' : `Did you mean \`\${var.${near}}\`?`,
  };
}

function environmentValue(name: string, scope: Scope): ReferenceResult {
  if (scope.isReserved(name)) return reserved(name);
  const text = scope.environment(name);
  if (text !== undefined && text !== '') return { text, variable: name, doubt: blankEnd(name, text) };
  return {
    text: undefined,
    variable: name,
    doubt: {
      code: 'missing-variable',
      message: `The environment variable \`${name}\` is missing or empty. The value is known only at apply, and ${command('apply')} refuses a change that sends it.`,
      hint: `Set ${name} where ${command('apply')} runs.`,
    },
  };
}

/** The blank may be intended, so it is sent. Most of the time it is the line end of a file. */
function blankEnd(name: string, text: string): Problem | undefined {
  const [begins, ends] = [/^\s/.test(text), /\s$/.test(text)];
  if (!begins && !ends) return undefined;
  const where = begins && ends ? 'begins and ends' : begins ? 'begins' : 'ends';
  return {
    code: 'secret-blank-end',
    message: `The value of \`${name}\` ${where} with ${/^[\r\n]|[\r\n]$/.test(text) ? 'a line end' : 'a space'}, which is sent as a part of the value.`,
    hint: `If this is not meant, store ${name} again without it: \`printf %s VALUE\` writes no line end.`,
  };
}

function reserved(name: string): Problem {
  return {
    code: 'reserved-variable',
    message: `\`${name}\` belongs to the job that runs Almanac or to one of its tools, so no declaration can read it.`,
    hint: 'Set a variable of another name for this value, such as SFTP_PASSWORD.',
  };
}

export interface LoopItem {
  readonly key: string;
  /** Keyed by name, as written; an item that is not a map has one value, called `value`. */
  readonly values: Readonly<Record<string, Json>>;
  /** The entry of the map, or the row. */
  readonly origin: Origin;
  readonly line: number;
  /** For a row: the places of the values for its blank cells; left out if it has none that a text fills. */
  readonly filled?: ReadonlyMap<string, Origin> | undefined;
  /** True if the value is the entry itself, and not a map of values. */
  readonly isSingle: boolean;
}

export interface ItemForm {
  /** The values are not interpolated: they come from almanac.yaml or a CSV file. */
  readonly isFinal: boolean;
  /** The names that any item of the loop has. */
  readonly names: ReadonlySet<string>;
  /** The items are the rows of a CSV file, and the names are its columns. */
  readonly isTable?: true;
}

/** The scope of `${each.NAME}`: a value of the item whose instance is made, or the item's key. */
export interface EachScope extends LoopItem, ItemForm {}

export interface EachValue {
  readonly each: EachScope;
  readonly name: string;
  readonly raw: Json;
  readonly place: Extract<ValuePlace, { readonly kind: 'item' }>;
}

/** The likeliest name of an item's value, or of its key, for a misspelled name. */
export function nearestValue(name: string, names: ReadonlySet<string>): string | undefined {
  return nearest(name, names) ?? nearest(name, ['key']);
}

function eachValue(name: string, each: EachScope): EachValue | Problem {
  const { key, values, origin, isSingle, names, isTable, filled } = each;
  if (name === 'key') return { each, name, raw: key, place: { kind: 'item', origin, name: key, part: 'key' } };
  if (Object.hasOwn(values, name)) {
    const at = isSingle ? origin : (filled?.get(name) ?? below(origin, name));
    const part = isTable === true ? 'cell' : undefined;
    return { each, name, raw: values[name] ?? null, place: { kind: 'item', origin: at, name: key, part } };
  }
  if (!names.has(name)) {
    // Terraform writes `each.value.region`.
    const near = nearestValue(name.replace(/^value\./, ''), names);
    const add = isTable === true ? columnWords(names) : `Add \`${name}\` to the items, or remove the reference.`;
    return {
      code: 'for-each-missing',
      message: isTable === true ? `${origin.file} has no column \`${name}\`.` : `No item has a value \`${name}\`.`,
      hint: near === undefined ? add : `Did you mean \`\${each.${near}}\`?`,
    };
  }
  return {
    code: 'for-each-missing',
    message: `The item \`${key}\` has no value \`${name}\`, which the declaration uses.`,
    hint: `Add \`${name}\` to the item.`,
    origin,
    at: 'key',
  };
}

export function columnWords(names: Iterable<string>): string {
  const quoted = Array.from(names, (name) => `\`${name}\``);
  return `Its columns are ${nameSome(quoted, quoted.length, maxListed)}.`;
}

function eachOutside(name: string, isInItem: boolean): Problem {
  const reference = `\${each.${name}}`;
  return isInItem
    ? {
        code: 'each-outside',
        message: `\`${reference}\` is in an item, and an item cannot use the values of an item.`,
        hint: 'Write the value itself, or put the reference into a field of the declaration.',
      }
    : {
        code: 'each-outside',
        message: `\`${reference}\` is a value of an item, and there is no \`forEach\` or \`forEachRow\` around it.`,
        hint: 'Put it into a field of a declaration with `forEach`, or write the value itself.',
      };
}
