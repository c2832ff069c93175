// Where the values of a long file are written is found in a time that grows with the file, not with its square.

import { expect, it } from 'vitest';
import { writtenDocuments } from '../../src/yaml/written/written-values.ts';
import { parseYaml } from '../../src/yaml/yaml-documents.ts';

it('the places of the values of 10,000 resources in one file are found in a few seconds', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `s${index}`);
  const text = `schedules:\n${keys.map((key) => `  ${key}: { name: N }\n`).join('')}`;
  const document = writtenDocuments(parseYaml({ path: 'a.yaml', text })).get(0);
  const found = keys.flatMap((key) => document?.suppliersAt(`/schedules/${key}/name`) ?? []);
  expect(found).toHaveLength(10_000);
});
