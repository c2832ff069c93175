// Finds what a misspelled filter, receiver or value of the table probably means.

import type { Receiver } from '../../model/fields/receiver.ts';
import { domainOf } from '../../model/values/domains.ts';
import { type Json, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, type FindingWords, placeOf } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { nearlyWords, nearTexts } from '../findings/near-text.ts';
import { nearest } from '../findings/suggest.ts';
import type { RowRules, ShownValue } from './judge-rows.ts';
import type { ReceiverPermissions } from './permissions.ts';

/** The filters of `safety.rows` that nothing declares, each with the declared one that is near to it. */
export function misnamedFilters(
  filters: readonly string[],
  resources: readonly Resource[],
): ReadonlyMap<string, string> {
  const set = new Set(resources.flatMap(({ attributes }) => Object.keys(mapAt(attributes as Json, 'filterConfig'))));
  return new Map(
    filters.flatMap((id) => {
      // A field of a view, `orders.customer`, is not the id of a filter, which may have its name.
      const near = set.has(id)
        ? undefined
        : (nearest(id, [...set], 2) ?? [...set].find((each) => each === id.replace(/^.*\./, '')));
      return near === undefined || filters.includes(near) ? [] : [[id, near] as const];
    }),
  );
}

/** One mistake where it is written, whatever number of declarations have the filter. */
export function misnamedWords(
  misnamed: ReadonlyMap<string, string>,
  { file = '', safety }: Pick<Config, 'file' | 'safety'>,
  resources: readonly Resource[],
): readonly Finding[] {
  const isSet = (near: string, { attributes }: Resource) =>
    Object.hasOwn(mapAt(attributes as Json, 'filterConfig'), near);
  return [...misnamed].map(([id, near]) => ({
    code: 'rows-of-others',
    message: `No declaration has the filter \`${id}\`, so it limits nothing.`,
    hint: `Did you mean \`${near}\`? Write the id that the dashboard has in both places.`,
    related: resources
      .filter((each) => isSet(near, each))
      .slice(0, 1)
      .map((each) => ({
        place: placeOfField(each, pointerTo('filterConfig', near), { at: 'key' }).place,
        message: `This has the filter \`${near}\`.`,
      })),
    place: placeOf({
      file,
      document: 0,
      pointer: pointerTo('safety', 'rows', 'filters', safety.rows?.filters.indexOf(id) ?? 0),
    }),
  }));
}

/** The receiver or the internal domain that was probably meant, by its letters. */
export function nearReceiver(
  { kind, shown }: Receiver,
  values: readonly string[],
  { permissions, internalDomains = [] }: RowRules,
): string | undefined {
  const domain = kind === 'email' ? domainOf(shown)?.toLowerCase() : undefined;
  if (domain === undefined) return undefined;
  const inside = nearest(domain, internalDomains, 2);
  if (inside !== undefined)
    return `Did you mean ${quote(shown.slice(0, -domain.length) + inside)}, inside of \`${inside}\`?`;
  const lines = permissions.permissions().filter(({ shows }) => values.includes(shows));
  const line = lines.find(({ receiver }) => nearest(domain, [domainOf(receiver)?.toLowerCase() ?? receiver], 2));
  if (line === undefined) return undefined;
  return `${permissions.file}:${line.row.line} has ${quote(line.receiver)} for ${quote(line.shows)}. If that is misspelled, whoever owns ${permissions.file} corrects this line; otherwise correct the receiver.`;
}

/** The value of a line that was probably meant: adding a line for the other spelling allows nothing more. */
export function nearWords(
  allowed: ReceiverPermissions,
  valuesOfOthers: readonly ShownValue[],
): Pick<FindingWords, 'message' | 'hint'> | undefined {
  const nearly = nearTexts(allowed.lines.map(({ shows }) => shows));
  for (const { value, filter } of valuesOfOthers) {
    const line = nearly(value);
    if (line !== undefined)
      return {
        message: ` ${quote(value)} differs from ${quote(line)} of the table ${nearlyWords}.`,
        hint: `Write ${quote(line)} in \`${filter}\`, as the table has it, if that is how Omni spells it. Otherwise correct the table.`,
      };
  }
  return undefined;
}
