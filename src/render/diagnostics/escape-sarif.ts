// Text as a message of SARIF: `[text](target)` would be a link and `{0}` a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6).

import { safeText } from '../text/terminal-text.ts';

export function escapeSarif(text: string): string {
  const safe = safeText(text, { keepNewlines: true });
  const unlinked = /\]\(/.test(safe) ? safe.replace(/[\\[\]]/g, '\\$&') : safe;
  return /\{\d+\}/.test(unlinked) ? unlinked.replace(/[{}]/g, '$&$&') : unlinked;
}
