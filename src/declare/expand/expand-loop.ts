// Turns the declaration of a loop into what each of its instances needs: its item, and what `${each.…}` means in it.

import { addressOf, type Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Finding, WithFindings } from '../../model/workspace/diagnostic.ts';
import type { Item, Loop } from '../../model/workspace/resource.ts';
import { placeOf } from '../../model/workspace/source-file.ts';
import { namesIn } from '../../yaml/written/references-in.ts';
import type { EachScope } from './each-scope.ts';
import type { LoopDeclaration, LoopItems } from './item-key.ts';
import { readItems } from './read-items.ts';
import type { Scope } from './resolve-reference.ts';

export interface ExpandedLoop {
  readonly loop: Loop;
  /** The fields of the declaration, which all instances share. */
  readonly fields: JsonObject;
  readonly instances: readonly Instance[];
}

export interface Instance {
  readonly address: string;
  readonly line: number;
  readonly item: Item;
  readonly each: EachScope;
}

interface Declaration extends LoopDeclaration {
  readonly kind: Kind;
  readonly key: string;
  readonly line: number;
  readonly environments: readonly string[] | undefined;
}

/** `nearest` finds the name that was most likely meant. */
export function expandLoop(declaration: Declaration, scope: Scope): WithFindings<ExpandedLoop> {
  const findings: Finding[] = [];
  const { kind, key, line, address, origin, value, environments } = declaration;
  const { forEach: _, forEachRow: __, ...fields } = value;
  const read = readItems(declaration, scope, (finding) => findings.push(finding));
  const { items, isFinal, names, isTable } = read;
  const keys = items.map((item) => item.key);
  const loop: Loop = { kind, address, origin, line, keys, in: environments };
  const all = new Set(['key', ...names]);
  const nearest = memoize((name: string) => scope.nearestOf?.(name, [...all]));
  for (const finding of unusedNames(read, fields, declaration, nearest)) findings.push(finding);
  const instances = items.map((item): Instance => {
    const { key: itemKey, values, isSingle } = item;
    return {
      address: addressOf(kind, key, itemKey),
      line: item.line,
      item: { key: itemKey, origin: item.origin, loop },
      each: {
        key: itemKey,
        values,
        origin: item.origin,
        isSingle,
        isFinal,
        names,
        nearest,
        isTable,
      },
    };
  });
  return { value: { loop, fields, instances }, findings };
}

/** The values of items that no field uses. A variable and a CSV file may have other readers. */
function unusedNames(
  { items, isFinal, names }: LoopItems,
  fields: JsonObject,
  { address }: LoopDeclaration,
  nearest: (name: string) => string | undefined,
): readonly Finding[] {
  if (isFinal || items.length === 0) return [];
  const used = namesIn(fields, 'each');
  // What a misspelled reference means is reported there.
  const meant = new Set([...used].map((name) => (names.has(name) ? name : nearest(name))));
  return [...names]
    .filter((name) => !meant.has(name))
    .flatMap((name): Finding[] => {
      const having = items.filter(({ values }) => Object.hasOwn(values, name));
      const [first] = having;
      if (first === undefined) return [];
      const what = first.isSingle ? 'the item itself' : `\`${name}\``;
      const others = having.length === 1 ? '' : ` The same is true of ${having.length - 1} more.`;
      return [
        {
          code: 'for-each-unused',
          message: `No field of the declaration uses ${what}.${others}`,
          hint: `Write \`\${each.${name}}\` where it belongs, or remove it.`,
          address,
          place: first.isSingle ? placeOf(first.origin) : placeOf(first.origin, 'key', name),
        },
      ];
    });
}

/** The place of the key of an item in the file, if the map stands there. */
export function itemPointer(section: string, key: string, item: string): string {
  return pointerTo(section, key, 'forEach', item);
}
