import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schemasOfWorkspace } from '../../src/declare/workspace-schema.ts';
import type { Config } from '../../src/model/workspace/config.ts';

const published = JSON.parse(readFileSync('schemas/resources.schema.json', 'utf8'));

test('the schema of a workspace keeps no rule whose every field has a default', () => {
  const schedules = { timezone: 'UTC', destinationType: 'email', recipients: ['ana@example.com'], subject: 'Sales' };
  const defaults = [{ sections: { schedules } }] as unknown as Config['defaults'];
  const text = JSON.stringify(schemasOfWorkspace.resources(published, { defaults, checks: {}, environments: [] }));
  expect(text).not.toContain('"then":{"required":[]');
  expect(text).not.toContain('"allOf":[]');
  expect(text).not.toContain('`subject` is missing');
  expect(text.length).toBeLessThan(JSON.stringify(published).length);
});
