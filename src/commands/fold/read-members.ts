// The declarations that may become items of a loop, and the text around them.

import type { CST } from 'yaml';
import type { Loaded } from '../../declare/load/load.ts';
import type { ParseAtOnce } from '../../declare/load/load-again.ts';
import { destinationOf } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import { type Address, type Kind, kinds, type Section, sections } from '../../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../../model/workspace/resource.ts';
import {
  anchorOf,
  type Entry,
  entriesOf,
  isCollection,
  isMap,
  isPart,
  keyOf,
  linesAbove,
  readDocuments,
  sourcesIn,
} from '../../yaml/edit/entries.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';

export interface Sources {
  readonly loaded: Loaded;
  /** The text of every source file that may change, by path: without almanac.yaml and tables. */
  readonly files: ReadonlyMap<string, string>;
  /** Each text is parsed once. */
  readonly parse: ParseAtOnce;
}

/** A declaration that may become an item of a loop, with its fields as they are written. */
export interface Member {
  readonly address: Address;
  readonly kind: Kind;
  readonly section: Section;
  readonly key: string;
  readonly file: string;
  readonly entry: WrittenDeclaration;
  readonly destination: Destination | undefined;
  readonly fields: JsonObject;
}

/** In the order of files and of the text in them. */
export function readMembers({ loaded, files, parse }: Sources): readonly Member[] {
  const fixed = fixedAddresses(loaded.desired);
  const plain = new Map(
    loaded.desired.resources.filter(canMove).map((resource) => [placeKey(resource.origin), resource]),
  );
  return loaded.files.flatMap((file) => {
    const text = files.get(file);
    return text === undefined ? [] : membersIn(parse({ path: file, text }).value, { path: file, text }, plain, fixed);
  });

  function canMove({ item, attributes, address }: Resource): boolean {
    return item === undefined && attributes['testNow'] !== true && !fixed.has(address);
  }
}

/** A whole sentence that says why a resource cannot become an item. */
export function whyNoMember({ item, attributes, address, origin }: Resource, { loaded, files }: Sources): string {
  if (item !== undefined) return `It is an item of \`${item.loop.address}\` already.`;
  if (attributes['testNow'] === true) return 'It has `testNow`, which a loop cannot have.';
  if (fixedAddresses(loaded.desired).has(address)) return 'An entry in `moved` or `removed` is from its address.';
  const text = files.get(origin.file);
  if (text === undefined) return `${origin.file} cannot be written.`;
  const isWritten = writtenDeclarations(text).some(
    ({ document, pointer }) => document === origin.document && pointer === origin.pointer,
  );
  return isWritten
    ? 'It has anchors, aliases, merge keys or tags, which an item cannot have.'
    : 'Its section is written in braces, or has an anchor.';
}

function membersIn(
  documents: readonly RawDocument[],
  { path: file, text }: SourceFile,
  plain: ReadonlyMap<string, Resource>,
  fixed: ReadonlySet<Address>,
): readonly Member[] {
  const values = new Map(documents.map(({ origin, value }) => [origin.document, value]));
  return writtenDeclarations(text).flatMap((entry): readonly Member[] => {
    const { document, pointer, isShared } = entry;
    const resource = plain.get(placeKey({ file, document, pointer }));
    const fields = valueAt(values.get(document), pointer);
    if (resource === undefined || isShared || !isJsonObject(fields) || fixed.has(resource.address)) return [];
    const { kind, address } = resource;
    const section = kinds[kind].section;
    const key = pointerSegments(pointer)[1] ?? '';
    return [{ address, kind, section, key, file, entry, fields, destination: destinationOf(resource) }];
  });
}

/** Addresses that are declared and also move away: a chain, which a new address would break. */
function fixedAddresses({ moves, removals }: Desired): ReadonlySet<Address> {
  return new Set([...moves, ...removals].map(({ from }) => from));
}

function placeKey({ file, document, pointer }: { file: string; document: number; pointer: Pointer }): string {
  return `${document} ${file} ${pointer}`;
}

// The comments, anchors and merge keys around a source file's declarations. Anchors and merge keys share text. A fold
// asks here what would be lost if a declaration became an item.

interface WrittenDeclaration {
  readonly document: number;
  readonly pointer: Pointer;
  /** The comments between its key and the line end of its last value, in order. */
  readonly comments: readonly string[];
  readonly itemComments: readonly string[];
  readonly hasCommentAbove: boolean;
  /** True if it has anchors, aliases, merge keys or tags: its text means something only at its place. */
  readonly isShared: boolean;
}

/** The declarations of sections in block style, in the order of the text, which has no errors. */
export function writtenDeclarations(text: string): readonly WrittenDeclaration[] {
  return readDocuments(text).documents.flatMap(([root], document) => declarationsIn(root?.value, document));
}

function declarationsIn(root: CST.Token | undefined, document: number): readonly WrittenDeclaration[] {
  if (!isCollection(root) || !isMap(root)) return [];
  return entriesOf(root).flatMap((section) => {
    const name = keyOf(section) ?? '';
    if (!sections.some((each) => each === name) || section.value?.type !== 'block-map') return [];
    if (anchorOf(section) !== undefined) return [];
    return entriesOf(section.value).flatMap((entry): readonly WrittenDeclaration[] => {
      const key = keyOf(entry);
      if (key === undefined) return [];
      const all = [...sourcesIn(entry)];
      return [
        {
          document,
          pointer: pointerTo(name, key),
          comments: commentsIn(all),
          itemComments: fieldsOf(entry).flatMap((each) =>
            keyOf(each) === 'forEach' ? commentsIn(sourcesIn(each)) : [],
          ),
          hasCommentAbove: hasCommentAbove(entry),
          isShared: [...entry.start.filter(isPart), ...all].some(isShared),
        },
      ];
    });
  });
}

function fieldsOf({ value }: Entry): readonly Entry[] {
  return isCollection(value) && isMap(value) ? entriesOf(value) : [];
}

function commentsIn(sources: Iterable<{ readonly type: string; readonly source: string }>): readonly string[] {
  return [...sources].flatMap(({ type, source }) => (type === 'comment' ? source : []));
}

function isShared({ type, source }: { readonly type: string; readonly source: string }): boolean {
  return type === 'anchor' || type === 'alias' || type === 'tag' || (type === 'scalar' && source === '<<');
}

function hasCommentAbove(entry: Entry): boolean {
  return linesAbove(entry).at(-2)?.type === 'comment';
}
