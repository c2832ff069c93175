// Edits of the first document of a YAML file, for tests: what is asked for, and what becomes of the text.

import { type Edit, editYaml } from '../../../src/yaml/edit/edit-yaml.ts';

/** What an edit sets; undefined removes. */
export type Change = readonly [pointer: string, value?: Edit['value']];

/** The text after some edits; undefined if they are refused. */
export function edited(text: string, ...changes: readonly Change[]): string | undefined {
  return editYaml(
    text,
    changes.map(([pointer, value]) => ({ document: 0, pointer, value })),
  );
}

/** A text of these lines, the last one ended. */
export function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
