// The text of the emulator's data file -> its data. The emulator trusts what it is given, so the file is checked before
// the server starts.

import type { EmulatorData } from '../../emulator/store.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { documentProblem } from '../../yaml/document-problem.ts';
import { validateEmulatorData } from './emulator-data.compiled.js';

/** Throws Failure usage. `name` is how users call the file. */
export function parseEmulatorData(text: string, name: string): EmulatorData {
  const unreadable = (why: string, cause?: unknown) =>
    new Failure('usage', `${name} is not what the emulator keeps: ${why}.`, {
      hint: 'Fix the file, or delete it to start with the demo organization.',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable('it is not valid JSON', cause);
  }
  if (validateEmulatorData(value)) return value;
  throw unreadable(documentProblem(validateEmulatorData.errors));
}
