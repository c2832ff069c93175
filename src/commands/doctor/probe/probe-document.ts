// The findings of a probe: the document of `doctor --probe --format json` (schemas/probe.schema.json). It contains no
// address, no id and no host, so that it can be published.

import { described, formatVersion, listOf, oneOf, record, type TypeOf, text } from '../../../model/values/schema.ts';

/** The worst is last. */
export const probeResults = ['held', 'not-tried', 'differs'] as const;

export type ProbeResult = (typeof probeResults)[number];

const statementSchema = record({
  id: text,
  source: described(text, 'Who says so.'),
  requests: described(listOf(text), 'The requests whose answers show it.'),
  result: oneOf(...probeResults),
  'came?': described(text, 'What came instead, where it differs.'),
  'why?': described(text, 'Why it was not tried.'),
});
export type ProbedStatement = TypeOf<typeof statementSchema>;

export const probeSchema = record({
  formatVersion,
  statements: described(
    listOf(statementSchema),
    'Every statement, always in the same order; the documentation (probe) has them in words.',
  ),
});
export type ProbeDocument = TypeOf<typeof probeSchema>;
