// Parts of Markdown that need no report: a code block, and the separator of comments.

import { largest } from '../../model/values/collections.ts';

/** A line between two parts, which readers do not see. No text of a report can be such a line. */
export const nextComment = '<!-- almanac:next-comment -->';

/** Lines as a block of code that none of them can end. */
export function markdownFence(language: string, lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(
    largest(
      runs.map((run) => run.length + 1),
      3,
    ),
  );
  return [`${fence}${language}`, ...lines, fence].join('\n');
}
