// The words of other tools in docs/from-other-tools.md: a table generated from their rows, placed between markers.

import { wordRows } from '../../src/declare/words/other-words.ts';

const tools: Readonly<Record<string, string>> = {
  L: 'Looker',
  S: 'Superset',
  M: 'Metabase',
  D: 'Lightdash',
  P: 'PostHog',
  G: 'Grafana',
  B: 'Power BI',
  T: 'Tableau',
  R: 'Redash',
};

/** Words that belong to no tool, or mean themselves, have no row. */
export function wordsTable(): string {
  const rows = wordRows
    .filter((row) => row.tools !== '')
    .map(({ words, tools: letters, decides, field, says, values }) => {
      const names = words.map((word) => `\`${word}\``).join(', ');
      const by = values
        .filter(([[first = '']]) => !first.startsWith('<'))
        .map(([each, advice]) => `\`${each[0]}\`: ${advice.replace(/^Did you mean (.*)\?$/, '$1.')}`);
      const means = field === undefined ? (says === '' ? [] : [says]) : [`\`${field}\`${by.length === 0 ? '' : '.'}`];
      const all = [...means, ...(values.length > 8 && decides === 'when' ? by.slice(0, 4) : by)];
      if (all.length === 0) return '';
      return `| ${names} | ${[...letters].map((letter) => tools[letter]).join(', ')} | ${decides} | ${all.join(' ')} |\n`;
    });
  return ['| word | of | decides | here |\n', '|---|---|---|---|\n', ...rows].join('');
}
