// What a report says, before it is known where it is shown. Texts may come from files or from Omni: each printer makes them
// harmless, so that nobody who writes a report can forget to. What is false, undefined or empty is left out.

import type { Snippet } from '../declare/load/shown-sources.ts';
import { maxEqual, maxListed, moreWords } from '../model/values/words.ts';
import type { Diagnostic } from '../model/workspace/diagnostic.ts';
import type { Role } from './text/theme.ts';

/** Words on a line. In a text, backticks enclose a name or a command. */
export type Words = string | number | false | undefined | Span | readonly Words[];

export type Span =
  /** An address, an id, a place in a file. */
  | { readonly code: string }
  /**
   * A name or a value inside of a sentence: in a terminal in quotes where it would be taken for words, or where `comparedWith`
   * would, the value that it is compared with.
   */
  | { readonly value: string; readonly comparedWith?: string }
  /** A text of several lines. */
  | { readonly message: string }
  | { readonly role: Role; readonly of: Words }
  | { readonly link: string; readonly of: Words };

export type Block =
  | Words
  /** Of the whole report. */
  | { readonly heading: Words }
  /** Apart from what is around it, with or without a title. */
  | { readonly title?: Words; readonly part: Doc }
  /** An item of a list: further lines hang under the first word behind the mark, which only a terminal shows. */
  | { readonly mark: Words; readonly of: Words; readonly below?: Doc }
  | { readonly indent: number; readonly of: Doc }
  /** Further lines are indented. */
  | { readonly hang: number; readonly of: Words }
  /** Folded away where that can be; a terminal shows the first few without the title, and with -v all. */
  | { readonly fold: Words; readonly of: Doc }
  /** Outside of a terminal in a frame. */
  | { readonly frame: 'grave' | 'caution'; readonly of: Doc }
  | { readonly notice: 'error' | 'warning' | 'note'; readonly of: Words }
  | List
  | Finding
  | { readonly head: readonly Column[]; readonly rows: readonly (readonly Words[])[] }
  | Entries
  /** Below them, how many others are not shown. */
  | { readonly fields: readonly Field[]; readonly hidden?: string | undefined }
  /** To be pasted as they are. */
  | { readonly commands: readonly string[] }
  /** JSON, or what else is laid out already. */
  | { readonly verbatim: readonly string[] };

export type Doc = readonly Block[];

export interface Column {
  readonly title: string;
  /** Columns of a terminal that it keeps; undefined: it is never cut. */
  readonly least?: number;
  readonly toTheRight?: true;
  readonly role?: Role;
  /** The title stands in front of the cell where there is no table. */
  readonly isNamed?: true;
}

/** What was found: in a terminal with the lines of its source, elsewhere an item of a list. */
export interface Finding {
  readonly finding: Diagnostic;
  /** Lines around its place; undefined where there are none to show. */
  readonly excerpt?: Snippet | undefined;
  /** How many more there are of its code, instead of the finding, and the command that lists them. */
  readonly more?: { readonly count: number; readonly command: string };
}

/** The first of its items, and how many more there are. With -v a terminal shows all. */
export interface List {
  readonly list: readonly Words[];
  readonly most: number;
  /** Undefined: as many as elsewhere. */
  readonly mostInTerminal?: number;
  /** A comment and a page name the others too, unless the report lists them elsewhere. */
  readonly names?: readonly Words[];
}

/**
 * What many things have in common: what it is about, what is to say of it, and its details. A comment has a row for each, or
 * without a head an item, and folds the details; a page unfolds those of few. A terminal shows one line for each, of few the
 * details below it, and with -v all details.
 */
export interface Entries {
  readonly head?: readonly Column[];
  readonly entries: readonly ReportEntry[];
  /** With one badge, in a terminal. */
  readonly most?: number;
}

export interface ReportEntry {
  readonly badge?: { readonly role: Role; readonly of: string };
  readonly isGrave?: boolean;
  /** What it is about, and the other cells of its row. */
  readonly cells: readonly Words[];
  /** What stands behind the first cell where there is no table, */
  readonly line?: Words;
  /** and behind that. */
  readonly where?: Words;
  readonly details?: Details | undefined;
}

interface Details {
  /** Where they are folded. */
  readonly title: Words;
  /** In a terminal above them, instead of the line. Undefined where the line says enough, so that only -v shows them. */
  readonly about?: Words;
  readonly of: Doc;
}

export type Sign = '+' | '-' | '~' | ' ';

/** A field of a declaration, with what becomes of it. */
export interface Field {
  readonly sign: Sign;
  readonly label: string;
  /** One value, or the old and the new one: on the line of the label if there is room. */
  readonly values: readonly [] | readonly [string] | readonly [string, string];
  /** Below the label, instead of values that have no room there. */
  readonly rows?: readonly FieldRow[];
  /** The rows are elements of a list, of which a terminal shows the first few. */
  readonly isList?: true;
  readonly comments?: readonly string[];
  /** A value that comes or goes has the colour of the sign; where everything does, only the sign has it. */
  readonly showsDifference?: boolean;
  readonly isDim?: boolean;
}

/** `#`: a remark about what is left out. Undefined: a text that is shown as it is. */
export interface FieldRow {
  readonly sign: '+' | '-' | ' ' | '#' | undefined;
  readonly text: string;
}

/** Up to this many entries have their details below them; of more, a page unfolds only the grave ones. */
export const maxOpen = 10;

export const code = (text: string): Span => ({ code: text });
export const strong = (of: Words): Span => ({ role: 'strong', of });
export const dim = (of: Words): Span => ({ role: 'dim', of });
export const item = (of: Words, below?: Doc): Block => ({ mark: '- ', of, below });
export const indented = (indent: number, ...of: Doc): Block => ({ indent, of });

/** Without a title. */
export function part(...of: Doc): Block {
  return { part: of };
}

export function section(title: Words, of: Doc): Block {
  return { title, part: of };
}

export function hint(words: string | undefined, indent = 2): Block {
  return words !== undefined && indented(indent, [{ role: 'note', of: 'hint:' }, ' ', { message: words }]);
}

/** What the service wrote; nothing for an empty text. */
export function messageBlock(text = ''): Block {
  return text !== '' && indented(2, { message: text.trim() });
}

/** How many of a list are shown: the others are never one alone. */
export function shownOf(count: number, most: number, showsAll = false): number {
  return showsAll || count === most + 1 ? count : Math.min(count, most);
}

/** The first of many, and a line that counts the others; with -v all of them. */
export function firstFew<T>(
  items: readonly T[],
  blockOf: (item: T) => Block,
  { showsAll, most = maxListed }: { readonly showsAll?: boolean; readonly most?: number },
  countBlock: (more: string) => Block = (more) => more,
): Doc {
  const shown = items.slice(0, shownOf(items.length, most, showsAll)).map(blockOf);
  const rest = items.length - shown.length;
  return [...shown, rest > 0 && countBlock(moreWords(rest))];
}

/** The same on one line: `a, b, c and 87 more (-v lists all)`. */
export function fewOf(
  names: readonly Words[],
  { showsAll, most = maxListed }: { readonly showsAll?: boolean; readonly most?: number },
): Words {
  const shown = names.slice(0, shownOf(names.length, most, showsAll));
  const rest = names.length - shown.length;
  return [joined(shown), rest > 0 && ` ${moreWords(rest)}`];
}

/** Those that are not empty, with a comma or something else between them. */
export function joined(parts: readonly Words[], between = ', '): readonly Words[] {
  return parts.filter((each) => !isEmpty(each)).flatMap((each, index) => (index === 0 ? [each] : [between, each]));
}

/** What one entry for many is about: `a, b, c and 87 more`. */
export function someOf(names: readonly Words[], most = maxEqual): Words {
  const rest = names.length - most;
  return [joined(names.slice(0, most)), rest > 0 && ` and ${rest} more`];
}

export function isWords(block: Block): block is Words {
  if (typeof block !== 'object' || Array.isArray(block)) return true;
  return ['code', 'value', 'message', 'role', 'link'].some((name) => name in block);
}

export function isEmpty(block: Block): boolean {
  if (typeof block !== 'object') return block === false || block === undefined || block === '';
  if ('role' in block) return isEmpty(block.of);
  if (Array.isArray(block)) return block.every(isEmpty);
  if ('part' in block) return block.part.every(isEmpty);
  if ('indent' in block) return block.of.every(isEmpty);
  if ('entries' in block) return block.entries.length === 0;
  if ('list' in block) return block.list.length === 0;
  return 'fields' in block && block.fields.length === 0 && block.hidden === undefined;
}
