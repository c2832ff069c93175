// A report as Markdown for GitHub and GitLab, with all other texts escaped. No text from outside becomes markup, a link
// or a mention. A comment has a limit (GitHub's is 65,536 characters): a longer report takes several, or is cut with a
// note.

import { pushAll } from '../model/values/collections.ts';
import { withoutCredentials } from '../model/values/credentials.ts';
import { findingWords } from './diagnostics/findings-doc.ts';
import {
  type Block,
  type Column,
  type Doc,
  type Entries,
  type Finding,
  isEmpty,
  isWords,
  joined,
  type List,
  type ReportEntry,
  shownOf,
  type Words,
} from './doc.ts';
import { type Fields, fieldLines } from './field-lines.ts';
import { escapeHtml, htmlCode } from './print-html.ts';
import { plainText } from './print-text.ts';
import { markdownFence, nextComment } from './text/markdown-parts.ts';
import { truncate } from './text/terminal-text.ts';
import type { Role } from './text/theme.ts';
import { codeSpans, visibleText } from './text/visible-values.ts';
import { type Wording, withWording } from './wording.ts';

export const commentLimit = 60_000;

export interface MarkdownOptions {
  /** The most characters of a comment. */
  readonly limit?: number | undefined;
  readonly wording?: Wording | undefined;
}

/** Ends with a newline. `nextComment` separates several comments. */
export function printMarkdown(doc: Doc, { limit = commentLimit, wording }: MarkdownOptions = {}): string {
  return `${commentParts(sectionsOf(withWording(doc, wording)), limit).join(`\n\n${nextComment}\n\n`)}\n`;
}

/** The parts that may be divided between comments, each with the lines around it. */
function sectionsOf(doc: Doc): readonly Section[] {
  const sections: Section[] = [];
  let list: string[] = [];
  const endList = () => {
    if (list.length > 0) sections.push({ lines: list });
    list = [];
  };
  for (const block of doc) {
    if (isEmpty(block)) continue;
    // Entries of a list are on lines that follow each other; everything else is apart.
    if (isItem(block)) pushAll(list, itemTexts(block));
    else {
      endList();
      pushAll(sections, blockSections(block));
    }
  }
  endList();
  return sections;
}

type MarkdownItem = Extract<Block, { readonly mark: Words } | List | Finding>;

function isItem(block: Block): block is MarkdownItem {
  return typeof block === 'object' && ('mark' in block || 'list' in block || 'finding' in block);
}

function blockSections(block: Exclude<Block, MarkdownItem>): readonly Section[] {
  if (isWords(block)) return whole(inlineOf(block));
  if ('heading' in block) return whole(`## ${inlineOf(block.heading)}`);
  if ('part' in block) return partSections(block.title, sectionsOf(block.part));
  if ('fold' in block) return [foldSection(block.fold, block.of)];
  if ('frame' in block) {
    if (block.frame === 'caution') return sectionsOf(block.of);
    const lines = sectionsOf(block.of).flatMap((section) => section.lines);
    return [{ before: ['> [!CAUTION]'], lines: lines.map((line) => line.replace(/^/gm, '> ')) }];
  }
  if ('notice' in block) return whole(block.notice === 'note' ? inlineOf(block.of) : `**${inlineOf(block.of)}**`);
  if ('indent' in block) return sectionsOf(block.of);
  if ('hang' in block) return whole(inlineOf(block.of));
  if ('fields' in block) return [{ lines: fences(block) }];
  if ('commands' in block) return whole(markdownFence('console', block.commands.map(visibleText)));
  if ('verbatim' in block) return whole(markdownFence('', block.verbatim));
  if ('rows' in block) return [tableOf(block.head, block.rows)];
  return entrySections(block);
}

function whole(text: string): readonly Section[] {
  return [{ lines: [text] }];
}

function partSections(title: Words, [first, ...others]: readonly Section[]): readonly Section[] {
  if (first === undefined || isEmpty(title)) return first === undefined ? [] : [first, ...others];
  return [{ ...first, before: [`### ${inlineOf(title)}`, '', ...(first.before ?? [])] }, ...others];
}

/** Rows of a table, or items of a list; then the folds. */
function entrySections({ head, entries }: Entries): readonly Section[] {
  const folds = entries.flatMap(({ details }) =>
    details === undefined ? [] : [foldSection(details.title, details.of)],
  );
  const shown = head === undefined ? { lines: entries.map(entryText) } : tableOf(head, entries.map(rowOf));
  return [shown, ...folds];
}

function entryText({ cells: [subject], line, where }: ReportEntry): string {
  return `- ${inlineOf([joined([subject, line], ': '), !isEmpty(where) && [' (', where, ')']])}`;
}

function rowOf({ badge, isGrave, cells }: ReportEntry): readonly Words[] {
  if (badge === undefined) return cells;
  return [isGrave ? { role: 'strong', of: badge.of } : badge.of, ...cells];
}

function tableOf(head: readonly Column[], rows: readonly (readonly Words[])[]): Section {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return {
    before: [line(head.map(({ title }) => title)).replace('|  |', '| |'), `|${'---|'.repeat(head.length)}`],
    lines: rows.map((cells) => line(cells.map(inlineOf))),
  };
}

/** The title is HTML, in which Markdown means nothing. Folds inside a fold are not folded a second time. */
function foldSection(title: Words, of: Doc): Section {
  const inside = of.flatMap((block) => (!isWords(block) && 'fold' in block ? block.of : [block]));
  const sections = sectionsOf(inside);
  const lines = sections.flatMap(({ before = [], lines: own, after = [] }, index) => [
    ...(index === 0 ? [] : ['']),
    ...before,
    ...own,
    ...after,
  ]);
  return { before: [`<details><summary>${titleOf(title)}</summary>`, ''], lines, after: ['', '</details>'] };
}

function itemTexts(block: MarkdownItem): readonly string[] {
  if ('mark' in block) return [itemText(block)];
  if ('finding' in block) return [`- ${inlineOf(findingWords(block))}`];
  const { list, most, names = [] } = block;
  const shown = shownOf(list.length, most);
  const rest = list.length - shown;
  const texts = list.slice(0, shown).map((of) => `- ${inlineOf(of)}`);
  return rest === 0 ? texts : [...texts, `- and ${rest} more${namesText(names.slice(shown))}`];
}

function itemText(block: Extract<MarkdownItem, { readonly mark: Words }>): string {
  const below = sectionsOf(block.below ?? []).flatMap(({ lines }) => lines);
  return [`- ${inlineOf(block.of)}`, ...below.map((line) => line.replace(/^/gm, '  '))].join('\n');
}

/** The characters for the names beyond those that are explained. */
const roomForNames = 10_000;

function namesText(names: readonly Words[]): string {
  let roomLeft = roomForNames;
  const texts = names.map(inlineOf).filter((name) => {
    roomLeft -= name.length + 2;
    return roomLeft >= 0;
  });
  const cut = names.length - texts.length;
  const shown = [...texts, ...(cut === 0 ? [] : [`${cut} without their names`])];
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}

/** A comment may end between two of them. */
const maxFenced = 200;
const fenceWidth = 100;

/** Signs at the beginning of a line colour a `diff` block. */
function fences(fields: Fields): readonly string[] {
  const lines = fieldLines(fields, fenceWidth).map(({ column, sign, of }) => {
    const text = plainText(of);
    const margin = ' '.repeat(column);
    if (sign === undefined || sign === ' ') return `${margin}${sign === ' ' ? '  ' : ''}${text}`.trimEnd();
    return `${sign === '~' ? '!' : sign}${margin}${text}`.trimEnd();
  });
  return Array.from({ length: Math.ceil(lines.length / maxFenced) }, (_, index) =>
    markdownFence('diff', lines.slice(index * maxFenced, (index + 1) * maxFenced)),
  );
}

export function inlineOf(words: Words): string {
  if (words === false || words === undefined) return '';
  if (typeof words !== 'object') return markdownProse(String(words));
  if ('code' in words) return markdownCode(words.code);
  if ('value' in words) return markdownCode(words.value);
  if ('message' in words) return markdownProse(words.message.replaceAll('\n', ' '));
  if ('link' in words) return `[${inlineOf(words.of)}](${words.link})`;
  if ('role' in words) return isLoud(words.role) ? `**${inlineOf(words.of)}**` : inlineOf(words.of);
  return words.map(inlineOf).join('');
}

function isLoud(role: Role): boolean {
  return role === 'strong' || role === 'error' || role === 'warning';
}

const widestTitle = 120;

/** Between tags of HTML, Markdown means nothing. */
function titleOf(words: Words): string {
  if (words === false || words === undefined) return '';
  if (typeof words !== 'object') return escapeHtml(String(words));
  // Characters without width are spelled out, so the text is cut in that form.
  if ('code' in words) return htmlCode(truncate(visibleText(words.code), widestTitle));
  if ('value' in words) return htmlCode(truncate(visibleText(words.value), widestTitle));
  if ('message' in words) return escapeHtml(words.message);
  return 'of' in words ? titleOf(words.of) : words.map(titleOf).join('');
}

const zeroWidthSpace = '&#8203;';

/**
 * Prose on one line, after the first word of a line: every character with a meaning there as a reference, and mentions
 * and links broken by a space of no width.
 */
function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>`*_~[\]|\\#@$]|:(?!\s|$)/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#64;|&#35;|&#58;(?=\/)|www(?=\.)/gi, (broken) => broken + zeroWidthSpace);
}

function markdownCode(text: string): string {
  const shown = visibleText(text);
  // A code span in a table can't hold every pipe: `\|` means two things there. And one that holds only spaces is not a
  // code span.
  if (/[`|]/.test(shown) || shown.trim() !== shown || shown === '') return `<code>${escapeMarkdown(text)}</code>`;
  return `\`${shown}\``;
}

/** A sentence of Almanac's, in which backticks enclose names from files. */
function markdownProse(text: string): string {
  return codeSpans(text)
    .map((span) => (span.isCode ? markdownCode(span.text) : escapeMarkdown(span.text)))
    .join('');
}

/** Reserved for the note about the cut. */
const reserve = 1_000;

/**
 * Prints one comment; `all` is a command that prints everything. Each list takes at most half of the remaining room, so
 * that the next ones have some, and folded text takes the rest. Ends with a newline.
 */
export function printCut(
  doc: Doc,
  { limit = commentLimit, wording = withoutCredentials, all }: MarkdownOptions & { readonly all: string },
): string {
  let roomLeft = limit - reserve;
  const cut = new Map<string, number>();
  const fitted = ({ before = [], lines, after = [] }: Section, room: number): string => {
    let space = room - [...before, ...after].reduce((sum, line) => sum + line.length + 1, 2);
    const fittingLines = lines.filter((line) => {
      space -= line.length + 1;
      return space >= 0;
    });
    const title = isFold({ before }) ? 'details' : cutWords(before[0]);
    if (fittingLines.length < lines.length) cut.set(title, (cut.get(title) ?? 0) + lines.length - fittingLines.length);
    const text = fittingLines.length === 0 ? '' : [...before, ...fittingLines, ...after].join('\n');
    roomLeft -= text === '' ? 0 : text.length + 2;
    return text;
  };
  const sections = sectionsOf(withWording(doc, wording));
  const shown = sections.map((section) =>
    isFold(section) ? '' : fitted(section, section.lines.length > 1 ? roomLeft / 2 : roomLeft),
  );
  const texts = sections.map((section, index) => (isFold(section) ? fitted(section, roomLeft) : shown[index]));
  const what = [...cut].map(([title, count]) => `${count} ${title}`).join(', ');
  const note = `> **This is not everything.** Left out because of its length: ${what}. ${markdownProse(wording(all))} prints all of it.`;
  return `${[...texts, cut.size > 0 && note].filter(Boolean).join('\n\n')}\n`;
}

/** The unit of omitted lines, judged by the line above. */
function cutWords(line = ''): string {
  return line.startsWith('### ') ? line.replace('###', 'of') : line.startsWith('|') ? 'rows' : 'lines';
}

function isFold({ before = [] }: Pick<Section, 'before'>): boolean {
  return before[0]?.startsWith('<details>') === true;
}

/**
 * A report that is longer than one comment is divided into parts, and nothing is left out. Sections are divided between
 * their lines.
 */
interface Section {
  /** Above its lines, in each part that has some of them. */
  readonly before?: readonly string[];
  /** No line is divided, so one that is too long makes a part too long. */
  readonly lines: readonly string[];
  /** Below its lines, in each part that has some of them. */
  readonly after?: readonly string[];
}

function commentParts(sections: readonly Section[], limit: number): readonly string[] {
  const parts: string[] = [];
  let blocks: string[] = [];
  let used = 0;
  const endPart = () => {
    parts.push(blocks.join('\n\n'));
    blocks = [];
    used = 0;
  };
  for (const { before = [], lines, after = [] } of sections) {
    let bufferedLines: string[] = [];
    const block = () => [...before, ...bufferedLines, ...after].join('\n');
    const around = [...before, ...after].reduce((sum, line) => sum + line.length + 1, 2);
    let size = around;
    for (const line of lines) {
      if (used + size + line.length + 1 > limit && blocks.length + bufferedLines.length > 0) {
        if (bufferedLines.length > 0) blocks.push(block());
        endPart();
        bufferedLines = [];
        size = around;
      }
      bufferedLines.push(line);
      size += line.length + 1;
    }
    if (bufferedLines.length > 0) {
      blocks.push(block());
      used += size;
    }
  }
  endPart();
  return parts;
}
