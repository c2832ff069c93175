// The schemas that Almanac publishes, as the program carries them. Some are those of documents that it prints or keeps;
// the others are files of schemas/ for what people write, which scripts/generate.ts writes.

import almanac from '../schemas/almanac.schema.json' with { type: 'json' };
import resources from '../schemas/resources.schema.json' with { type: 'json' };
import { documentSchemas } from './document-schemas.ts';
import type { JsonObject } from './model/values/json.ts';

/** The schemas by name; those for files that people write come first. */
export const publishedSchemas = { resources, almanac, ...documentSchemas } as unknown as Readonly<
  Record<string, JsonObject>
>;
