// A value that the declaration of a loop gives to all its instances, and that some of them no longer have: the field becomes
// a reference to the items, and every item gets the value that its instance has.

import { fieldsOf } from '../../model/fields/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { valueAt } from '../../model/values/value-at.ts';
import type { Item } from '../../model/workspace/loop.ts';
import { declaredAttributes, type SealedResource } from '../../model/workspace/resource.ts';
import { escapeInterpolation } from '../../parse/escape-interpolation.ts';
import { referencesIn, replaceEach } from '../../parse/written/references-in.ts';
import { holdsSecret } from '../../plan/diff-attributes.ts';
import type { Supply, ValueSources } from '../sources/value-source.ts';
import type { Goal } from './drift-goals.ts';
import { inFormOf, NotEditable, rewritten } from './edit-value.ts';
import { checkOwned, wantedValue } from './item-value.ts';
import { splicedIn } from './place-candidates.ts';
import {
  entryOf,
  goalKey,
  type ItemEdit,
  isSetField,
  type OpenGoals,
  type PlaceChoice,
  type PlaceEdit,
} from './place-edit.ts';

/** `all`: the goals of all fields, whether they have a place already or not. Throws NotEditable. */
export function intoItems(goal: Goal, supply: Supply | undefined, all: OpenGoals, choice: PlaceChoice): PlaceEdit {
  const { resource, field } = goal;
  const { item } = resource;
  if (item === undefined) throw new NotEditable('used-elsewhere');
  const instances = choice.instancesOf(item.loop.address);
  checkField(goal);
  checkItems(goal, item, choice);
  checkSupply(goal, supply, choice);
  const rows = instances.map((instance) => itemOf(instance, choice.sources));
  const name = freeName(field, rows);
  const goals: Goal[] = [];
  const items = instances.map((instance): ItemEdit => {
    const own = all.get(goalKey(instance.address, field));
    const origin = instance.item?.origin ?? item.origin;
    const value = own === undefined ? undefined : newValue(own, supply, choice, own === goal);
    if (own !== undefined && value !== undefined) goals.push(own);
    return {
      address: instance.address,
      origin: { ...origin, pointer: origin.pointer + pointerTo(name) },
      value: value ?? presentValue(instance, field, supply, choice),
    };
  });
  const origin = entryOf(goal);
  const edits = [{ pointer: origin.pointer, value: `\${each.${name}}` }];
  return { goals, place: { kind: 'resource', origin }, edits, items };
}

/** Fields that decide what the others are. */
function checkField({ resource: { origin, item }, field }: Goal): void {
  if (field !== 'format' && field !== 'destinationType') return;
  throw new NotEditable(
    'items',
    `\`${field}\` is the same for all instances of \`${item?.loop.address ?? ''}\`. Remove the item of this one, declare it in ${origin.file} outside of the loop, and add a \`moved\` entry.`,
  );
}

/** Whether every item can get one more value. */
function checkItems({ field }: Goal, item: Item, choice: PlaceChoice): void {
  const { sources, configFile, otherEnvironments, instancesOf } = choice;
  const { address, origin } = item.loop;
  const { file } = item.origin;
  const why = `All instances of \`${address}\` get \`${field}\` from ${origin.file}, and only some changed.`;
  const declaration = valueAt(sources.documentAt(origin), origin.pointer);
  if (isJsonObject(declaration) && Object.hasOwn(declaration, 'forEachRow'))
    throw new NotEditable(
      'items',
      `${why} That needs a column in ${file}, whose header is never written. Add the column yourself and write \`${field}: \${each.COLUMN}\` in ${origin.file}.`,
    );
  if (file === configFile && otherEnvironments.length > 0)
    throw new NotEditable(
      'items',
      `${why} Their items are a variable of ${file}, and the items of other environments would need the value as well. Add it to all of them yourself, and write \`${field}: \${each.NAME}\` in ${origin.file}.`,
    );
  checkOwned(item, choice);
  const single = instancesOf(address).find((instance) => itemOf(instance, sources) === undefined);
  if (single === undefined) return;
  throw new NotEditable(
    'items',
    `${why} The item \`${single.item?.key ?? ''}\` in ${file} is one value, so it cannot hold another. Make every item a map, and write \`${field}: \${each.${field}}\` in ${origin.file}.`,
  );
}

/** A default that depends on the environment is none that every item could be given. */
function checkSupply({ resource, field }: Goal, supply: Supply | undefined, choice: PlaceChoice): void {
  const { configFile, otherEnvironments, sources } = choice;
  if (supply === undefined || supply.place.origin.file !== configFile) return;
  const { origin } = supply.place;
  const config = sources.documentAt(origin);
  const isOwn = origin.pointer.startsWith('/environments/');
  const isOverridden = otherEnvironments.some(
    (name) => valueAt(config, pointerTo('environments', name) + origin.pointer) !== undefined,
  );
  if (otherEnvironments.length === 0 || (!isOwn && !isOverridden)) return;
  throw new NotEditable(
    'used-elsewhere',
    `The defaults of ${origin.file} give \`${field}\`, another one to each environment, so the other items have no one value. Write \`${field}\` in ${resource.origin.file} yourself.`,
  );
}

/** The values of an item, aliases and merge keys included; undefined if it is one value. */
function itemOf({ item }: SealedResource, sources: ValueSources): JsonObject | undefined {
  if (item === undefined) return undefined;
  const value = valueAt(sources.documentAt(item.origin), item.origin.pointer) ?? null;
  if (value === null) return {};
  return isJsonObject(value) ? value : undefined;
}

function freeName(field: string, items: readonly (JsonObject | undefined)[]): string {
  const isTaken = (name: string) => items.some((item) => item !== undefined && Object.hasOwn(item, name));
  if (!isTaken(field)) return field;
  for (let count = 2; ; count += 1) if (!isTaken(`${field}-${count}`)) return `${field}-${count}`;
}

/** What Omni has. Undefined if that cannot be written, and is not what was asked for. Throws NotEditable. */
function newValue(
  goal: Goal,
  supply: Supply | undefined,
  { sources, configFile }: PlaceChoice,
  isAsked: boolean,
): Json | undefined {
  const { resource, field, declared } = goal;
  try {
    const value = wantedValue(goal);
    if (value === undefined) throw new NotEditable('no-value');
    const { spliced } = splicedIn(resource, field);
    const raw = supply === undefined || spliced !== undefined ? null : inItemForm(supply.raw, resource, sources);
    const target = inFormOf(declared, value);
    const written = rewritten(raw, declared, target, isSetField(resource, field));
    return resource.item?.origin.file === configFile ? escapeInterpolation(target) : written;
  } catch (error) {
    if (!isAsked && error instanceof NotEditable) return undefined;
    throw error;
  }
}

/** What the instance has now, as its item can say it. Throws NotEditable. */
function presentValue(
  resource: SealedResource,
  field: string,
  supply: Supply | undefined,
  { sources, configFile }: PlaceChoice,
): Json {
  const present = declaredAttributes(resource)[field] ?? fieldsOf[resource.kind][field]?.default;
  if (present === undefined) {
    const { address, origin, item } = resource;
    throw new NotEditable(
      'no-value',
      `Only some instances of \`${item?.loop.address ?? address}\` have a \`${field}\` in Omni, and \`${address}\` has none, which its item cannot say. Write \`${field}\` in ${origin.file} yourself, or declare those that have it outside of the loop.`,
    );
  }
  if (supply !== undefined && resource.item?.origin.file !== configFile)
    return inItemForm(supply.raw, resource, sources);
  if (holdsSecret(present)) {
    const words = `Other instances have a secret there, and a secret is never written into a file. Change \`${field}\` in ${resource.origin.file} yourself.`;
    throw new NotEditable('secret', words);
  }
  return escapeInterpolation(present);
}

/** The value as the item could say it: what `${each.…}` refers to stands in its place, and other references stay. */
function inItemForm(raw: Json, resource: SealedResource, sources: ValueSources): Json {
  if (typeof raw === 'string') return textInItem(raw, resource, sources);
  if (Array.isArray(raw))
    return (raw as readonly Json[]).flatMap((part) => {
      const inside = inItemForm(part, resource, sources);
      // The items of a list that is taken in.
      return typeof part === 'string' && Array.isArray(inside) ? (inside as readonly Json[]) : [inside];
    });
  if (!isJsonObject(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, part]) => [key, inItemForm(part, resource, sources)]));
}

function textInItem(text: string, resource: SealedResource, sources: ValueSources): Json {
  const valueNamed = (name: string): Json => {
    return sources.item(resource, name)?.raw ?? null;
  };
  const { whole } = referencesIn(text);
  if (whole?.namespace === 'each') return valueNamed(whole.name);
  return replaceEach(text, (name) => {
    const value = valueNamed(name);
    if (typeof value === 'object') throw new NotEditable('partly-reference');
    return String(value);
  });
}
