// The published form of a plan, schemas/plan.schema.json: with what `drift` adds, and what only a saved plan has.

import { record } from '../values/schema.ts';
import { driftRows } from './drift-document.ts';
import { planRows, savedRows } from './plan.ts';

/** The document that `plan` and `drift --format json` print, or `plan --out` saves. */
export const planSchema = record({ ...planRows, ...driftRows, ...savedRows });
