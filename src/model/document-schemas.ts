// The schemas of every document that a command prints or keeps, by the name of its published file.

import { statusSchema } from './deliveries/status-document.ts';
import { triggerSchema } from './deliveries/trigger-document.ts';
import { offboardSchema } from './people/offboard-document.ts';
import { whoSchema } from './people/who-document.ts';
import { aiJobSchema, applySchema } from './plan/apply-outcome.ts';
import { planSchema } from './plan/drift-document.ts';
import { foldSchema } from './plan/fold-document.ts';
import { importSchema } from './plan/import.ts';
import { nextSchema } from './plan/next.ts';
import { stateSchema } from './plan/state.ts';
import { stateCheckSchema, stateHistorySchema } from './plan/state-documents.ts';
import { documentsSchema } from './service/documents.ts';
import type { JsonObject } from './values/json.ts';
import { errorSchema } from './workspace/diagnostic.ts';
import { doctorSchema } from './workspace/doctor-document.ts';
import { validateSchema } from './workspace/validate-document.ts';

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
