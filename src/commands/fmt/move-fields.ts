// Moves a field out of `extra` where an earlier version did not know it: the declaration means the same before and after.

import { fieldsInExtra, outOfExtra } from '../../model/fields/out-of-extra.ts';
import { kindOfSection, type Section, sections } from '../../model/values/address.ts';
import { equalJson, type Json, type JsonObject, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { type Edit, editYaml } from '../../yaml/edit/edit-yaml.ts';
import { type Hoist, hoistEntries } from '../../yaml/edit/hoist-entries.ts';
import { commentsOf } from '../../yaml/format/format-yaml.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';

/**
 * `givesExtra`: a default of almanac.yaml may give `extra`. The same text where nothing is to be moved, where a comment would
 * be lost, or where the layout cannot be edited.
 */
export function withFieldsMoved(text: string, givesExtra: boolean): string {
  const before = documentsIn(text);
  const found = before.flatMap(movesIn);
  if (found.length === 0) return text;
  const isGiven = givesExtra || before.some(({ value }) => hasDefaultExtra(value));
  // In a block, a field takes its comments along. What is left of `extra` hides that of a default.
  const hoisted = hoistEntries(text, isGiven ? found.filter(({ isAlone }) => !isAlone) : found);
  const edited = editYaml(
    hoisted,
    documentsIn(hoisted)
      .flatMap(movesIn)
      .flatMap((move) => editsOf(move, isGiven)),
  );
  if (edited === undefined || !equalJson(commentsOf(text), commentsOf(edited))) return text;
  return equalJson(before.map(meant), documentsIn(edited).map(meant)) ? edited : text;
}

function documentsIn(text: string): readonly RawDocument[] {
  return parseSource({ path: '', text }).value;
}

/** Of a source file, or of a part of almanac.yaml. */
export function hasDefaultExtra(value: Json): boolean {
  return sections.some((section) => Object.hasOwn(mapAt(value, 'defaults', section), 'extra'));
}

interface Move extends Hoist {
  readonly extra: JsonObject;
  /** Nothing else is in `extra`. */
  readonly isAlone: boolean;
}

function movesIn({ value, origin: { document } }: RawDocument): readonly Move[] {
  return sections.flatMap((section) =>
    Object.entries(mapAt(value, section)).flatMap(([key, declared]) => {
      const extra = mapAt(declared, 'extra');
      const names = fieldsInExtra(kindOfSection[section], mapAt(declared)).filter((name) => extra[name] !== null);
      const isAlone = Object.keys(extra).length === names.length;
      return names.length === 0 ? [] : [{ document, path: [section, key, 'extra'], names, extra, isAlone }];
    }),
  );
}

function editsOf({ document, path, names, extra, isAlone }: Move, isGiven: boolean): readonly Edit[] {
  const [pointer, beside] = [pointerTo(...path), pointerTo(...path.slice(0, -1))];
  const [name = '', ...others] = names;
  const goes = isAlone && !isGiven;
  // With another key, the line keeps its comment.
  if (goes && others.length === 0)
    return [undefined, name].map((key) => ({ document, pointer, value: extra[name], key }));
  const set = names.map((each) => ({ document, pointer: beside + pointerTo(each), value: extra[each] }));
  const gone = names.map((each) => ({ document, pointer: pointer + pointerTo(each), value: undefined }));
  return [...set, ...(goes ? [{ document, pointer, value: undefined }] : gone)];
}

/** With each field in its place. */
function meant({ value }: RawDocument): Json {
  const placed = (section: Section): JsonObject => {
    const entries = Object.entries(mapAt(value, section));
    return Object.fromEntries(
      entries.map(([key, each]) => [key, withoutEmpty(outOfExtra(kindOfSection[section], mapAt(each)))]),
    );
  };
  return { ...mapAt(value), ...Object.fromEntries(sections.map((section) => [section, placed(section)])) };
}

function withoutEmpty({ extra, ...rest }: JsonObject): JsonObject {
  return Object.keys(mapAt(extra)).length === 0 ? rest : { ...rest, ...(extra === undefined ? {} : { extra }) };
}
