// Keeps what source files were parsed to from one run to the next, so that only a changed file is parsed again. Parsing
// depends on nothing but the path, the text and the program: variables, files that a declaration names and the environment
// are resolved afterwards, and never get here. A file that may hold a secret is not kept, nor one that anything was found
// in: what is wrong with it is found again in each run.
//
// That nothing was found in a file is kept as well, with all that the check depended on. It depends on more in a file with
// a reference or a loop, so that one is checked each time, and so is one whose schedules end in some year.

import { createHash } from 'node:crypto';
import type { configFields } from '../../model/fields/config-fields.ts';
import { secretFieldsOf } from '../../model/fields/fields.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { secretsInUrl } from '../../model/values/url-secrets.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parseSource } from '../../parse/parse-source.ts';
import { parsedFromText, textOfParsed } from '../../parse/parsed-text.ts';
import type { CheckedFiles, CheckSettings } from './load.ts';
import type { ParseSource } from './parse-once.ts';

export interface KeptDocuments {
  readonly parse: ParseSource;
  readonly checked: CheckedFiles;
  /** Whether it will be parsed. */
  isNew(file: SourceFile): boolean;
  /** What to keep for the next run, without the files that the findings are about; undefined if it is kept already. */
  textWithout(findings: readonly Finding[]): string | undefined;
}

/** What the documents of a workspace are kept under. */
export function keptName(root: string): string {
  return `documents-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
}

interface Entry {
  /** What the settings are called under which nothing was found, the latest first. */
  readonly faultless: readonly string[];
  /** As text. */
  readonly documents: string;
}

const format = 'almanac-documents-3';
/** A workspace has few environments. */
const mostSettings = 4;

/**
 * `before` is what was kept, which may be anything: all that is not whole, or was made by another `program`, is parsed
 * again.
 */
export function keptDocuments(
  before: string | undefined,
  program: string,
  parse: ParseSource = parseSource,
): KeptDocuments {
  const known = entriesOf(before, program);
  const used = new Map<string, Entry & { readonly path: string }>();
  const keys = new WeakMap<SourceFile, string>();
  const keyOf = (file: SourceFile): string => {
    const key = keys.get(file) ?? digestOf(`${file.path}\0${file.text}`);
    keys.set(file, key);
    return key;
  };
  return {
    parse: (file) => {
      const key = keyOf(file);
      const entry = known.get(key);
      if (entry !== undefined) {
        used.set(key, { ...entry, path: file.path });
        return parsedFromText(entry.documents, file);
      }
      const parsed = parse(file);
      const may = parsed.findings.length === 0 && parsed.value.every(({ value }) => mayBeKept(value));
      const made = may ? textOfParsed(parsed, file) : undefined;
      if (made !== undefined) used.set(key, { path: file.path, faultless: [], documents: made });
      return parsed;
    },
    isNew: (file) => !known.has(keyOf(file)),
    checked: {
      faultlessUnder: (settings) => {
        const name = nameOf(settings);
        const files = name === undefined ? [] : [...used.values()].filter(({ faultless }) => faultless.includes(name));
        return new Set(files.map(({ path }) => path));
      },
      add: (files, settings) => {
        const name = nameOf(settings);
        if (name === undefined) return;
        const added = new Set(files);
        for (const [key, { path, faultless, documents }] of used) {
          if (!added.has(path) || faultless.includes(name) || dependsOnMore(documents)) continue;
          used.set(key, { path, faultless: [name, ...faultless.slice(0, mostSettings - 1)], documents });
        }
      },
    },
    textWithout: (findings) => {
      const left = new Set(
        findings.flatMap(({ place, related = [] }) => [place?.file, ...related.map((each) => each.place.file)]),
      );
      const kept = [...used].filter(([, { path }]) => !left.has(path));
      const isKnown = (key: string, { faultless }: Entry) => known.get(key)?.faultless[0] === faultless[0];
      if (kept.length === known.size && kept.every(([key, entry]) => known.has(key) && isKnown(key, entry)))
        return undefined;
      const body = kept
        .map(([key, { faultless, documents }]) => `${key} ${faultless.join(',')} ${documents}\n`)
        .join('');
      return `${headOf(program, body)}\n${body}`;
    },
  };
}

/** Undefined where a default may hold a reference, or a secret. */
function nameOf({ defaults, operations, environment, year }: CheckSettings): string | undefined {
  if (!defaults.every(({ sections }) => mayBeKept(sections as Json))) return undefined;
  const text = JSON.stringify([defaults, operations, environment ?? null, year]);
  return dependsOnMore(text) ? undefined : digestOf(text).slice(0, 16);
}

/** Whether it holds a reference or a loop: to a variable, an audience, another file. */
function dependsOnMore(json: string): boolean {
  return json.includes('${') || json.includes('"forEach');
}

function headOf(program: string, body: string): string {
  return `${format} ${program} ${digestOf(body)}`;
}

function entriesOf(text: string | undefined, program: string): ReadonlyMap<string, Entry> {
  const end = text?.indexOf('\n') ?? -1;
  if (text === undefined || end < 0) return new Map();
  const body = text.slice(end + 1);
  if (text.slice(0, end) !== headOf(program, body)) return new Map();
  return new Map(
    body
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const first = line.indexOf(' ');
        const second = line.indexOf(' ', first + 1);
        const faultless = line
          .slice(first + 1, second)
          .split(',')
          .filter(Boolean);
        return [line.slice(0, first), { faultless, documents: line.slice(second + 1) }] as const;
      }),
  );
}

const secretFields = new Set(Object.values(secretFieldsOf).flat());
/** A text that comes from variables as a whole. */
const fromVariables = /^(?:\$\{env\.\w+\})+$/;

/** Of almanac.yaml: a secret that stands there is reported where it is used. */
const variables = 'variables' satisfies keyof typeof configFields;

/** Whether nothing in it may be a secret. */
function mayBeKept(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('://') || secretsInUrl(value).length === 0;
  if (Array.isArray(value)) return value.every(mayBeKept);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([key, entry]) => {
    if (secretFields.has(key)) return typeof entry === 'string' && fromVariables.test(entry);
    return key !== variables && mayBeKept(entry);
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
