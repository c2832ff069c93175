// A report for a terminal: harmless, wrapped, and coloured by role.

import { moreWords } from '../model/values/words.ts';
import { type Block, type Doc, isEmpty, isWords, type Words } from './doc.ts';
import { type Fields, fieldLines, signRoles } from './field-lines.ts';
import { tableLines } from './table/table-lines.ts';
import { displayWidth, safeText, wrap } from './text/terminal-text.ts';
import { type Page, plainTheme, type Theme } from './text/theme.ts';
import { quoteText, visibleText } from './text/visible-values.ts';

interface Run {
  readonly text: string;
  readonly style: (text: string) => string;
}

/** Ends with a newline; empty for nothing. */
export function printText(doc: Doc, page: Page): string {
  const lines = linesOf(doc, page);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** A blank line stands around a part. */
export function linesOf(doc: Doc, page: Page): readonly string[] {
  const blocks = doc.filter((block) => !isEmpty(block));
  return blocks.flatMap((block, index) => {
    const isApart = index > 0 && (isPart(block) || isPart(blocks[index - 1]));
    return [...(isApart ? [''] : []), ...blockLines(block, page)];
  });
}

function isPart(block: Block): boolean {
  return typeof block === 'object' && 'part' in block;
}

function blockLines(block: Block, page: Page): readonly string[] {
  if (isWords(block)) return wrapped(block, page);
  if ('heading' in block) return wrapped({ role: 'strong', of: block.heading }, page);
  if ('part' in block) return linesOf([block.title, ...block.part], page);
  if ('fold' in block) return linesOf([block.fold, { indent: 2, of: block.of }], page);
  if ('frame' in block) return linesOf(block.of, page);
  if ('notice' in block) return wrapped({ role: block.notice, of: block.of }, page);
  if ('more' in block) return wrapped(`- ${moreWords(block.more)}`, page);
  if ('indent' in block) return inset(linesOf(block.of, narrowed(page, block.indent)), block.indent);
  if ('hang' in block) {
    const [first = '', ...rest] = wrapped(block.of, narrowed(page, block.hang));
    return [first, ...inset(rest, block.hang)];
  }
  if ('mark' in block) return itemLines(block, page);
  if ('fields' in block) return textOfFields(block, page);
  if ('commands' in block) return block.commands.map((command) => `  ${safeText(command)}`);
  if ('verbatim' in block) return block.verbatim.map((line) => safeText(line));
  const rows = 'rows' in block ? block.rows : block.entries.map(({ badge, cells }) => [badge, ...cells]);
  const columns = block.head.map((column, index) => ({
    ...column,
    cell: (row: readonly Words[]) => plainText(row[index]),
  }));
  return tableLines(page, columns, rows);
}

function itemLines(block: Extract<Block, { readonly mark: Words }>, page: Page): readonly string[] {
  const { mark, of, below = [], isRepeated } = block;
  const width = displayWidth(plainText(mark));
  const inner = narrowed(page, width);
  const [first = '', ...rest] = wrapped(of, inner);
  const marked = styledText(mark, page);
  const next = isRepeated ? marked : ' '.repeat(width);
  return [marked + first, ...rest.map((line) => next + line), ...inset(linesOf(below, inner), width)];
}

function textOfFields(fields: Fields, page: Page): readonly string[] {
  return fieldLines(fields, page.width).map(({ column, sign, of }) => {
    const role = sign === undefined ? undefined : signRoles[sign];
    const mark = sign === undefined ? '' : `${role === undefined ? sign : page.theme[role](sign)} `;
    return (' '.repeat(column) + mark + styledText(of, page)).trimEnd();
  });
}

/** Broken as they are seen; then each stretch of a line gets its colours. */
function wrapped(words: Words, page: Page): readonly string[] {
  const runs = runsOf(words, page.theme);
  const text = textOf(runs);
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

function allStyled(runs: readonly Run[]): string {
  return runs.map(({ text, style }) => (text === '' ? '' : style(text))).join('');
}

function styled(runs: readonly Run[], start: number, end: number): string {
  let at = 0;
  return runs
    .map(({ text, style }) => {
      const shown = text.slice(Math.max(0, start - at), Math.max(0, end - at));
      at += text.length;
      return shown === '' ? '' : style(shown);
    })
    .join('');
}

function runsOf(words: Words, theme: Theme, style: Run['style'] = (text) => text): readonly Run[] {
  if (words === false || words === undefined) return [];
  if (typeof words !== 'object') return [{ text: safeText(String(words)), style }];
  if ('code' in words) return [{ text: safeText(words.code), style }];
  if ('value' in words) return [{ text: plainValue(words), style }];
  if ('message' in words) return [{ text: safeText(words.message, { keepNewlines: true }), style }];
  if ('role' in words) return runsOf(words.of, theme, (text) => style(theme[words.role](text)));
  if ('link' in words) return runsOf(words.of, theme, style);
  return words.flatMap((each) => runsOf(each, theme, style));
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** As it is seen. */
export function plainText(words: Words): string {
  return textOf(runsOf(words, plainTheme));
}

/** In quotes where it would not be clear what is a name or a value. */
function plainValue({ value, beside = '' }: { readonly value: string; readonly beside?: string }): string {
  const isQuoted = (text: string) => /^".*"$/.test(text);
  const needsQuotes = /[\s,;]/.test(value + beside) || isQuoted(beside);
  return needsQuotes && !isQuoted(value) ? quoteText(value) : visibleText(value);
}

function narrowed(page: Page, columns: number): Page {
  return { ...page, width: page.width - columns };
}

function inset(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line));
}
