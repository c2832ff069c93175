// The answers of the service, read by the schemas that name their fields.

import { expect, test } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { Undocumented } from '../../src/service/answers/read-answers.ts';
import { Undocumented as NowUndocumented } from '../../src/service/answers/read-by-schema.ts';
import * as readers from '../../src/service/answers/readers.ts';
import { operations } from '../../src/service/http/operations.ts';
import { broken, everyAnswer } from '../support/emulator/every-answer.ts';

const readBySchema: Readonly<Record<string, (answer: Json | undefined) => unknown>> = { ...readers };

function outcomeOf(read: (answer: Json | undefined) => unknown, answer: Json | undefined): string {
  try {
    return JSON.stringify(sorted(read(answer)));
  } catch (error) {
    if (error instanceof Undocumented || error instanceof NowUndocumented) return error.message;
    throw error;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

test('both readers read the same of every answer of the emulator, and of each with one value broken', async () => {
  const differences: string[] = [];
  let count = 0;
  for (const [name, answer] of await everyAnswer()) {
    const { read } = operations[name];
    const now = readBySchema[read.name];
    if (now === undefined) throw new Error(`Nothing reads ${read.name} by a schema.`);
    for (const { how, answer: each } of [
      { how: 'whole', answer },
      { how: 'no body', answer: undefined },
      ...broken(answer),
    ]) {
      count += 1;
      const [before, after] = [outcomeOf(read, each), outcomeOf(now, each)];
      if (before !== after) differences.push(`${name}, ${how}:\n${before}\n${after}`);
    }
  }
  expect(differences.slice(0, 5)).toEqual([]);
  expect(count).toBeGreaterThan(5000);
}, 30_000);
