// What `almanac ai status|result|cancel --format json` print (schemas/ai-job.schema.json).

import type { Address } from './address.ts';
import type { JsonObject } from './json.ts';
import type { RemoteAiJob } from './remote.ts';

export interface AiJobDocument extends RemoteAiJob {
  readonly formatVersion: 1;
  readonly address: Address;
  readonly id: string;
  /** As the service answers it; of `result` alone. */
  readonly result?: JsonObject;
}
