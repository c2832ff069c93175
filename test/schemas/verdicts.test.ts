// Of wrong files, an editor says what `almanac validate` says, at the same place; what only the program can know is a list here.

import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEditor } from '../support/editor.ts';
import { arbitraryWrongFile } from '../support/property/arbitrary-wrong-file.ts';
import { runs } from '../support/runs/runs.ts';
import { verdicts } from '../support/verdicts.ts';

const editor = openEditor(resolve('schemas/resources.schema.json'));

test('an editor and validate mark the same places of wrong files', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryWrongFile, async (text) => {
      const { silent, alarms } = await verdicts(editor, text);
      expect({ silent, alarms }, text).toEqual({ silent: [], alarms: [] });
    }),
    { numRuns: runs(500) },
  );
});
