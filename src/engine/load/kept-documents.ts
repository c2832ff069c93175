// Keeps what source files were parsed to from one run to the next, so that only a changed file is parsed again. Parsing
// depends on nothing but the path, the text and the program: variables, files that a declaration names and the environment
// are resolved afterwards, and never get here. A file that may hold a secret is not kept, nor one that anything was found
// in: what is wrong with it is found again in each run.
//
// That nothing was found in a file is kept as well, with all that the check depended on. It depends on more in a file with
// a reference or a loop, so that one is checked each time, and so is one whose schedules do not fire after this year.

import { createHash } from 'node:crypto';
import type { configFields } from '../../model/fields/config-fields.ts';
import { fieldsOf, secretFieldsOf } from '../../model/fields/fields.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { secretsInUrl } from '../../model/values/url-secrets.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { EntrySettings } from '../../model/workspace/file-entry.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parsedFromText, textOfParsed } from '../../parse/parsed-text.ts';
import { dependsOnMore } from '../../parse/written/depends-on-more.ts';
import type { EntryMaker, ParsedFile, ParseFile } from '../../validate/entry-maker.ts';
import type { CheckedConfig } from './load-config.ts';
import { parseWhenNew } from './parse-when-new.ts';
import type { PrepareFiles } from './read-sources.ts';

export interface KeptDocuments {
  /** Gets the source files before the first of them is parsed, and hands on those that are new. */
  readonly prepare: PrepareFiles;
  readonly parse: ParseFile;
  readonly checkedConfig: CheckedConfig;
  /** What to keep for the next run, without the files that the findings are about; undefined if it is kept already. */
  textWithout(findings: readonly Finding[]): string | undefined;
}

/** How the files are parsed that are not kept. */
export interface NewFiles {
  readonly prepare?: PrepareFiles;
  readonly parse: ParseFile;
}

/** What the documents of a workspace are kept under. */
export function keptName(root: string): string {
  return `documents-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
}

/** The entry of a file, for more than one run: the settings may differ. */
interface KeptEntry {
  /** What the settings are called under which nothing was found, the latest first. */
  readonly faultless: readonly string[];
  /** As in the entry of the file. */
  readonly parsed: string;
}

const format = 'almanac-documents-5';
/** A workspace has few environments. */
const mostSettings = 4;

/** `before` is what an earlier run kept. What another `program` made is not used. */
export function keptDocuments(
  before: string | undefined,
  program: string,
  { prepare, parse }: NewFiles = { parse: parseWhenNew },
): KeptDocuments {
  const known = readEntries(before, program);
  const used = new Map<string, KeptEntry & { readonly path: string }>();
  const keys = new WeakMap<SourceFile, string>();
  const keyOf = (file: SourceFile): string => {
    const key = keys.get(file) ?? digestOf(`${file.path}\0`, file.bytes ?? file.text);
    keys.set(file, key);
    return key;
  };
  let settingsName: string | undefined;
  let maker: EntryMaker | undefined;
  const isKnownFaultless = ({ faultless }: KeptEntry) => settingsName !== undefined && faultless.includes(settingsName);

  /** What to keep of a file that is new, or was checked under other settings only. */
  const checked = (parsed: string, isFaultless: boolean, before: readonly string[]): KeptEntry => {
    if (!isFaultless || settingsName === undefined) return { parsed, faultless: before };
    return { parsed, faultless: [settingsName, ...before.slice(0, mostSettings - 1)] };
  };
  const parseNew = async (file: SourceFile, key: string): Promise<ParsedFile> => {
    const parsedHere = await parse(file);
    const source = parsedHere.entry === undefined ? (maker?.withEntry(file, parsedHere) ?? parsedHere) : parsedHere;
    const may = source.findings.length === 0 && source.value.every(({ value }) => mayBeKept(value));
    const { parsed = textOfParsed(source, file), isFaultless = false } = source.entry ?? {};
    if (may && parsed !== undefined) used.set(key, { path: file.path, ...checked(parsed, isFaultless, []) });
    return source;
  };
  return {
    prepare: async (files, settings) => {
      settingsName = nameOf(settings);
      const added = files.filter((file) => !known.has(keyOf(file)));
      const isChecked = (file: SourceFile) => {
        const entry = known.get(keyOf(file));
        return entry !== undefined && (isKnownFaultless(entry) || dependsOnMore(entry.parsed));
      };
      if (!files.every(isChecked)) maker = (await import('../../validate/entry-maker.ts')).entryMaker(settings);
      await prepare?.(added, settings);
    },
    parse: (file) => {
      const key = keyOf(file);
      const entry = known.get(key);
      if (entry === undefined) return parseNew(file, key);
      const source = parsedFromText(entry.parsed, file);
      const isKnown = isKnownFaultless(entry);
      const isFaultless = isKnown || maker?.isFaultless(entry.parsed, source.value) === true;
      const now = isKnown ? entry : checked(entry.parsed, isFaultless, entry.faultless);
      used.set(key, { path: file.path, ...now });
      return { ...source, entry: { parsed: entry.parsed, isFaultless } };
    },
    checkedConfig: {
      isFaultless: (file, chosen) => known.get(keyOf(file))?.faultless.includes(nameOfChosen(chosen)) === true,
      add: (file, chosen) => {
        const entry = used.get(keyOf(file));
        if (entry === undefined) return;
        const faultless = [nameOfChosen(chosen), ...entry.faultless.slice(0, mostSettings - 1)];
        used.set(keyOf(file), { ...entry, faultless });
      },
    },
    textWithout: (findings) => {
      const left = new Set(
        findings.flatMap(({ place, related = [] }) => [place?.file, ...related.map((each) => each.place.file)]),
      );
      const kept = [...used].filter(([, { path }]) => !left.has(path));
      const isKnown = (key: string, { faultless }: KeptEntry) => known.get(key)?.faultless[0] === faultless[0];
      if (kept.length === known.size && kept.every(([key, entry]) => known.has(key) && isKnown(key, entry)))
        return undefined;
      const lines = kept.map(([key, { faultless, parsed }]) => `${key} ${faultless.join(',')} ${parsed}\n`);
      return `${headOf(program)}\n${lines.join('')}`;
    },
  };
}

/** Undefined where a default may hold a reference, or a secret. */
function nameOf({ defaults, operations, year }: EntrySettings): string | undefined {
  if (!defaults.every(({ sections }) => mayBeKept(sections as Json))) return undefined;
  const text = JSON.stringify([defaults, operations, year]);
  return dependsOnMore(text) ? undefined : digestOf(text).slice(0, 16);
}

/** What the check of almanac.yaml depends on, beside the file. */
function nameOfChosen(environment: string | undefined): string {
  return digestOf(JSON.stringify(['almanac.yaml', environment ?? null])).slice(0, 16);
}

function headOf(program: string): string {
  return `${format} ${program}`;
}

/** One a line: the key, the names of settings, the text. */
function readEntries(text: string | undefined, program: string): ReadonlyMap<string, KeptEntry> {
  const entries = new Map<string, KeptEntry>();
  const head = `${headOf(program)}\n`;
  if (text === undefined || !text.startsWith(head)) return entries;
  for (const line of text.slice(head.length).split('\n')) {
    const first = line.indexOf(' ');
    const second = line.indexOf(' ', first + 1);
    if (second < 0) continue;
    const names = line.slice(first + 1, second);
    entries.set(line.slice(0, first), {
      faultless: names === '' ? [] : names.split(','),
      parsed: line.slice(second + 1),
    });
  }
  return entries;
}

const secretFields = new Set(Object.values(secretFieldsOf).flat());
const urlFields = new Set(
  Object.values(fieldsOf).flatMap((fields) =>
    Object.keys(fields).filter((name) => fields[name]?.secretsIn === 'path-and-query'),
  ),
);
/** Whether a text has a part that stands elsewhere: the two may make a secret that neither of them is alone. */
const isComposed = (text: string) => /\$\{(?!env\.)/.test(text) && !/^\$\{[^}]*\}$/.test(text);
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
    if (urlFields.has(key) && typeof entry === 'string' && isComposed(entry)) return false;
    return key !== variables && mayBeKept(entry);
  });
}

function digestOf(text: string, more: string | Uint8Array = ''): string {
  return createHash('sha256').update(text).update(more).digest('base64url');
}
