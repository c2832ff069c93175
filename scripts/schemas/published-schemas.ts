// Every schema that Almanac publishes, by the name of its file in schemas/.

import { documentSchemas } from '../../src/document-schemas.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { configSchema } from './config-schema.ts';
import { publishedPlain } from './shape-schema.ts';
import { publishedSourceSchema } from './source-schema.ts';

export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const schemas = { almanac: configSchema(publishedPlain), resources: publishedSourceSchema(), ...documentSchemas };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name}.schema.json`, schema]));
}
