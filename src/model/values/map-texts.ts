// A JSON value with every text in it changed, keys included.

import { define, isJsonObject, type Json } from './json.ts';

export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry: Json) => mapTexts(entry, change));
  if (!isJsonObject(value)) return value;
  const mapped: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) define(mapped, change(key), mapTexts(entry, change));
  return mapped;
}
