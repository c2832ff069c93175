// The published schemas as the program carries them: those of schemas/, which scripts/generate.ts writes.

import aiJob from '../schemas/ai-job.schema.json' with { type: 'json' };
import almanac from '../schemas/almanac.schema.json' with { type: 'json' };
import apply from '../schemas/apply.schema.json' with { type: 'json' };
import doctor from '../schemas/doctor.schema.json' with { type: 'json' };
import documents from '../schemas/documents.schema.json' with { type: 'json' };
import error from '../schemas/error.schema.json' with { type: 'json' };
import fold from '../schemas/fold.schema.json' with { type: 'json' };
import imported from '../schemas/import.schema.json' with { type: 'json' };
import next from '../schemas/next.schema.json' with { type: 'json' };
import offboard from '../schemas/offboard.schema.json' with { type: 'json' };
import plan from '../schemas/plan.schema.json' with { type: 'json' };
import resources from '../schemas/resources.schema.json' with { type: 'json' };
import state from '../schemas/state.schema.json' with { type: 'json' };
import stateCheck from '../schemas/state-check.schema.json' with { type: 'json' };
import stateHistory from '../schemas/state-history.schema.json' with { type: 'json' };
import status from '../schemas/status.schema.json' with { type: 'json' };
import trigger from '../schemas/trigger.schema.json' with { type: 'json' };
import validate from '../schemas/validate.schema.json' with { type: 'json' };
import who from '../schemas/who.schema.json' with { type: 'json' };
import type { JsonObject } from './model/values/json.ts';

/** By name, those that people write first. */
export const publishedSchemas = {
  resources,
  almanac,
  plan,
  apply,
  validate,
  next,
  status,
  trigger,
  doctor,
  import: imported,
  fold,
  who,
  offboard,
  documents,
  'ai-job': aiJob,
  state,
  'state-history': stateHistory,
  'state-check': stateCheck,
  error,
} as unknown as Readonly<Record<string, JsonObject>>;
