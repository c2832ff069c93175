// A diagnostic's message with what to do, for reports that have one place for both.

import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { fileAndLine } from '../text/file-and-line.ts';

/** With the other places that it is about, for reports that have no room of their own for them. */
export function messageWithPlaces(diagnostic: Diagnostic): string {
  return messageWithHint({ ...diagnostic, message: [diagnostic.message, ...relatedWords(diagnostic)].join('\n') });
}

/** `schedules/sales.yaml:9: \`schedule\` of \`schedules.sales\` uses this value.` */
export function relatedWords({ related = [] }: Diagnostic): readonly string[] {
  return related.map((each) => `${fileAndLine(each)}: ${each.message}`);
}

export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\n\nHint: ${hint}`;
}
