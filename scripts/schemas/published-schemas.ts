// Every schema that Almanac publishes, by the name of its file in schemas/.

import { statusSchema } from '../../src/model/deliveries/status-document.ts';
import { triggerSchema } from '../../src/model/deliveries/trigger-document.ts';
import { offboardSchema } from '../../src/model/people/offboard-document.ts';
import { whoSchema } from '../../src/model/people/who-document.ts';
import { aiJobSchema, applySchema } from '../../src/model/plan/apply-outcome.ts';
import { planSchema } from '../../src/model/plan/drift-document.ts';
import { foldSchema } from '../../src/model/plan/fold-document.ts';
import { importSchema } from '../../src/model/plan/import.ts';
import { nextSchema } from '../../src/model/plan/next.ts';
import { stateSchema } from '../../src/model/plan/state.ts';
import { stateCheckSchema, stateHistorySchema } from '../../src/model/plan/state-documents.ts';
import { documentsSchema } from '../../src/model/service/documents.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { errorSchema } from '../../src/model/workspace/diagnostic.ts';
import { doctorSchema } from '../../src/model/workspace/doctor-document.ts';
import { validateSchema } from '../../src/model/workspace/validate-document.ts';
import { configSchema } from './config-schema.ts';
import { publishedPlain } from './shape-schema.ts';
import { publishedSourceSchema } from './source-schema.ts';

export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    'almanac.schema.json': configSchema(publishedPlain),
    'resources.schema.json': publishedSourceSchema(),
    'plan.schema.json': titled('What almanac plan and almanac drift --format json print, and a saved plan', planSchema),
    'validate.schema.json': printed('validate', validateSchema),
    'apply.schema.json': printed('apply', applySchema),
    'ai-job.schema.json': titled('What almanac ai status, result and cancel --format json print', aiJobSchema),
    'import.schema.json': printed('import', importSchema),
    'fold.schema.json': printed('fold', foldSchema),
    'who.schema.json': printed('who', whoSchema),
    'offboard.schema.json': printed('offboard', offboardSchema),
    'status.schema.json': printed('status', statusSchema),
    'trigger.schema.json': printed('trigger', triggerSchema),
    'next.schema.json': printed('next', nextSchema),
    'documents.schema.json': printed('documents', documentsSchema),
    'doctor.schema.json': printed('doctor', doctorSchema),
    'state.schema.json': titled('The state file', stateSchema),
    'state-history.schema.json': printed('state history', stateHistorySchema),
    'state-check.schema.json': titled(
      'What almanac state check --format json prints for a place that is fit',
      stateCheckSchema,
    ),
    'error.schema.json': titled(
      'Why a command failed before it had a document; printed instead of the document',
      errorSchema,
    ),
  };
}

function printed(command: string, schema: JsonObject): JsonObject {
  return titled(`What almanac ${command} --format json prints`, schema);
}

function titled(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema };
}
