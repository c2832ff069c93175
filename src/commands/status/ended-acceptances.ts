// Says that warnings are back because the last day of their acceptance is over. `status` itself goes on: `validate` and
// `plan` report them.

import type { Loaded } from '../../declare/load/load.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import type { Run } from '../base/run.ts';

/** On stderr, unless --quiet. */
export function sayEnded(run: Run, { findings }: Loaded): void {
  const back = findings.filter((finding) => finding.ended !== undefined && severityOf(finding) !== 'off');
  if (back.length === 0 || run.options.quiet) return;
  const places = back.flatMap(({ code, address = '', concerns = [address] }) =>
    concerns.map((at) => `${code} of \`${at}\``),
  );
  const distinct = [...new Set(places)];
  const are = distinct.length === 1 ? 'is' : 'are';
  run.say(
    `warning: ${countOf(distinct.length, 'acceptance')} ${are} over: ${nameSome(distinct)}. almanac validate shows what was accepted.`,
    run.stderr,
  );
}
