// A diagnostic's message with what to do, for reports that have one place for both.

import type { Diagnostic } from '../../model/workspace/diagnostic.ts';

export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\n\nHint: ${hint}`;
}
