// Every schema that Almanac publishes, by the name of its file in schemas/.

import type { JsonObject } from '../../src/model/values/json.ts';
import { configSchema } from './config-schema.ts';
import { documentSchemas } from './document-schemas.ts';
import { publishedPlain } from './shape-schema.ts';
import { publishedSourceSchema } from './source-schema.ts';

export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    'almanac.schema.json': configSchema(publishedPlain),
    'resources.schema.json': publishedSourceSchema(),
    ...documentSchemas,
  };
}
