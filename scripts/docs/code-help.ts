// The table of explanations for each code, for reports such as SARIF. The texts come from docs/diagnostics.md.

export const diagnosticsPage = 'docs/diagnostics.md';
export const codeHelpFile = 'src/report/diagnostics/code-help.ts';

/** The source text of the table. */
export function codeHelpText(page: string): string {
  const rows = page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [, code = '', words = ''] = /^(\S+)\n\n\*\*.+\n\n([\s\S]*?)(?:\n\n|\n*$)/.exec(section) ?? [];
      return `  '${code}': ${JSON.stringify(alone(words))},\n`;
    });
  return `// The meaning of each code, in Markdown. Written by \`npm run generate\` from docs/diagnostics.md; change it there.

import type { Code } from '../../model/workspace/codes.ts';

export const codeHelp: Readonly<Record<Code, string>> = {
${rows.join('')}};
`;
}

/** Joins the lines, and replaces links by their text: readers of the report do not have the page. */
function alone(words: string): string {
  return words.replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '`$1`');
}
