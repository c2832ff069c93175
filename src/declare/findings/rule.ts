// The form of reports by rules and compiled schemas. A rule is a pure function from one resource to findings;
// src/declare/kinds-of-declaration.ts lists its kinds. Rules see plain values; their caller masks secrets in the
// reports.

import type { Cron } from '../../cron/cron.ts';
import type { Kind } from '../../model/values/address.ts';
import { type Json, type JsonObject, stringIn } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Operations } from '../../model/workspace/config.ts';
import type { Finding, FindingWords, Origin, Span } from '../../model/workspace/diagnostic.ts';
import type { ReferenceSource } from '../walk-places.ts';

export interface RuleContext {
  readonly operations: Operations;
  /** True if a run is still to come; memoized. */
  readonly firesAgain: (cron: Cron, zone: string) => boolean;
  /** The ids of the filters that divide the rows: `safety.rows.filters`. */
  readonly dividing: ReadonlySet<string>;
  /** The values in the table of permissions, and its name; undefined if there is none. */
  readonly table: ValuesOfTable | undefined;
  /** The words of other tools, once something in the workspace asks for them. */
  readonly words?: OtherWords | undefined;
}

/** The meaning of a word of another tool: a field of ours, or the advice where no field has just its meaning. */
export type Meaning =
  | { readonly field: string; readonly hint: undefined }
  | { readonly field: undefined; readonly hint: string };

export interface OtherWords {
  /** Undefined for a word of no tool. `value`: undefined if it must not be repeated; `names`: the fields of the section. */
  readonly meaningOf: (word: string, value: Json | undefined, names: readonly string[]) => Meaning | undefined;
  /** The advice about a value that a field of ours cannot have. `allowed`: what it can, if that is a list. */
  readonly valueHint: (field: string, value: Json, allowed?: readonly string[]) => string | undefined;
}

export interface ValuesOfTable {
  readonly file: string;
  readonly values: ReadonlySet<string>;
  /** The value that a text nearly is; undefined if it is one, or like none. */
  readonly nearly: (text: string) => string | undefined;
}

export interface CheckedResource {
  readonly kind: Kind;
  /** The attributes with secrets in plain text; their types may still be wrong. */
  readonly value: JsonObject;
  readonly fromEnvironment: ReadonlySet<Pointer>;
  readonly referredAt: ReferredAt;
  /** For an instance of a loop over a table: the cells of its row, keyed by column. */
  readonly cells?: JsonObject | undefined;
  /** For such an instance: the cells of a column in all rows that the loop takes. */
  readonly column?: ((name: string) => readonly Json[]) | undefined;
}

/** The source of a value in the resource, if that is a reference. */
export type ReferredAt = (pointer: Pointer) => ReferenceSource | undefined;

export interface RuleFinding extends FindingWords {
  /** Inside the resource. */
  readonly pointer: Pointer;
  /** The wrong part, the key or the value; the value by default. */
  readonly at?: 'key' | 'value';
  readonly within?: Span;
  /** The wrong piece of the text, which one cell of a row may give. */
  readonly part?: string;
  readonly quote?: boolean;
  /** An error even if `checks` lowers its code, or a note although the code is a warning elsewhere. */
  readonly severity?: 'error' | 'note';
}

export type Rule = (resource: CheckedResource, context: RuleContext) => readonly RuleFinding[];

export function fieldText(value: JsonObject, field: string): string | undefined {
  return stringIn(value[field]);
}

/** The findings of a check about a field that holds a text. */
export function textFindings(
  value: JsonObject,
  field: string,
  check: (text: string) => readonly FindingWords[],
): readonly RuleFinding[] {
  const text = fieldText(value, field);
  return text === undefined ? [] : check(text).map((words) => ({ ...words, pointer: pointerTo(field) }));
}

/** A pointer in the form that people write: `recipients[0]`, `filters.region.values`. */
export function fieldName(pointer: Pointer): string {
  return pointerSegments(pointer)
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');
}

/** Findings about a value, with the place of the value in its file. */
export type PlacedFinding = Finding & { readonly place: { readonly pointer: Pointer } };

export function placed(findings: readonly RuleFinding[], origin: Origin): readonly PlacedFinding[] {
  return findings.map(({ pointer, at, within: _, part: __, ...words }) => ({
    ...words,
    place: { file: origin.file, document: origin.document, pointer, at: at ?? 'value' },
  }));
}

/** The parts of an ajv error that are used: a report of a compiled schema. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface SchemaNote {
  readonly code?: string;
  readonly message?: string | undefined;
  /** The advice, if the message is that of a rule. */
  readonly hint?: string | undefined;
  /** The fields of a closed object. */
  readonly names?: readonly string[];
}
