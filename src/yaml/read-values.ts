// Reads the values of a source file quickly, from the events of js-yaml. Mistakes are not known here: a file that has
// one, or a form that the yaml package may read differently, is left to parse-source.ts.

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { sections } from '../model/values/address.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { secretKey } from '../model/values/secret.ts';
import type { SourceFile, Span } from '../model/workspace/diagnostic.ts';
import { audienceSection } from '../model/workspace/resource.ts';
import { filtersOfDelivery, type RawDocument } from './raw-document.ts';

/** More levels than any valid declaration has. */
export const maxDepth = 64;

/** The limit keeps a few lines of aliases from filling the memory. */
export const maxValues = 1_000_000;

type DocumentEvent = Extract<Event, { type: typeof EVENT_ID.DOCUMENT }>;
type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>;

const { MAPPING, SEQUENCE, SCALAR, ALIAS, POP } = EVENT_ID;
const { PLAIN, LITERAL_BLOCK, FOLDED_BLOCK } = SCALAR_STYLE;

/** The yaml package refuses implicit keys that are longer. */
const maxKeyLength = 1000;

/** Thrown and caught here: what the file holds is for the yaml package to say. */
const rare = new Error('This file is left to the yaml package.');

/** Every document; undefined if the yaml package has to read the file. */
export function readValues(file: SourceFile): readonly RawDocument[] | undefined {
  const { text } = file;
  if (isRare(text)) return undefined;
  try {
    // The document counts as a level here.
    const events = parseEvents(text, { maxDepth: maxDepth + 1 });
    return new ValueReader(file, events).documents();
  } catch (error) {
    // js-yaml stops at the first mistake, and says it in its own words.
    if (error === rare || error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** Before it is parsed: what only one of the two packages accepts, or what they read differently. */
function isRare(text: string): boolean {
  return (
    text.startsWith(' ') ||
    text.includes('\t') ||
    text.includes('\ufeff') ||
    text.includes('\\U') ||
    (text.includes('\r') && /\r(?!\n)/.test(text)) ||
    /^(?:%|\.\.\.)/m.test(text)
  );
}

/** The place of a map on the way to the keys whose lines are kept. */
type Level = 'root' | 'section' | 'declaration' | 'items' | undefined;

export interface AnchoredValue {
  readonly value: Json;
  readonly size: number;
}

const named: ReadonlySet<string> = new Set([...sections, audienceSection]);
const ofLoops: ReadonlySet<string> = new Set(['forEach', 'forEachRow']);

class ValueReader {
  readonly #text: string;
  readonly #path: string;
  readonly #events: readonly Event[];
  readonly #mayHoldLoops: boolean;
  #next = 0;
  // The line that was asked for last: its number, and the offset of its end.
  #line = 1;
  #lineEnd: number;
  // These are of the document that is read.
  #count = 0;
  #keyLines = new Map<Pointer, number>();
  #loopKeys = new Map<Pointer, Span>();
  /** Undefined while its own value is read. */
  #anchors = new Map<string, AnchoredValue | undefined>();

  constructor({ path, text }: SourceFile, events: readonly Event[]) {
    this.#path = path;
    this.#text = text;
    this.#events = events;
    this.#mayHoldLoops = text.includes('forEach');
    this.#lineEnd = text.indexOf('\n');
  }

  documents(): readonly RawDocument[] {
    const documents: RawDocument[] = [];
    // A reference may be written with escapes.
    const isLiteral = !this.#text.includes('${') && !this.#text.includes('\\');
    while (this.#next < this.#events.length) {
      const { directives } = this.#events[this.#next] as DocumentEvent;
      if (directives.length > 0) throw rare;
      this.#next += 1;
      this.#count = 0;
      this.#keyLines = new Map();
      this.#loopKeys = new Map();
      this.#anchors = new Map();
      const value = this.#node('root', '');
      // The end of the document.
      this.#next += 1;
      const origin = { file: this.#path, document: documents.length, pointer: '' };
      documents.push({ origin, value, keyLines: this.#keyLines, loopKeys: this.#loopKeys, isLiteral });
    }
    return documents;
  }

  #node(level: Level, pointer: Pointer): Json {
    const event = this.#events[this.#next++] as NodeEvent;
    if (event.type === ALIAS) return this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd), level);
    if (event.tagStart !== -1) throw rare;
    this.#count += 1;
    if (event.anchorStart === -1) return this.#value(event, level, pointer);
    const anchor = this.#text.slice(event.anchorStart, event.anchorEnd);
    if (anchor.endsWith(':') || !/[ \r\n]/.test(this.#text.charAt(event.anchorEnd))) throw rare;
    if (event.type === SCALAR && event.valueStart === -1) throw rare;
    const before = this.#count - 1;
    this.#anchors.set(anchor, undefined);
    const value = this.#value(event, level, pointer);
    this.#anchors.set(anchor, { value, size: this.#count - before });
    return value;
  }

  #value(event: NodeEvent, level: Level, pointer: Pointer): Json {
    if (event.type === SCALAR) return this.#scalar(event, level);
    if (event.type === MAPPING) return this.#map(level, pointer);
    return this.#list();
  }

  #alias(name: string, level: Level): Json {
    // It may hold keys whose lines are kept.
    if (level !== undefined || name.endsWith(':')) throw rare;
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) throw rare;
    this.#count += anchored.size;
    if (this.#count > maxValues) throw rare;
    return anchored.value;
  }

  #list(): Json {
    const list: Json[] = [];
    while (!this.#isOver()) list.push(this.#node(undefined, ''));
    return list;
  }

  #isOver(): boolean {
    const isOver = (this.#events[this.#next] as Event).type === POP;
    if (isOver) this.#next += 1;
    return isOver;
  }

  #map(level: Level, pointer: Pointer): Json {
    const own: Record<string, Json> = {};
    let merged: readonly JsonObject[] | undefined;
    while (!this.#isOver()) {
      const event = this.#events[this.#next++] as Event;
      const key = this.#key(event);
      const isMerge = key === '<<' && (event as ScalarEvent).style === PLAIN;
      if (Object.hasOwn(own, key) || (key === '<<' && merged !== undefined)) throw rare;
      if (isMerge) {
        if (level !== undefined && level !== 'root') throw rare;
        merged = this.#merged();
      } else {
        const at = event as ScalarEvent;
        define(own, key, level === undefined ? this.#node(level, '') : this.#entry(level, pointer, key, at));
      }
    }
    for (const source of merged ?? []) {
      for (const [key, value] of Object.entries(source)) {
        if (!Object.hasOwn(own, key)) define(own, key, value);
        else if (key === filtersOfDelivery || own[key] === null) throw rare;
      }
    }
    return own;
  }

  #key(event: Event): string {
    if (event.type !== SCALAR || event.valueStart === -1 || isBlock(event)) throw rare;
    if (event.tagStart !== -1 || event.anchorStart !== -1) throw rare;
    if (event.valueEnd - event.valueStart > maxKeyLength) throw rare;
    const key = getScalarValue(this.#text, event);
    if (key === secretKey) throw rare;
    return key;
  }

  /** The maps that are merged into a map, the first of them before the others. */
  #merged(): readonly JsonObject[] {
    const value = this.#node(undefined, '');
    const sources: readonly Json[] = Array.isArray(value) ? value : [value];
    if (!sources.every(isJsonObject)) throw rare;
    return sources;
  }

  /** Reads an entry of a map in which, or below which, there are keys whose lines are kept. */
  #entry(level: Exclude<Level, undefined>, pointer: Pointer, key: string, event: ScalarEvent): Json {
    if (level === 'root') return this.#node(named.has(key) ? 'section' : undefined, pointerTo(key));
    const own = pointer + pointerTo(key);
    if (level === 'declaration') {
      if (ofLoops.has(key)) this.#loopKeys.set(own, spanOf(event));
      return this.#node(key === 'forEach' ? 'items' : undefined, own);
    }
    this.#keyLines.set(own, this.#lineAt(event.valueStart));
    return this.#node(level === 'section' && this.#mayHoldLoops ? 'declaration' : undefined, own);
  }

  /** Asked in the order of the text. */
  #lineAt(offset: number): number {
    while (this.#lineEnd !== -1 && this.#lineEnd < offset) {
      this.#line += 1;
      this.#lineEnd = this.#text.indexOf('\n', this.#lineEnd + 1);
    }
    return this.#line;
  }

  #scalar(event: ScalarEvent, level: Level): Json {
    if (event.valueStart === -1) return null;
    const text = getScalarValue(this.#text, event);
    if (event.style === PLAIN) return plainValue(text);
    if (isBlock(event)) this.#refuseOddBlock(event, text, level);
    return text;
  }

  /** The two packages differ on block scalars that say their indentation, or hold nothing. */
  #refuseOddBlock({ valueStart, valueEnd }: ScalarEvent, text: string, level: Level): void {
    const header = this.#text.slice(this.#text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
    if (level === 'root' || /[|>][-+]?[1-9]/.test(header)) throw rare;
    if (valueEnd > valueStart && text.trim() === '') throw rare;
  }
}

/** The span with the quotes. */
function spanOf({ style, valueStart, valueEnd }: ScalarEvent): Span {
  const quote = style === PLAIN ? 0 : 1;
  return { start: valueStart - quote, end: valueEnd + quote };
}

const isBlock = ({ style }: ScalarEvent): boolean => style === LITERAL_BLOCK || style === FOLDED_BLOCK;

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const maxWordLength = 5;

/** The value by the core schema of YAML 1.2. */
function plainValue(text: string): Json {
  if (/^[-+.0-9]/.test(text)) return numberIn(text);
  if (text.length > maxWordLength) return text;
  const word = words.get(text);
  return word === undefined ? text : word;
}

const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const otherNumber = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;

/** A text that begins as a number may be none: a date, an address, a dash. */
function numberIn(text: string): Json {
  if (decimal.test(text)) {
    const number = Number(text);
    if (!isKept(number, text)) throw rare;
    return number;
  }
  if (otherNumber.test(text)) throw rare;
  return text;
}

/** True if a number, written again, is the text of the file. JSON promises less for whole numbers with more digits. */
export function isKept(number: number, text: string): boolean {
  return String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** The places of a key and of a single value; undefined where the yaml package has to tell. */
interface ScalarSpans {
  readonly key: Span | undefined;
  readonly value: Span | undefined;
}

type SpansAt = Map<Pointer, ScalarSpans>;

/**
 * The places of keys and single values, by document and pointer. What comes through an alias or a merge key is left out, and so
 * is all of a file that the yaml package has to read: that package takes several times as long to tell.
 */
export function scalarSpans(file: SourceFile): readonly ReadonlyMap<Pointer, ScalarSpans>[] {
  if (readValues(file) === undefined) return [];
  const events = parseEvents(file.text, { maxDepth: maxDepth + 1 }).values();
  const next = () => events.next().value as Event;
  const visit = (spans: SpansAt, event: Event, pointer: Pointer, key?: Span): void => {
    spans.set(pointer, { key, value: event.type === SCALAR ? valueSpan(event) : undefined });
    if (event.type !== SEQUENCE && event.type !== MAPPING) return;
    let index = 0;
    for (let inside = next(); inside.type !== POP; inside = next()) {
      if (event.type === MAPPING) {
        const name = getScalarValue(file.text, inside as ScalarEvent);
        const isMerge = name === '<<' && (inside as ScalarEvent).style === PLAIN;
        visit(isMerge ? new Map() : spans, next(), pointer + pointerTo(name), spanOf(inside as ScalarEvent));
      } else visit(spans, inside, pointer + pointerTo(index++));
    }
  };
  const documents: SpansAt[] = [];
  while (next() !== undefined) {
    const spans: SpansAt = new Map();
    visit(spans, next(), '');
    documents.push(spans);
    // The end of the document.
    next();
  }
  return documents;
}

function valueSpan(event: ScalarEvent): Span | undefined {
  const isBare = event.anchorStart === -1 && event.tagStart === -1 && event.valueStart !== -1;
  return isBare && !isBlock(event) ? spanOf(event) : undefined;
}
