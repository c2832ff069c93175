// Texts in brackets of a file that YAML 1.1 reads as something else.

import { CST, Parser } from 'yaml';
import { quoteUnsafe } from '../../../src/yaml/format/format-yaml.ts';

export function unsafeTexts(text: string): readonly string[] {
  const found: string[] = [];
  const look = (scalar: CST.Token | null | undefined, isKey: boolean) => {
    if (scalar?.type === 'scalar' && quoteUnsafe(scalar.source, { inFlow: true, isKey }) !== scalar.source)
      found.push(scalar.source);
  };
  const visitIn = (token: CST.Token | null | undefined): void => {
    if (token?.type !== 'flow-collection') return;
    CST.visit({ start: [], value: token }, ({ key, value }) => {
      look(key, true);
      look(value, false);
    });
  };
  for (const token of new Parser().parse(text))
    if (token.type === 'document')
      CST.visit(token, ({ key, value }) => {
        visitIn(key);
        visitIn(value);
      });
  return [...new Set(found)];
}
