// A report for a terminal: harmless, wrapped, and coloured by role.

import type { Snippet } from '../declare/load/shown-sources.ts';
import { groupBy, largest } from '../model/values/collections.ts';
import { maxListed, moreWords } from '../model/values/words.ts';
import type { Diagnostic } from '../model/workspace/diagnostic.ts';
import {
  type Block,
  type Doc,
  dim,
  type Entries,
  type Field,
  type Finding,
  firstFew,
  hint as hintBlock,
  isEmpty,
  isWords,
  item,
  joined,
  maxOpen,
  type ReportEntry,
  shownOf,
  type Words,
} from './doc.ts';
import { type Fields, fieldLines, signRoles } from './field-lines.ts';
import { tableLines } from './table/table-lines.ts';
import { displayWidth, gluedText, safeText, truncate, unglued, wrap } from './text/terminal-text.ts';
import { type Page, plainTheme, type Role, type Theme } from './text/theme.ts';
import { quoteText, visibleText } from './text/visible-values.ts';
import { withWording } from './wording.ts';

interface TextRun {
  readonly text: string;
  readonly style: (text: string) => string;
}

/** Ends with a newline; empty for an empty report. */
export function printText(doc: Doc, page: Page): string {
  const lines = linesOf(doc, page);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

export function linesOf(doc: Doc, page: Page): readonly string[] {
  return laidOut(withWording(doc, page.wording), page);
}

/** A blank line is around a part, and around a finding. */
function laidOut(doc: Doc, page: Page): readonly string[] {
  const blocks = doc.filter((block) => !isEmpty(block));
  return blocks.flatMap((block, index) => {
    const isApart = index > 0 && (isAlone(block) || isAlone(blocks[index - 1]));
    return [...(isApart ? [''] : []), ...blockLines(block, page)];
  });
}

function isAlone(block: Block): boolean {
  return typeof block === 'object' && ('part' in block || 'finding' in block);
}

function blockLines(block: Block, page: Page): readonly string[] {
  if (isWords(block)) return wrapped(block, page);
  if ('heading' in block) return wrapped({ role: 'strong', of: block.heading }, page);
  if ('part' in block)
    return laidOut([!isEmpty(block.title) && { role: 'strong', of: block.title }, ...block.part], page);
  if ('fold' in block)
    return laidOut(
      firstFew(
        block.of,
        (each) => each,
        page,
        (more) => ({ mark: '  ', of: dim(more) }),
      ),
      page,
    );
  if ('frame' in block) return laidOut(block.of, page);
  if ('notice' in block) {
    if (block.notice === 'note') return wrapped(dim(['(', block.of, ')']), page);
    const words = { role: block.notice, of: block.of };
    return itemLines({ mark: { ...words, of: '! ' }, of: words }, page);
  }
  if ('list' in block)
    return laidOut(
      firstFew(block.list, (each) => item(each), { ...page, most: block.mostInTerminal ?? block.most }, item),
      page,
    );
  if ('indent' in block) return inset(laidOut(block.of, narrowed(page, block.indent)), block.indent);
  if ('hang' in block) {
    const [first = '', ...rest] = wrapped(block.of, narrowed(page, block.hang));
    return [first, ...inset(rest, block.hang)];
  }
  if ('mark' in block) return itemLines(block, page);
  if ('fields' in block) return textOfFields(block, page);
  if ('commands' in block) return block.commands.map((command) => `  ${safeText(command)}`);
  if ('verbatim' in block) return block.verbatim.map((line) => safeText(line));
  if ('entries' in block) return entryLines(block, page);
  if ('finding' in block) return findingLines(block, page);
  const columns = block.head.map((column, index) => ({
    ...column,
    cell: (row: readonly Words[]) => plainText(row[index]),
  }));
  return tableLines(page, columns, block.rows);
}

/** The first line is never wrapped: editors and scripts read `file:line:col: error[code]: summary`. */
function findingLines({ finding, excerpt, more }: Finding, page: Page): readonly string[] {
  const { severity, code, summary, message, hint, related = [] } = finding;
  const name: Words = [{ role: severity, of: `${severity}[${code}]` }, ': '];
  if (more !== undefined) return [styledText([name, `${more.count} more: ${more.command}`], page)];
  const place = placeText(finding);
  const below = [{ message }, ...related.map((each) => `${placeText(each)}: ${each.message}`)];
  return [
    styledText([place !== '' && [{ role: 'strong', of: `${place}:` }, ' '], name, summary], page),
    ...(excerpt === undefined ? [] : excerptLines(excerpt, finding, page)),
    ...laidOut([{ indent: 2, of: below }, hintBlock(hint)], page),
  ];
}

function placeText({ file, line, column, address }: Partial<Diagnostic>): string {
  if (file === undefined) return address ?? '';
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

const widestSubject = 32;
/** The room after the subject; where there is less, it is not aligned. */
const minRoom = 24;
const detailColumn = 6;

/** Badges are aligned, and without details also the words after the subjects. */
function entryLines({ entries: all, most }: Entries, page: Page): readonly string[] {
  const entries = most === undefined || page.showsAll ? all : firstOfEach(all, most);
  const canOpen = ({ details }: ReportEntry) => details?.about !== undefined;
  const areFew = entries.filter(canOpen).length <= maxOpen;
  const isOpen = (entry: ReportEntry) => (page.showsAll ? entry.details !== undefined : areFew && canOpen(entry));
  const closed = entries.filter((entry) => !isOpen(entry));
  const badges = largest(entries.map(({ badge }) => displayWidth(badge?.of ?? '')));
  // Between details nothing stands in columns.
  const subjects = largest(
    (closed.length < entries.length ? [] : closed)
      .map(({ cells: [subject] }) => widthOf(subject))
      .filter((width) => width <= widestSubject),
  );
  const lines = entries.flatMap((entry) => {
    const mark = badgeWords(entry, badges);
    return isOpen(entry) ? openLines(entry, mark, page) : closedLines(entry, { mark, subjects }, page);
  });
  const hidesDetails = closed.some(({ details }) => details !== undefined);
  return hidesDetails ? [...lines, ...wrapped(dim('  (-v shows the details)'), page)] : lines;
}

/** In capitals where a comment has bold letters: colours may be off. */
function badgeWords({ badge, isGrave }: ReportEntry, width: number): Words {
  if (badge === undefined) return '  ';
  const isLoud = isGrave || badge.role === 'error' || badge.role === 'warning';
  return ['  ', { role: badge.role, of: (isLoud ? badge.of.toUpperCase() : badge.of).padEnd(width) }, '  '];
}

function openLines(
  { cells: [subject], line, where, details }: ReportEntry,
  mark: Words,
  page: Page,
): readonly string[] {
  const head = joined([{ role: 'strong', of: subject }, details?.about ?? line], ': ');
  return [...hanging(mark, [head, behind(where)], page), ...detailLines(details?.of ?? [], page)];
}

function closedLines(
  { cells: [subject], line, where, details }: ReportEntry,
  { mark, subjects }: { readonly mark: Words; readonly subjects: number },
  page: Page,
): readonly string[] {
  const blank = subjects - widthOf(subject);
  const isAligned = !isEmpty(line) && blank >= 0 && widthOf(mark) + subjects + minRoom <= page.width;
  const said: Words = isAligned ? [subject, ' '.repeat(blank + 2), line] : joined([subject, line], ': ');
  return [...hanging(mark, [said, behind(where)], page), ...detailLines((details?.of ?? []).filter(isWarning), page)];
}

function behind(where: Words): Words {
  return !isEmpty(where) && dim([' (', where, ')']);
}

/** Further lines are indented a little after the mark. */
function hanging(mark: Words, of: Words, page: Page): readonly string[] {
  const width = widthOf(mark);
  const whole = wrapped(of, narrowed(page, width));
  const [first = '', ...rest] = whole.length === 1 ? whole : wrapped(of, narrowed(page, width + 2));
  return [styledText(mark, page) + first, ...inset(rest, width + 2)];
}

/** True for words that a line must not leave out. */
function isWarning(block: Block): boolean {
  return typeof block === 'object' && 'notice' in block && block.notice !== 'note';
}

function firstOfEach(entries: readonly ReportEntry[], most: number): readonly ReportEntry[] {
  return [...groupBy(entries, ({ badge }) => badge?.of)].flatMap(([, group]) => {
    const [first] = group;
    const shown = shownOf(group.length, most);
    return shown === group.length
      ? group
      : [
          ...group.slice(0, shown),
          { ...first, cells: [moreWords(group.length - shown)], line: undefined, where: undefined, details: undefined },
        ];
  });
}

function detailLines(of: Doc, page: Page): readonly string[] {
  return of.flatMap((block) => {
    if (isEmpty(block)) return [];
    if (typeof block === 'object' && 'fields' in block) return textOfFields(block, page);
    return inset(blockLines(block, narrowed(page, detailColumn)), detailColumn);
  });
}

function itemLines(block: Extract<Block, { readonly mark: Words }>, page: Page): readonly string[] {
  const { mark, of, below = [] } = block;
  const width = widthOf(mark);
  const inner = narrowed(page, width);
  const [first = '', ...rest] = wrapped(of, inner);
  const marked = styledText(mark, page);
  const next = ' '.repeat(width);
  return [marked + first, ...rest.map((line) => next + line), ...inset(laidOut(below, inner), width)];
}

function textOfFields({ fields, hidden }: Fields, page: Page): readonly string[] {
  const shown = page.showsAll ? fields : fields.map(shortList);
  return fieldLines({ fields: shown, hidden }, page.width).map(({ column, sign, of }) => {
    const role = sign === undefined ? undefined : signRoles[sign];
    const mark = sign === undefined ? '' : `${role === undefined ? sign : page.theme[role](sign)} `;
    return (' '.repeat(column) + mark + styledText(of, page)).trimEnd();
  });
}

/** The first few added, removed and kept elements of a list, and as many remarks. A text is whole. */
function shortList(field: Field): Field {
  const { rows = [], comments = [], isList } = field;
  if (!isList) return field;
  const few = <T>(all: readonly T[]) => all.slice(0, shownOf(all.length, maxListed));
  const keptRows = new Set([...groupBy(rows, ({ sign }) => sign).values()].flatMap(few));
  const rest = rows.length - keptRows.size;
  const remarks = few(comments);
  return {
    ...field,
    rows: rest === 0 ? rows : [...rows.filter((row) => keptRows.has(row)), { sign: '#', text: moreWords(rest) }],
    comments: remarks.length === comments.length ? comments : [...remarks, moreWords(comments.length - remarks.length)],
  };
}

/** Broken as they are seen; then each stretch of a line gets its colours. */
function wrapped(words: Words, page: Page): readonly string[] {
  const runs = runsOf(words, page.theme);
  const text = joinedRuns(runs);
  let end = 0;
  const lines = wrap(text, page.width);
  if (lines.length === 1) return [allStyled(runs)];
  return lines.map((line) => {
    const start = text.indexOf(line, end);
    end = start + line.length;
    return styled(runs, start, end);
  });
}

function styledText(words: Words, { theme }: Page): string {
  return allStyled(runsOf(words, theme));
}

function allStyled(runs: readonly TextRun[]): string {
  return runs.map(({ text, style }) => (text === '' ? '' : style(unglued(text)))).join('');
}

function styled(runs: readonly TextRun[], start: number, end: number): string {
  let at = 0;
  return runs
    .map(({ text, style }) => {
      const shown = text.slice(Math.max(0, start - at), Math.max(0, end - at));
      at += text.length;
      return shown === '' ? '' : style(unglued(shown));
    })
    .join('');
}

function runsOf(words: Words, theme: Theme, style: TextRun['style'] = (text) => text): readonly TextRun[] {
  if (words === false || words === undefined) return [];
  if (typeof words !== 'object') return [{ text: gluedText(String(words)), style }];
  if ('code' in words) return [{ text: gluedText(words.code), style }];
  if ('value' in words) return [{ text: plainValue(words), style }];
  if ('message' in words) return [{ text: gluedText(words.message, { keepNewlines: true }), style }];
  if ('role' in words) return runsOf(words.of, theme, (text) => style(theme[words.role](text)));
  if ('link' in words) return runsOf(words.of, theme, style);
  return words.flatMap((each) => runsOf(each, theme, style));
}

function joinedRuns(runs: readonly TextRun[]): string {
  return runs.map(({ text }) => text).join('');
}

/** The words as they are seen. */
export function plainText(words: Words): string {
  return unglued(joinedRuns(runsOf(words, plainTheme)));
}

function widthOf(words: Words): number {
  return displayWidth(plainText(words));
}

/** In quotes if it would not be clear where a name or a value ends. */
function plainValue({ value, comparedWith = '' }: { readonly value: string; readonly comparedWith?: string }): string {
  const isQuoted = (text: string) => /^".*"$/.test(text);
  const needsQuotes = /[\s,;]/.test(value + comparedWith) || isQuoted(comparedWith);
  return needsQuotes && !isQuoted(value) ? quoteText(value) : visibleText(value);
}

function narrowed(page: Page, columns: number): Page {
  return { ...page, width: page.width - columns };
}

function inset(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line));
}

// Source lines with carets under the span of a diagnostic. Columns count UTF-16 units; printed text is measured in the
// terminal's columns, and a long line is cut around the caret.

const tab = '    ';
/** A log shows long lines whole, but a caret far to the right helps nobody. */
const maxLength = 160;

/** The line before, the line itself with its carets, the line after, if the excerpt has them. */
function excerptLines(
  excerpt: Snippet,
  diagnostic: Diagnostic,
  { theme, width, room: columns = width }: Page,
): readonly string[] {
  const line = diagnostic.line ?? excerpt.firstLine;
  const numbers = [line - 1, line, line + 1].filter(
    (number) => excerpt.lines[number - excerpt.firstLine] !== undefined,
  );
  if (!numbers.includes(line)) return [];
  const gutter = String(numbers.at(-1)).length;
  const room = Math.max(8, Math.min(columns, maxLength) - gutter - 5);
  const margin = (text: string) => theme.dim(`  ${text.padStart(gutter)} |`);
  return numbers.flatMap((number) => {
    const text = excerpt.lines[number - excerpt.firstLine] ?? '';
    if (number !== line) {
      const shown = truncate(shownText(text.slice(0, 4 * room)), room);
      return shown.trim() === '' ? [] : [`${margin(String(number))} ${theme.dim(shown)}`];
    }
    const { shown, indent, carets } = pointAt(text, spanOf(diagnostic, text), room);
    const pointer = `${' '.repeat(indent)}${theme[diagnostic.severity satisfies Role]('^'.repeat(carets))}`;
    return [`${margin(String(number))} ${shown}`.trimEnd(), `${margin('')} ${pointer}`];
  });
}

/** The span inside its first line, in UTF-16 units, ending no later than the line; it may be empty. */
function spanOf({ line, column = 1, endLine, endColumn }: Diagnostic, text: string): readonly [number, number] {
  const start = Math.min(column - 1, text.length);
  const ends = endColumn === undefined ? start : endLine === line ? endColumn - 1 : text.trimEnd().length;
  return [start, Math.max(start, Math.min(ends, text.length))];
}

function pointAt(text: string, [start, end]: readonly [number, number], room: number) {
  // A few times the room is more than can be shown, however long the line is.
  const reach = 4 * room;
  const before = shownText(text.slice(Math.max(0, start - reach), start));
  const span = shownText(text.slice(start, Math.min(end, start + reach)));
  const after = shownText(text.slice(end, end + reach));
  const marked = displayWidth(before) + Math.max(1, displayWidth(span));
  // If the span would not fit after it, the text before it gets a third of the room.
  const isNear = marked < room || (marked === room && after === '');
  const head = keepEnd(before, isNear ? room : Math.floor(room / 3));
  const indent = displayWidth(head);
  const carets = Math.max(1, Math.min(displayWidth(span), room - indent));
  return { shown: head + truncate(span + after, room - indent), indent, carets };
}

/** The end of a text that fits, with `…` where text is missing before it. */
function keepEnd(text: string, width: number): string {
  const backwards = (each: string) => [...each].reverse().join('');
  return backwards(truncate(backwards(text), width));
}

function shownText(text: string): string {
  return text.split('\t').map(visibleText).join(tab);
}
