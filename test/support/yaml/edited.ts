// Edits of the first document of a YAML file, for tests: what is asked for, and what becomes of the text.

import { expect, it } from 'vitest';
import { type Edit, editYaml } from '../../../src/yaml/edit/edit-yaml.ts';

/** What an edit sets; undefined removes. */
export type Change = readonly [pointer: string, value?: Edit['value']];

/** A part of the text, which is there once, and what it becomes. */
type Part = readonly [before: string, after: string];

/** The text after some edits; undefined if they are refused. */
export function edited(text: string, ...changes: readonly Change[]): string | undefined {
  return editYaml(
    text,
    changes.map(([pointer, value]) => ({ document: 0, pointer, value })),
  );
}

/** By title: a text, its edits, and all parts of the text that change. */
export function testEdits(cases: Readonly<Record<string, readonly [string, readonly Change[], ...Part[]]>>): void {
  it.each(Object.entries(cases))('%s', (_, [text, changes, ...parts]) => {
    expect(edited(text, ...changes)).toBe(parts.reduce(withPart, text));
  });
}

function withPart(text: string, [before, after]: Part): string {
  expect(text.split(before), before).toHaveLength(2);
  return text.replace(before, () => after);
}

/** A text of these lines, the last one ended. */
export function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
