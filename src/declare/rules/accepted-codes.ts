// The codes under `accept`: an unknown one accepts nothing. If there are errors, warnings are only counted, and the
// error that a misspelled code was to accept is among them: so this is an error itself.

import { largest } from '../../model/values/collections.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { acceptableCodes, isCode } from '../../model/workspace/codes.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';

export const acceptedCodesExist: Rule = ({ value: { accept = {} } }) => {
  if (!isJsonObject(accept)) return [];
  return Object.keys(accept).flatMap((code): readonly RuleFinding[] => {
    if (isCode(code)) return [];
    const near = nearest(code, acceptableCodes) ?? similarCode(code);
    return [
      {
        code: 'accepted-nothing',
        message: `There is no warning ${quote(code)}, so the entry accepts nothing.`,
        hint:
          near === undefined
            ? 'Write the code of a warning, which is in brackets behind `warning` or `error`.'
            : `Did you mean \`${near}\`?`,
        pointer: pointerTo('accept', code),
        at: 'key',
        severity: 'error',
      },
    ];
  });
};

/** The only code that has most words in common with another one, and at least two. */
function similarCode(code: string): string | undefined {
  const words = new Set(code.toLowerCase().split(/[^a-z]+/));
  const shared = acceptableCodes.map((name) => ({
    name,
    count: name.split('-').filter((each) => words.has(each)).length,
  }));
  const most = largest(
    shared.map(({ count }) => count),
    2,
  );
  const [only, ...others] = shared.filter(({ count }) => count === most);
  return others.length === 0 ? only?.name : undefined;
}
