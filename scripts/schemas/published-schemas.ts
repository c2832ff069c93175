// Every schema that Almanac publishes, by the name of its file in schemas/.

import { documentSchemas } from '../../src/document-schemas.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { configSchema } from './config-schema.ts';
import { inOneText, publishedPlain } from './shape-schema.ts';
import { publishedSourceSchema } from './source-schema.ts';

export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const written = { almanac: configSchema(publishedPlain), resources: publishedSourceSchema() };
  const schemas = { ...(withSentences(written) as typeof written), ...documentSchemas };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name}.schema.json`, schema]));
}

function withSentences(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withSentences);
  if (!isJsonObject(schema)) return schema;
  const { message, hint } = schema;
  if (typeof message === 'string' && typeof hint === 'string') return inOneText({ message, hint });
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withSentences(value)]));
}
