// Fills the placeholders of a template, such as `<folder>`, for a workspace.

import { inBrackets, printString } from '../../../yaml/format/print-string.ts';

/** Lists each text on its own line: the name of a folder may be long. */
export function listOf(key: string, texts: readonly string[]): string {
  return [`${key}:`, ...texts.map((text) => `  - ${printString(text, inBrackets)}`)].join('\n');
}

/**
 * A line is left out if it has a placeholder without a value. Further lines of a value are indented like the line that
 * it is in.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template
    .split('\n')
    .flatMap((line) => {
      const named = [...line.matchAll(/<([a-z-]+)>/g)].map(([, name = '']) => name);
      const unknown = named.find((name) => !Object.hasOwn(values, name));
      if (unknown !== undefined) throw new Error(`The template has an unknown placeholder, ${unknown}.`);
      if (named.some((name) => values[name] === undefined)) return [];
      const indent = /^ */.exec(line)?.[0] ?? '';
      const filled = line.replaceAll(/<([a-z-]+)>/g, (_, name: string) => values[name] ?? '');
      return [filled.replaceAll(/\n(?=.)/g, `\n${indent}`)];
    })
    .join('\n');
}
