// The statements of a probe in docs/probe.md: a table generated from their rows, placed between markers.

import { type Statement, statements } from '../../src/commands/doctor/probe/statements.ts';

export const probePage = 'docs/probe.md';

/** The page with an up-to-date table. */
export function withStatements(page: string): string {
  return page.replace(
    /(<!-- statements -->\n)[\s\S]*?(<!-- end of statements -->)/,
    (_, start: string, end: string) => `${start}\n${table()}\n${end}`,
  );
}

function table(): string {
  const rows = Object.entries<Statement>(statements).map(([id, { words, source, requests, needs }]) => {
    const option = needs === undefined ? '' : ` (\`--${needs}\`)`;
    const asked = requests.map((each) => `\`${each}\``).join(', ');
    return `| \`${id}\`${option} | ${words} | ${asked} | ${source} |\n`;
  });
  return ['| statement | what Almanac relies on | requests | source |\n', '|---|---|---|---|\n', ...rows].join('');
}
