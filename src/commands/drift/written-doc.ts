// What `almanac drift --write` wrote into the source files, and what it did not.

import type { NotWrittenField, WrittenField } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { mostEqual, mostSingle } from '../../model/values/words.ts';
import { code, type Doc, indented, section } from '../../report/doc.ts';
import { fileAndLine } from '../../report/text/words.ts';

export function writtenDoc(written: readonly WrittenField[], notWritten: readonly NotWrittenField[]): Doc {
  const rows = byAddress(written).map(([address, fields]) => {
    const places = fields.map((field) => `${fieldName(field)} (${fileAndLine(field)})`);
    return code(`${address}: ${places.join(', ')}`);
  });
  return [
    section('Not written', byReason(notWritten)),
    section('Written into the source files', [{ list: rows, most: mostSingle }]),
  ];
}

/** For each reason, the resources with their fields. */
function byReason(notWritten: readonly NotWrittenField[]): Doc {
  return [...groupBy(notWritten, ({ message }) => message)].flatMap(([message, fields]) => {
    const names = byAddress(fields).map(([address, own]) => {
      const fieldNames = own.map(fieldName).filter((name) => name !== '');
      return code(`${address}${fieldNames.length === 0 ? '' : `: ${fieldNames.join(', ')}`}`);
    });
    return [{ list: names, most: mostEqual }, indented(2, message)];
  });
}

/** How many resources were written. */
export function writtenCount(written: readonly WrittenField[]): number {
  return byAddress(written).length;
}

function byAddress<F extends { readonly address: Address }>(
  fields: readonly F[],
): readonly (readonly [Address, readonly F[]])[] {
  return [...groupBy(fields, ({ address }) => address)];
}

function fieldName({ path }: { readonly path: string }): string {
  return pointerSegments(path)[0] ?? '';
}
