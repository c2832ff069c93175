// Errors for numbers that YAML does not keep as written. Where one becomes part of a text, or what a filter compares with,
// another text would be sent, or the rows of another value. Loaded only where a file has such a number.

import { isRemark, secretFieldsOf } from '../model/fields/fields.ts';
import type { Address } from '../model/values/address.ts';
import { isWithin, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { inDoubleQuotes } from '../model/values/unseen.ts';
import { inBackticks, shortText } from '../model/values/words.ts';
import type { Finding, SourceFile } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { type InexactNumber, makeLocator } from '../yaml/locate.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';
import { walkPlaces } from './walk-places.ts';

/** The findings, with an error for each number of the `inexact` files that these resources' texts or filters use. */
export function withInexactNumbers(
  findings: readonly Finding[],
  resources: readonly Resource[],
  inexact: ReadonlySet<string>,
  fileNamed: (path: string) => SourceFile | undefined,
): readonly Finding[] {
  const locator = makeLocator(fileNamed);
  const taken = new Map<string, TakenNumber>();
  const filters: Finding['place'][] = [];
  for (const resource of resources)
    for (const [field, value] of Object.entries(resource.attributes)) {
      if (isRemark(pointerTo(field)) || field === 'extra') continue;
      const isFilter = kindsOfDeclaration[resource.kind].filters?.field === field;
      const isSecret = secretFieldsOf[resource.kind].includes(field);
      walkPlaces(resource, field, value, ({ path, place, isWhole, isText }) => {
        if (!isText || place.kind === 'text-file' || !inexact.has(place.origin.file)) return;
        if (isWhole && !isFilter && !isSecret) return;
        const number = locator.inexactAt(place.origin);
        if (number === undefined) return;
        const spot = `${number.span.start} ${place.origin.file}`;
        const known = taken.get(spot) ?? { number, file: place.origin.file, by: new Set() };
        if (isFilter)
          filters.push(placeOfField(resource, pointerTo(field, ...pointerSegments(path).slice(0, 1))).place);
        // A whole secret is of the wrong type, which is reported where it is used.
        if (!isWhole || isFilter) known.by.add(resource.address);
        const { isCompared = false, isHidden = false } = known;
        taken.set(spot, { ...known, isCompared: isCompared || (isWhole && isFilter), isHidden: isHidden || isSecret });
      });
    }
  const found = [...taken.values()].filter(({ by }) => by.size > 0);
  // Their hints would contain another number than the file.
  const others = findings.filter(({ code, place }) => !code.startsWith('filter-') || !filters.some(holds(place)));
  return [...others, ...found.map(findingOf)];
}

interface TakenNumber {
  readonly number: InexactNumber;
  readonly file: string;
  /** True if a filter compares with it, not with a text that contains it. */
  readonly isCompared?: boolean;
  /** True if a secret contains it as well, so it is not shown. */
  readonly isHidden?: boolean;
  /** The resources with the texts and the filters that contain it. */
  readonly by: Set<Address>;
}

function holds(inner: Finding['place']): (outer: Finding['place']) => boolean {
  return (outer) =>
    inner !== undefined &&
    outer !== undefined &&
    'pointer' in inner &&
    'pointer' in outer &&
    inner.file === outer.file &&
    inner.document === outer.document &&
    isWithin(inner.pointer, outer.pointer);
}

function findingOf({ number: { source, span }, file, by, ...use }: TakenNumber): Finding {
  return { code: 'inexact-number', ...wordsOf(source, use), place: { file, span }, concerns: [...by] };
}

function wordsOf(source: string, { isCompared, isHidden }: Pick<TakenNumber, 'isCompared' | 'isHidden'>) {
  if (isHidden) return { message: 'YAML reads this as a number.', hint: 'Quote it if it is a text.' };
  const number = Number(source);
  const quoted = inBackticks(inDoubleQuotes(shortText(source)));
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    return {
      message: 'YAML reads this as a number, which keeps no more than 15 digits.',
      hint: `Write ${quoted}${isCompared ? ', with `type: string`, or with `type: number` if it is a number' : ''}.`,
    };
  const [asText, asNumber] = isCompared ? [' with `type: string`', ' with `type: number`'] : ['', ''];
  return {
    message: `YAML reads this as the number \`${number}\`, ${isCompared ? 'and a filter compares with that' : 'and that becomes a part of a text'}.`,
    hint: `Write ${quoted}${asText} if it is a text, or \`${number}\`${asNumber} if it is a number.`,
  };
}
