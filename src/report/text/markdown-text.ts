// Text inside Markdown as GitHub and GitLab read it, tables included. Text from files or from the service is
// shown as code, which neither of them interprets: no mention notifies anybody there, and nothing becomes a link.

import { largest } from '../../model/values/collections.ts';
import { codeSpans, visibleText } from './visible-values.ts';

const zeroWidthSpace = '&#8203;';

/**
 * Prose on one line, behind the first word of a line of ours: every character with a meaning there as a reference, and
 * mentions and links broken by a space of no width.
 */
function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>`*_~[\]|\\#@$]|:(?!\s|$)/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#64;|&#35;|&#58;(?=\/)|www(?=\.)/gi, (broken) => broken + zeroWidthSpace);
}

/** Code on one line. */
export function markdownCode(text: string): string {
  const shown = visibleText(text);
  // A code span in a table can't hold every pipe: `\|` means two things there. And one that holds only spaces is not a code span.
  if (/[`|]/.test(shown) || shown.trim() !== shown || shown === '') return `<code>${escapeMarkdown(text)}</code>`;
  return `\`${shown}\``;
}

/** A sentence of ours, in which backticks enclose names from files. */
export function markdownProse(text: string): string {
  return codeSpans(text)
    .map((span) => (span.isCode ? markdownCode(span.text) : escapeMarkdown(span.text)))
    .join('');
}

/** Lines as a block of code that none of them can end. */
export function markdownFence(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(
    largest(
      3,
      runs.map((run) => run.length + 1),
    ),
  );
  return [`${fence}${language}`, ...lines, fence].join('\n');
}
