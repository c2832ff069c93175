// What `almanac ai status|result|cancel --format json` print (schemas/ai-job.schema.json).

import type { RemoteAiJob } from '../service/remote.ts';
import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';

export interface AiJobDocument extends RemoteAiJob {
  readonly formatVersion: 1;
  readonly address: Address;
  readonly id: string;
  /** As the service answers it; of `result` alone. */
  readonly result?: JsonObject;
}
