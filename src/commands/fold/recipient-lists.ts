// The lists of e-mail addresses in a workspace, as they are written: in the declarations, and in the items of their loops.
// Lists in defaults are shared already.

import type { Loaded } from '../../declare/load/load.ts';
import { destinationOf } from '../../model/fields/delivery.ts';
import {
  type Address,
  addressOf,
  groupOf,
  type Kind,
  kinds,
  kindsInOrder,
  type Section,
} from '../../model/values/address.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo, valueAt, withValueAt } from '../../model/values/pointer.ts';
import { entriesOf, type RawDocument } from '../../yaml/raw-document.ts';
import { namesIn, referencesIn } from '../../yaml/written/references-in.ts';
import { commandTraits } from '../base/kinds.ts';
import type { FoldInput } from './fold-stage.ts';
import { type Layout, layoutOf } from './layout.ts';

export interface RecipientList {
  readonly file: string;
  readonly document: number;
  readonly pointer: Pointer;
  /** The same for the same addresses in any order. */
  readonly set: string;
  readonly emails: readonly string[];
  /** The declaration, or the instance of a loop, that it is written for. */
  readonly address: Address;
  /** How it stands in its file: `shared` by an anchor or a merge key, `commented` in the list itself. */
  readonly layout: 'plain' | 'commented' | 'shared';
}

/** In the order of the files' paths, and of the text. */
export function recipientLists({ files, everywhere }: FoldInput, pageOf: PageOf): readonly RecipientList[] {
  const mailed = mailedDeclarations(everywhere);
  const inOrder = [...files.keys()].sort(byCodeUnit);
  return inOrder.flatMap((path) => listsIn(pageOf(path)).filter(({ address }) => mailed.has(groupOf(address))));
}

/** The declarations that are delivered by e-mail in every environment: for others an audience means something else. */
function mailedDeclarations(everywhere: readonly Loaded[]): ReadonlySet<Address> {
  const mailed = new Map<Address, boolean>();
  for (const resource of everywhere.flatMap(({ desired }) => desired.resources)) {
    const declaration = groupOf(resource.address);
    mailed.set(declaration, mailed.get(declaration) !== false && destinationOf(resource) === 'email');
  }
  return new Set([...mailed].flatMap(([address, isMailed]) => (isMailed ? [address] : [])));
}

function listsIn({ path, documents, layout }: SourcePage): readonly RecipientList[] {
  const found = documents.flatMap(({ value, origin: { document } }) =>
    kindsInOrder.flatMap((kind) => declaredIn(value, kind).map((declared) => ({ ...declared, document }))),
  );
  return found.flatMap(({ document, kind, key, ...declared }) => {
    return writtenLists(declared).flatMap(({ pointer, item, list }): readonly RecipientList[] => {
      const emails = emailsOf(list);
      if (emails === undefined) return [];
      const address = addressOf(kind, key, item);
      const isPlain = layout.canBeReplaced(document, pointer);
      const how = isPlain ? 'plain' : layout.isOwn(document, pointer) ? 'commented' : 'shared';
      return [{ file: path, document, pointer, set: setOf(emails), emails, address, layout: how }];
    });
  });
}

interface DeclaredMail {
  readonly kind: Kind;
  readonly key: string;
  /** Of the declaration in its document. */
  readonly at: Pointer;
  /** Where the declaration lists addresses. */
  readonly emails: Pointer;
  readonly fields: JsonObject;
}

function declaredIn(document: Json, kind: Kind): readonly DeclaredMail[] {
  const { email: emails } = commandTraits[kind].receivers;
  if (emails === undefined || !isJsonObject(document)) return [];
  const { section } = kinds[kind];
  return entriesOf(document[section]).flatMap(([key, fields]) =>
    isJsonObject(fields) ? [{ kind, key, at: pointerTo(section, key), emails, fields }] : [],
  );
}

interface WrittenList {
  readonly pointer: Pointer;
  /** The key of the item that holds it. */
  readonly item: string | undefined;
  readonly list: Json | undefined;
}

function writtenLists({ at, emails, fields }: Pick<DeclaredMail, 'at' | 'emails' | 'fields'>): readonly WrittenList[] {
  const own = { pointer: at + emails, item: undefined, list: valueAt(fields, emails) };
  const { forEach } = fields;
  if (!isJsonObject(forEach)) return [own];
  const names = namesOfLists(fields, emails);
  const inItems = Object.entries(forEach).flatMap(([item, values]): readonly WrittenList[] => {
    const pointer = at + pointerTo('forEach', item);
    if (!isJsonObject(values)) return names.has('value') ? [{ pointer, item, list: values }] : [];
    return [...names].map((name) => ({ pointer: pointer + pointerTo(name), item, list: valueNamed(values, name) }));
  });
  return [own, ...inItems];
}

function valueNamed(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The names of the values that are recipients, and nothing else. */
function namesOfLists({ forEach: _, ...fields }: JsonObject, emails: Pointer): ReadonlySet<string> {
  const recipients = valueAt(fields, emails) ?? null;
  const written = Array.isArray(recipients) ? (recipients as readonly Json[]) : [recipients];
  const names = new Set(
    written.flatMap((text) => {
      const { whole } = typeof text === 'string' ? referencesIn(text) : {};
      return whole?.namespace === 'each' ? [whole.name] : [];
    }),
  );
  for (const name of namesIn(withValueAt(fields, emails, null), 'each')) names.delete(name);
  return names;
}

/** Undefined for what holds references, and for a list with a mistake that an audience would hide. */
export function emailsOf(list: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const emails = (list as readonly Json[]).flatMap((email) =>
    typeof email === 'string' && email.includes('@') && !email.includes('${') ? [email] : [],
  );
  const different = new Set(emails.map((email) => email.toLowerCase()));
  return different.size === list.length ? emails : undefined;
}

/** The same text for the same addresses in any order. */
export function setOf(emails: readonly string[]): string {
  return JSON.stringify([...emails].sort(byCodeUnit));
}

/** A source file as a stage reads it: its values, and how these stand in the text. Each is read once. */
export interface SourcePage {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly RawDocument[];
  readonly layout: Layout;
}

/** By path; a file that may not change is empty. */
export type PageOf = (path: string) => SourcePage;

export function sourcePages({ files, parse }: FoldInput): PageOf {
  return memoize((path) => {
    const text = files.get(path) ?? '';
    return { path, text, documents: parse({ path, text }).value, layout: layoutOf(text) };
  });
}

/** The default that the file has already. As in each file, the last document with one counts. */
export function defaultIn(documents: readonly RawDocument[], section: Section, field: string): Json | undefined {
  return documents.map((document) => defaultsOf(document, section)[field]).findLast((value) => value !== undefined);
}

function defaultsOf({ value }: RawDocument, section: Section): JsonObject {
  const defaults = isJsonObject(value) ? value['defaults'] : undefined;
  const ofSection = isJsonObject(defaults) ? defaults[section] : undefined;
  return isJsonObject(ofSection) ? ofSection : {};
}
