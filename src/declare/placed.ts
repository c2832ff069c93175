// Findings about a value, with the place of the value in its file.

import type { Pointer } from '../model/values/pointer.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Origin } from '../model/workspace/source-file.ts';
import type { RuleFinding } from './findings/rule.ts';

export type PlacedFinding = Finding & { readonly place: { readonly pointer: Pointer } };

export function placed(findings: readonly RuleFinding[], origin: Origin): readonly PlacedFinding[] {
  return findings.map(({ pointer, at, within: _, ...words }) => ({
    ...words,
    place: { file: origin.file, document: origin.document, pointer, at: at ?? 'value' },
  }));
}
