// A reference without its braces is a text like any other.

import type { Pointer } from '../../model/values/pointer.ts';
import type { Finding, Origin } from '../../model/workspace/diagnostic.ts';
import type { RuleFinding } from './rule.ts';

const bareReference = /^\$?\{?(?<name>(?:audience|each|env|var)\.[A-Za-z_][\w-]*)\}?$/;

/** `Write ${audience.sales}.` for `audience.sales`; undefined for a text that looks like no reference. */
export function meantReference(text: string): string | undefined {
  const name = bareReference.exec(text)?.groups?.['name'];
  return name === undefined ? undefined : `Did you mean \`\${${name}}\`?`;
}

/** Findings about a value, with the place of the value in its file. */
export type PlacedFinding = Finding & { readonly place: { readonly pointer: Pointer } };

export function placed(findings: readonly RuleFinding[], origin: Origin): readonly PlacedFinding[] {
  return findings.map(({ pointer, at, within: _, ...words }) => ({
    ...words,
    place: { file: origin.file, document: origin.document, pointer, at: at ?? 'value' },
  }));
}
