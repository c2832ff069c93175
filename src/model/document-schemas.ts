// The schemas of every document that a command prints or keeps, by the name of its published file.

import { statusSchema, triggerSchema } from './deliveries.ts';
import {
  doctorSchema,
  foldSchema,
  importSchema,
  nextSchema,
  stateCheckSchema,
  stateHistorySchema,
  validateSchema,
} from './documents.ts';
import { offboardSchema, whoSchema } from './people.ts';
import { aiJobSchema, applySchema } from './plan/apply-outcome.ts';
import { planSchema } from './plan/plan.ts';
import { stateSchema } from './plan/state.ts';
import { documentsSchema } from './service/documents.ts';
import type { JsonObject } from './values/json.ts';
import { errorSchema } from './workspace/diagnostic.ts';

export const documentSchemas: Readonly<Record<string, JsonObject>> = {
  plan: titled('What almanac plan and almanac drift --format json print, and a saved plan', planSchema),
  apply: printed('apply', applySchema),
  validate: printed('validate', validateSchema),
  next: printed('next', nextSchema),
  status: printed('status', statusSchema),
  trigger: printed('trigger', triggerSchema),
  doctor: printed('doctor', doctorSchema),
  import: printed('import', importSchema),
  fold: printed('fold', foldSchema),
  who: printed('who', whoSchema),
  offboard: printed('offboard', offboardSchema),
  documents: printed('documents', documentsSchema),
  'ai-job': titled('What almanac ai status, result and cancel --format json print', aiJobSchema),
  state: titled('The state file', stateSchema),
  'state-history': printed('state history', stateHistorySchema),
  'state-check': titled('What almanac state check --format json prints for a place that is fit', stateCheckSchema),
  error: titled('Why a command failed before it had a document; printed instead of the document', errorSchema),
};

function printed(command: string, schema: JsonObject): JsonObject {
  return titled(`What almanac ${command} --format json prints`, schema);
}

function titled(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema };
}
