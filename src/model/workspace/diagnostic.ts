// Diagnostics: what Almanac reports about a user's files. A finding names its place by file and JSON pointer, because
// positions are looked up only when one is printed; a diagnostic is a finding with its position.

import { effectSchema } from '../plan/action.ts';
import { dangerSchema } from '../plan/danger.ts';
import type { Address } from '../values/address.ts';
import { byCodeUnit } from '../values/json.ts';
import { type Pointer, pointerTo } from '../values/pointer.ts';
import {
  codeOf,
  described,
  flag,
  formatVersion,
  listOf,
  oneOf,
  positive,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { type Code, codes, type Severity } from './codes.ts';

/** Offsets into a file's text, in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in a source file: either already known as a span, or a pointer into one of its YAML documents. */
export type Place =
  | { readonly file: string; readonly span: Span }
  | {
      readonly file: string;
      /** The number of the document in the file, from 0. */
      readonly document: number;
      readonly pointer: Pointer;
      readonly at: 'value' | 'key';
      /** Narrows the place inside a plain one-line text: offsets into the value. */
      readonly within?: Span;
      /** The span in the text, if whoever read the file has kept it. */
      readonly known?: Span | undefined;
    }
  /** The file's text could not be read; line and column count from 1. */
  | { readonly file: string; readonly line: number; readonly column: number }
  | { readonly file: string };

/** Another place that a finding is about: the field of a loop that uses a wrong value of an item. */
export interface RelatedPlace {
  readonly place: Place;
  /** A full sentence: what is there. */
  readonly message: string;
}

export interface Finding {
  readonly code: Code;
  /** Full sentences: what is wrong, then why it matters. */
  readonly message: string;
  /** The advice to the user. */
  readonly hint?: string;
  readonly address?: Address;
  /** Resources that it is also about, although it stands elsewhere: those that have the default, or the other one of two. */
  readonly concerns?: readonly Address[];
  readonly place?: Place;
  readonly related?: readonly RelatedPlace[];
  /** The value at the place is only a part of the wrong text, which stands at the related place: in the declaration of a loop. */
  readonly isPart?: true;
  /** The words about several instances of a loop: the declaration is wrong, and not the item. */
  readonly ofLoop?: Pick<Finding, 'message' | 'hint'> | undefined;
  /** YAML reads something else than was meant: the hint shows the value as written, or the comment in its place, in quotes. */
  readonly quote?: boolean;
  /** Overrides the severity of the code: a missing variable is an error in apply. One that is off is not reported. */
  readonly severity?: Severity | 'off';
  /** A warning that counts as an error here, unless somebody accepted it or `checks` names its code. */
  readonly counts?: true;
  /** Somebody looked at the warning and accepted it: the reason. */
  readonly accepted?: string;
  /** It was accepted until this day, which is over. */
  readonly ended?: string;
  /** A line of the table of permissions allowed it until this day, which is over. Judged: what reaches the receiver is left. */
  readonly lapsed?: string | undefined;
  /** Only a look at Omni tells it, although the code is also one for files. */
  readonly seen?: true;
}

/** The words of a finding, wherever it is. */
export type FindingWords = Pick<Finding, 'code' | 'message' | 'hint' | 'lapsed'>;

/** The result of a stage, with its findings: a value may be there in spite of errors. */
export interface WithFindings<T> {
  readonly value: T;
  readonly findings: readonly Finding[];
}

/** Lines and columns count from 1; the end is exclusive. */
const position = {
  'line?': positive,
  'column?': positive,
  'endLine?': positive,
  'endColumn?': positive,
};

const relatedSchema = record({ message: text, file: text, ...position, 'path?': text });
export type RelatedDiagnostic = TypeOf<typeof relatedSchema>;

export const diagnosticSchema = record({
  severity: oneOf<Severity>('error', 'warning', 'note'),
  code: codeOf(codes),
  summary: described(text, 'The fixed words of the code.'),
  message: text,
  'file?': described(text, 'Relative to the workspace, with forward slashes.'),
  ...position,
  'address?': text,
  'concerns?': described(
    listOf(text),
    'The addresses of resources that it is also about: those that have the default, or the other one of two.',
  ),
  'path?': described(text, 'A JSON pointer inside the YAML document.'),
  'hint?': described(text, 'What to do.'),
  'related?': described(
    listOf(relatedSchema),
    'Other places that it is about, such as the field of a loop that uses a wrong value of an item.',
  ),
  'seen?': described(flag, 'Only a look at Omni tells it, and nothing in the files.'),
  // Reports only count it.
  'accepted?': described(text, 'The reason for which the declaration accepts the warning; it fails nothing.'),
});
/** A diagnostic as it is printed, and as it is published in JSON. */
export type Diagnostic = TypeOf<typeof diagnosticSchema>;

export const failureRows = { code: text, message: text, 'hint?': text };

const unrecordedSchema = record({
  address: text,
  action: described(effectSchema, 'What was sent.'),
  'id?': described(text, 'The id of what was made.'),
  command: described(text, 'Records what became of it, once the state can be written again.'),
});
export type Unrecorded = TypeOf<typeof unrecordedSchema>;

export const errorSchema = record({
  formatVersion,
  error: record({
    ...failureRows,
    'addresses?': described(listOf(text), 'The resources that it is about, where these are some and not all.'),
    'unrecorded?': described(
      listOf(unrecordedSchema),
      'What only this run knows, because neither the state nor its journal could be written: record each.',
    ),
  }),
  'dangers?': described(listOf(dangerSchema), 'Of a plan with --base that is refused: what differs from that commit.'),
  diagnostics: listOf(diagnosticSchema),
});

/** `file` is relative to the repository. */
export interface ReportedDiagnostic extends Diagnostic {
  /** Does not depend on the line of the fault, and is unique within a report. */
  readonly fingerprint: string;
}

/** The report to other programs: paths and fingerprints have a meaning outside of the workspace. */
export interface DiagnosticReport {
  readonly toolVersion: string;
  /** Warnings also fail. */
  readonly strict: boolean;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Every source file that was checked, relative to the repository. */
  readonly files: readonly string[];
  /** The file to name for a diagnostic about the workspace as a whole. */
  readonly home: string;
}

export function severityOf(finding: Finding): Severity | 'off' {
  return finding.severity ?? (finding.counts ? 'error' : codes[finding.code].severity);
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => severityOf(finding) === 'error');
}

/** The order in which diagnostics are printed: by file, line, column and code. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    byCodeUnit(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodeUnit(a.code, b.code) ||
    byCodeUnit(a.message, b.message)
  );
}

/** A source file as read, and the place of a declaration in it. */
export interface SourceFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Decoded, without a byte order mark. */
  readonly text: string;
  /** A CSV file that a loop reads, and not YAML. */
  readonly isTable?: true;
}

/** The place of a value: a JSON pointer inside one document of a file. */
export interface Origin {
  readonly file: string;
  readonly document: number;
  readonly pointer: Pointer;
}

/** A place below another one in the same document. */
export function below(origin: Origin, ...segments: readonly (string | number)[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}

export function placeOf(
  origin: Origin,
  at: 'value' | 'key' = 'value',
  ...segments: readonly (string | number)[]
): Extract<Place, { readonly pointer: Pointer }> {
  const { file, document, pointer } = below(origin, ...segments);
  return { file, document, pointer, at };
}
