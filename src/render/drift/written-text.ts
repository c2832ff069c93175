// What `almanac drift --write` wrote into the source files, what it could not write and why.

import type { DriftDocument, NotWrittenField, WrittenField } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { moreWords, mostEqual } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

const mostListed = 10;

/** One entry a resource; many are folded. */
export function writtenEntries(written: readonly WrittenField[], showsAll = false): readonly string[] {
  const groups = byAddress(written).map(([address, fields]) => {
    const places = fields.map((field) => `${fieldName(field)} (${safeText(fileAndLine(field))})`);
    return `${safeText(address)}: ${places.join(', ')}`;
  });
  return folded(groups, showsAll, mostListed);
}

/** For each reason, its words and the fields. */
export function notWrittenEntries(
  notWritten: readonly NotWrittenField[],
  showsAll = false,
): readonly { readonly words: string; readonly names: readonly string[] }[] {
  return [...groupBy(notWritten, ({ message }) => message)].map(([message, fields]) => {
    const names = byAddress(fields).map(([address, own]) => {
      const fieldNames = own.map(fieldName).filter((name) => name !== '');
      return `${safeText(address)}${fieldNames.length === 0 ? '' : `: ${fieldNames.join(', ')}`}`;
    });
    return { words: safeText(message), names: folded(names, showsAll, mostEqual) };
  });
}

export function writtenLines(page: Page, written: readonly WrittenField[]): readonly string[] {
  if (written.length === 0) return [];
  const entries = writtenEntries(written, page.showsAll);
  return [page.theme.strong('Written into the source files:'), ...entries.flatMap((entry) => itemLines(page, entry))];
}

export function notWrittenLines(page: Page, notWritten: readonly NotWrittenField[]): readonly string[] {
  if (notWritten.length === 0) return [];
  const groups = notWrittenEntries(notWritten, page.showsAll).flatMap(({ words, names }) => [
    ...names.flatMap((name) => itemLines(page, name)),
    ...wrap(words, page.width, '    '),
  ]);
  return [page.theme.strong('Not written:'), ...groups];
}

/** What only a deep look has shown, an apply sees only with a deep look of its own. */
export function applyAsDeep(isDeep: boolean): string {
  return `almanac apply --refresh${isDeep ? '=deep' : ''}`;
}

/** What was done, and what comes next. */
export function writtenWords(
  { written = [] }: DriftDocument,
  alsoReadBy: readonly string[],
  isDeep: boolean,
): readonly string[] {
  if (written.length === 0) return ['No file was changed.'];
  const count = countOf(byAddress(written).length, 'resource');
  const files = countOf(new Set(written.map(({ file }) => file)).size, 'file');
  const others = alsoReadBy.map((name) => safeText(name)).join(', ');
  return [
    `The changes of ${count} are in ${files} now. Look at \`git diff\` and commit it: \`${applyAsDeep(isDeep)}\` then updates the state and sends nothing for them.`,
    ...(others === '' ? [] : [`Other environments read the same files (${others}): plan them before you merge.`]),
  ];
}

function itemLines({ width }: Page, text: string): readonly string[] {
  return wrap(text, width - 4).map((line, index) => (index === 0 ? `  - ${line}` : `    ${line}`));
}

function byAddress<F extends { readonly address: Address }>(
  fields: readonly F[],
): readonly (readonly [Address, readonly F[]])[] {
  return [...groupBy(fields, ({ address }) => address)];
}

function fieldName({ path }: { readonly path: string }): string {
  return safeText(pointerSegments(path)[0] ?? '');
}

function folded(entries: readonly string[], showsAll: boolean, most: number): readonly string[] {
  if (showsAll || entries.length <= most) return entries;
  return [...entries.slice(0, mostEqual), moreWords(entries.length - mostEqual)];
}
