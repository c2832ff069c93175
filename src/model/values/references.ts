// Reads `${…}` in texts, and names the variables that no declaration may read. `$${` is a literal `${`, and a reference
// ends with the first `}` on its line.

import { tokenVariable } from '../fields/patterns.ts';

/** The allowed forms; `${each.NAME}` is one only where an item may give it a meaning. */
export function referenceForms(mayBeInLoop: boolean): string {
  const inLoop = mayBeInLoop ? ', ${each.NAME}' : '';
  return `Write \${var.NAME}, \${env.NAME}, \${file.PATH}${inLoop} or \${audience.NAME}, and $\${ for a literal \${.`;
}

/** A part of a text that is not plain text. */
export interface ReferenceToken {
  readonly start: number;
  readonly end: number;
  readonly written: string;
  /** The text between the brackets; undefined for a literal `${`. */
  readonly inner: string | undefined;
  readonly isClosed: boolean;
}

const form = /\$\$\{|\$\{([^}\n]*)(\})?/g;

export function referenceTokens(text: string): readonly ReferenceToken[] {
  if (!text.includes('${')) return [];
  return Array.from(text.matchAll(form), (match) => {
    const [written, inner, end] = match;
    return { start: match.index, end: match.index + written.length, written, inner, isClosed: end !== undefined };
  });
}

/** The text between the brackets, if the whole text is one reference; undefined for every other text. */
export function wholeReference(text: string): string | undefined {
  const [token] = text.startsWith('${') ? referenceTokens(text) : [];
  return token?.isClosed && token.written === text ? token.inner : undefined;
}

/** The text with what `replace` makes of the inside of its references; undefined leaves one as it is written. */
export function replaceReferences(text: string, replace: (inner: string) => string | undefined): string {
  let [result, last] = ['', 0];
  for (const { start, end, written, inner, isClosed } of referenceTokens(text)) {
    const value = isClosed && inner !== undefined ? replace(inner) : undefined;
    result += text.slice(last, start) + (value ?? written);
    last = end;
  }
  return result + text.slice(last);
}

// Environment variables that no declaration may read: the token of the service, and what a CI job keeps for itself. A
// pull request can change every declaration, so these must not leave the job through one.

/** Whatever `tokenEnv` may name: a pull request can change that, too. */
const mayHoldToken = new RegExp(tokenVariable);

const prefixes = ['GITHUB_', 'GITLAB_', 'ACTIONS_', 'CI_', 'AWS_', 'PG', 'NPM_', 'NODE_', 'SSH_', 'ALMANAC_'];
const suffix = '_PROXY';
const names: ReadonlySet<string> = new Set(['STATE_PUSH_TOKEN']);

/** Upper and lower case are alike: Windows does not tell them apart, and proxies are read in both. */
export function isReservedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    names.has(upper) ||
    mayHoldToken.test(upper) ||
    upper.endsWith(suffix) ||
    prefixes.some((prefix) => upper.startsWith(prefix))
  );
}
