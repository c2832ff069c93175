// The content of a report, before its medium is known. Texts may come from files or from Omni: each printer makes them
// harmless, so that nobody who writes a report can forget to. Parts that are false, undefined or empty are left out.

import type { Snippet } from '../declare/load/shown-sources.ts';
import { maxEqual, maxListed, moreWords } from '../model/values/words.ts';
import type { Diagnostic } from '../model/workspace/diagnostic.ts';
import type { Role } from './text/theme.ts';

/** Words on a line. In a text, backticks enclose a name or a command. */
export type Words = string | number | false | undefined | Span | readonly Words[];

export type Span =
  /** An address, an id, or a place in a file. */
  | { readonly code: string }
  /**
   * A name or a value inside a sentence. A terminal puts it in quotes if it, or the `comparedWith` value, would be
   * taken for words.
   */
  | { readonly value: string; readonly comparedWith?: string }
  | { readonly message: string }
  | { readonly role: Role; readonly of: Words }
  | { readonly link: string; readonly of: Words };

export type Block =
  | Words
  /** The heading of the whole report. */
  | { readonly heading: Words }
  /** A part apart from its surroundings, with or without a title. */
  | { readonly title?: Words; readonly part: Doc }
  /** An item of a list: further lines hang under the first word after the mark, which only a terminal shows. */
  | { readonly mark: Words; readonly of: Words; readonly below?: Doc }
  | { readonly indent: number; readonly of: Doc }
  /** Further lines are indented. */
  | { readonly hang: number; readonly of: Words }
  /** Folded away if the medium can; a terminal shows the first few without the title, and with -v all. */
  | { readonly fold: Words; readonly of: Doc }
  /** Outside of a terminal in a frame. */
  | { readonly frame: 'grave' | 'caution'; readonly of: Doc }
  | { readonly notice: 'error' | 'warning' | 'note'; readonly of: Words }
  | List
  | Finding
  | { readonly head: readonly Column[]; readonly rows: readonly (readonly Words[])[] }
  | Entries
  /** The number of hidden fields appears below them. */
  | { readonly fields: readonly Field[]; readonly hidden?: string | undefined }
  /** Commands to be pasted unchanged. */
  | { readonly commands: readonly string[] }
  /** JSON, or other text with a layout of its own. */
  | { readonly verbatim: readonly string[] };

export type Doc = readonly Block[];

export interface Column {
  readonly title: string;
  /** The columns that it keeps on a terminal; undefined if it is never cut. */
  readonly least?: number;
  readonly toTheRight?: true;
  readonly role?: Role;
  /** The title precedes the cell where there is no table. */
  readonly isNamed?: true;
}

/** A finding: in a terminal with the lines of its source, elsewhere an item of a list. */
export interface Finding {
  readonly finding: Diagnostic;
  /** Lines around its place; undefined if there are none to show. */
  readonly excerpt?: Snippet | undefined;
  /** The number of other findings of its code, shown instead of the finding, and the command that lists them. */
  readonly more?: { readonly count: number; readonly command: string };
}

/** The first of its items, and the number of the others. With -v a terminal shows all. */
export interface List {
  readonly list: readonly Words[];
  readonly most: number;
  /** Undefined for the same number as elsewhere. */
  readonly mostInTerminal?: number;
  /** Further names for a comment and a page, unless the report lists them elsewhere. */
  readonly names?: readonly Words[];
}

/**
 * Things with a common form: a subject, a summary, and details. A comment has a row for each, or without a head an
 * item, and folds the details; a page unfolds those of few. A terminal shows one line for each, of few the details
 * below it, and with -v all details.
 */
export interface Entries {
  readonly head?: readonly Column[];
  readonly entries: readonly ReportEntry[];
  /** The most that a terminal shows for one badge. */
  readonly most?: number;
}

export interface ReportEntry {
  readonly badge?: { readonly role: Role; readonly of: string };
  readonly isGrave?: boolean;
  /** The subject, and the other cells of its row. */
  readonly cells: readonly Words[];
  /** Follows the first cell where there is no table, */
  readonly line?: Words;
  /** and this follows it. */
  readonly where?: Words;
  readonly details?: Details | undefined;
}

interface Details {
  /** The title of folded details. */
  readonly title: Words;
  /** Precedes the details on a terminal instead of the line. Undefined if only -v shows them, as the line is enough. */
  readonly about?: Words;
  readonly of: Doc;
}

export type Sign = '+' | '-' | '~' | ' ';

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
  /** True if an added or removed value has the colour of the sign; where all are, only the sign has it. */
  readonly showsDifference?: boolean;
  readonly isDim?: boolean;
}

/** `#` is a remark about omissions. Undefined for a text that is shown unchanged. */
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

export function part(...of: Doc): Block {
  return { part: of };
}

export function section(title: Words, of: Doc): Block {
  return { title, part: of };
}

export function hint(words: string | undefined, indent = 2): Block {
  return words !== undefined && indented(indent, [{ role: 'note', of: 'hint:' }, ' ', { message: words }]);
}

/** A text from the service; false if it is empty. */
export function messageBlock(text = ''): Block {
  return text !== '' && indented(2, { message: text.trim() });
}

/** The number of a list that is shown: the others are never one alone. */
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

/** The parts that are not empty, with a comma or another separator between them. */
export function joined(parts: readonly Words[], between = ', '): readonly Words[] {
  return parts.filter((each) => !isEmpty(each)).flatMap((each, index) => (index === 0 ? [each] : [between, each]));
}

/** Some names of an entry for many: `a, b, c and 87 more`. */
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
