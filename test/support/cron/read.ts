// Reads an expression that a test knows to be valid.

import type { Cron } from '../../../src/cron/cron.ts';
import { parseCron } from '../../../src/cron/parse-cron.ts';

export function read(expression: string): Cron {
  const { cron, problems } = parseCron(expression);
  if (cron === undefined) throw new Error(`${expression}: ${problems.map((problem) => problem.message).join(' ')}`);
  return cron;
}
