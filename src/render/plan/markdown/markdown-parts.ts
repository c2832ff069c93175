// The parts that a comment is made of: sections, findings, code, differences as GitHub colours them, and what lies behind
// a fold.

import type { Diagnostic } from '../../../model/workspace/diagnostic.ts';
import type { FoldedFindings } from '../../../model/workspace/fold-findings.ts';
import type { CodeSpan } from '../../text/code-spans.ts';
import type { Details } from '../../text/comment-budget.ts';
import { countedFindings, listsAll } from '../../text/elsewhere-words.ts';
import { escapeHtml, htmlCode } from '../../text/escape-html.ts';
import { escapeMarkdown, markdownCode, markdownFence, markdownProse } from '../../text/escape-markdown.ts';
import { fileAndLine } from '../../text/file-and-line.ts';
import { relatedWords } from '../../text/message-with-hint.ts';
import { truncate } from '../../text/terminal-text.ts';
import { markedTheme } from '../../text/theme.ts';

/** No text from outside can contain it: invisible characters are escaped. */
const mark = '\u0080';
/** The page on which the lines are made that `fenced` takes. */
export const detailsPage = { theme: markedTheme(mark), width: 100, showsAll: true };

export function spans(words: readonly CodeSpan[]): string {
  return words.map(({ isCode, text }) => (isCode ? markdownCode(text) : escapeMarkdown(text))).join('');
}

/** Empty without lines. */
export function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`### ${title}`, '', ...lines].join('\n');
}

export function diagnosticLine(diagnostic: Diagnostic): string {
  const { severity, code: name, message, file } = diagnostic;
  const place = file === undefined ? '' : ` in ${markdownCode(fileAndLine(diagnostic))}`;
  const words = [message, ...relatedWords(diagnostic)].map(markdownProse);
  return `- **${severity}** ${markdownCode(name)}${place}: ${words.join(' ')}`;
}

/** What is not shown of the findings. */
export function countedLines(findings: FoldedFindings, what: 'plan' | 'drift'): readonly string[] {
  const all = markdownCode(listsAll[what]);
  return [
    ...findings.more.map(
      ({ severity, code: name, count }) => `- **${severity}** ${count} more ${markdownCode(name)}: ${all}`,
    ),
    ...countedFindings(findings, what).map(({ words, command }) => `- ${words}: ${markdownCode(command)}`),
  ];
}

/** Folded; the title is HTML, in which Markdown means nothing. */
export function detailsOf(title: string, body: string): string {
  return [...detailsBegin(title), body, ...detailsEnd].join('\n');
}

export function detailsBegin(title: string): readonly string[] {
  return [`<details><summary>${title}</summary>`, ''];
}

export const detailsEnd = ['', '</details>'];

/** For a title. */
export function titleCode(text: string): string {
  return htmlCode(truncate(text, 120));
}

export function titleSpans(words: readonly CodeSpan[]): string {
  return words.map(({ isCode, text }) => (isCode ? titleCode(text) : escapeHtml(text))).join('');
}

/** As many as there is room for, one on a line. */
export function nameList(names: readonly string[], room: number): Details {
  let left = room;
  const lines = names.map((name) => `- ${name}`);
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const shown = end < 0 ? lines : lines.slice(0, end);
  const cut = lines.length - shown.length;
  return { text: [...shown, ...(cut === 0 ? [] : [`- and ${cut} more`])].join('\n'), cut };
}

export function fenced(lines: readonly string[]): string {
  return markdownFence('diff', lines.map(signFirst));
}

/** Signs at the beginning of the line are what colours a `diff` block: ours, not those that a text begins with. */
function signFirst(line: string): string {
  const [, before = '', after = '', sign, rest = ''] = /^( *)\u0080( *)([+~-])( .*)$/.exec(line) ?? [];
  const signed = sign === undefined ? line : `${sign === '~' ? '!' : sign}${before}${after}${rest.slice(1)}`;
  return signed.replaceAll(mark, '');
}
