// The schemas of documents that commands print or keep, by published file name.

import { triggerSchema } from './apply/trigger-document.ts';
import { doctorSchema } from './commands/doctor/doctor-document.ts';
import { probeSchema } from './commands/doctor/probe/probe-document.ts';
import { foldSchema } from './commands/fold/fold-document.ts';
import { importSchema } from './commands/import/import-document.ts';
import { nextSchema } from './commands/next/next-document.ts';
import { offboardSchema } from './commands/offboard/offboard-document.ts';
import { proveSchema } from './commands/prove/prove-document.ts';
import { stateCheckSchema, stateHistorySchema } from './commands/state/state-document.ts';
import { validateSchema } from './commands/validate/validate-document.ts';
import { whoSchema } from './commands/who/who-document.ts';
import { statusSchema } from './deliveries/status-document.ts';
import { aiJobSchema, applySchema } from './model/plan/apply-outcome.ts';
import { planSchema } from './model/plan/drift-document.ts';
import { stateSchema } from './model/plan/state.ts';
import { documentsSchema, namesSchema } from './model/service/documents.ts';
import type { JsonObject } from './model/values/json.ts';
import { errorSchema } from './model/workspace/diagnostic.ts';

export const documentSchemas = {
  plan: titled('What almanac plan and almanac drift --format json print, and a saved plan', planSchema),
  apply: printed('apply', applySchema),
  validate: printed('validate', validateSchema),
  next: printed('next', nextSchema),
  status: printed('status', statusSchema),
  trigger: printed('trigger', triggerSchema),
  doctor: printed('doctor', doctorSchema),
  probe: printed('doctor --probe', probeSchema),
  import: printed('import', importSchema),
  fold: printed('fold', foldSchema),
  who: printed('who', whoSchema),
  offboard: printed('offboard', offboardSchema),
  prove: printed('prove', proveSchema),
  documents: printed('list documents', documentsSchema),
  names: titled('What almanac list models, people and groups --format json print', namesSchema),
  'ai-job': titled('What almanac ai status, result and cancel --format json print', aiJobSchema),
  state: titled('The state file', stateSchema),
  'state-history': printed('state history', stateHistorySchema),
  'state-check': titled('What almanac state check --format json prints for a place that is fit', stateCheckSchema),
  error: titled('Why a command failed before it had a document; printed instead of the document', errorSchema),
} satisfies Readonly<Record<string, JsonObject>>;

export type DocumentName = keyof typeof documentSchemas;

function printed(command: string, schema: JsonObject): JsonObject {
  return titled(`What almanac ${command} --format json prints`, schema);
}

function titled(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema };
}
