// Finds what selectors name: addresses, in which * stands for any characters, keys that only one address has, and labels such as
// `tag:board`. Addresses add up, labels of one kind add up, and different kinds narrow each other. A selector that matches
// nothing or may mean several things is refused, because a typing mistake must not look like "nothing to do".

import { nearest } from '../declare/findings/suggest.ts';
import type { Loaded } from '../declare/load/load.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { ownerInMeta, tagsInMeta } from '../model/fields/common-fields.ts';
import { textOf } from '../model/fields/conditions.ts';
import { deliveryOf, destinationOf } from '../model/fields/delivery.ts';
import { destinations } from '../model/fields/field.ts';
import { address as addressPattern } from '../model/fields/patterns.ts';
import { plainNames } from '../model/fields/receiver.ts';
import type { State } from '../model/plan/state.ts';
import {
  type Address,
  addressOf,
  behindDot,
  groupOf,
  type Kind,
  kindOf,
  kindsInOrder,
  kindsInWords,
  recurringKinds,
} from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { type LabelName, labelNames, selectorForms, wildcard } from '../model/values/wildcard.ts';
import { codeList } from '../model/values/words.ts';
import { hasErrors } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import {
  type DeclaredObject,
  declaredAttributes,
  nothingDeclared,
  type Resource,
} from '../model/workspace/resource.ts';
import { knownAddresses } from './match.ts';

interface Selectable {
  readonly address: Address;
  /** The attributes of what is declared, with and without the sink of the environment, and of what was applied. */
  readonly sides: readonly DeclaredObject[];
}

interface Label {
  readonly textsOf: (selectable: Selectable) => readonly string[];
  readonly ignoresCase?: true;
  readonly hint: string;
}

const labels: Readonly<Record<LabelName, Label>> = {
  tag: { textsOf: onSides(tagsInMeta), hint: 'Declare it in `meta: { tags: […] }`.' },
  owner: {
    textsOf: onSides((attributes) => [ownerInMeta(attributes) ?? []].flat()),
    hint: 'Declare it in `meta: { owner: … }`.',
  },
  to: {
    textsOf: onSides(receiversIn),
    ignoresCase: true,
    hint: 'A recipient is an e-mail address, a domain (`to:*@partner.com`), the id of a Slack channel or user, a host or a bucket.',
  },
  dashboard: {
    textsOf: onSides(({ identifier }) => (typeof identifier === 'string' ? [identifier] : [])),
    hint: `Write the identifier of the dashboard, the last part of its URL; \`${command('list documents')}\` lists them.`,
  },
  via: {
    // A job's posts while it runs are not deliveries.
    textsOf: onSides((attributes, kind) =>
      recurringKinds.includes(kind) ? [destinationOf({ kind, attributes }) ?? []].flat() : [],
    ),
    hint: `The destinations are ${destinations.join(', ')}.`,
  },
  kind: {
    textsOf: ({ address }) => kindsAt(address),
    hint: `The kinds are ${kindsInOrder.join(', ')}; not every command is about all of them.`,
  },
  shows: { textsOf: onSides(valuesIn), hint: 'Write a value of a filter, as `filterConfig` or `filters` sets it.' },
};

/** The reason why something that exists cannot be selected here. */
export interface Unfit {
  /** The words that follow its address. */
  readonly why: string;
  readonly hint?: string | undefined;
}

/** Everything that exists, as far as a command reads it: a key may stand for it. */
interface SelectableThings {
  /** Absent if only the state is read. */
  readonly loaded?: Pick<Loaded, 'desired' | 'findings' | 'fileNamed'>;
  readonly state?: State | undefined;
  /** The addresses that other environments track as well. */
  readonly elsewhere?: Iterable<Address>;
  readonly whyNot?: (address: Address) => Unfit | undefined;
  /** The message about something that does not exist. */
  readonly nothing?: string;
  /** True in CI for deliveries: a key that is unique today may not be tomorrow. */
  readonly onlyWhole?: boolean;
}

/** The resources that selectors choose from. */
export interface Choice extends SelectableThings {
  readonly selectables: readonly Selectable[];
}

/** The choice among these addresses. What moves is still to be found where it was applied. */
export function choiceAmong(addresses: Iterable<Address>, existing: SelectableThings): Choice {
  const { resources = [], moves = [] } = existing.loaded?.desired ?? {};
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  const later = new Map(moves.map(({ from, to }) => [from, to]));
  const selectables = [...addresses].map((address) => {
    const resource = declared.get(address) ?? declared.get(later.get(address) ?? '');
    const applied = existing.state?.resources[address]?.attributes;
    return { address, sides: [...declaredSides(resource), ...(applied === undefined ? [] : [applied])] };
  });
  return { ...existing, selectables };
}

function declaredSides(resource: Resource | undefined): readonly DeclaredObject[] {
  if (resource === undefined) return [];
  return resource.sink === undefined
    ? [resource.attributes]
    : [resource.attributes, declaredAttributes<DeclaredObject>(resource)];
}

export interface Selected {
  /** The chosen addresses, in the order of the selectors, and then in that of the choice. */
  readonly addresses: ReadonlySet<Address>;
  /** The selectors, with whole addresses in place of keys. */
  readonly selectors: readonly string[];
  /** True if a selector names a resource itself, or its loop: not by a label, and not by a pattern. */
  readonly isNamed: (address: Address) => boolean;
}

/** Finds what the selectors choose. An empty list chooses nothing. Throws Failure usage. */
export function resolve(selectors: readonly string[], choice: Choice): Selected {
  const read = readAll(selectors, choice);
  const groups = [...groupBy(read, ({ name }) => name).values()];
  const isChosen = (each: Selectable) => groups.every((same) => same.some(({ matches }) => matches(each)));
  const chosen = groups.length === 0 ? [] : choice.selectables.filter(isChosen);
  if (chosen.length === 0 && groups.length > 1)
    throw new Failure('usage', `Nothing matches all of ${selectors.join(', ')}; nothing was done.`, {
      hint: 'Addresses add up, and so do labels of one kind; different kinds narrow each other. Leave one out.',
    });
  const firstOf = new Map(chosen.map((each) => [each, read.findIndex(({ matches }) => matches(each))]));
  const ordered = chosen.toSorted((a, b) => (firstOf.get(a) ?? 0) - (firstOf.get(b) ?? 0));
  const names = new Set(read.flatMap(({ isAddress, written }) => (isAddress ? [written] : [])));
  return {
    addresses: new Set(ordered.map(({ address }) => address)),
    selectors: read.map(({ written }) => written),
    isNamed: (address) => names.has(address) || names.has(groupOf(address)),
  };
}

/** The same, and everything where there are no selectors: for what only shows. */
export function resolveOrAll(selectors: readonly string[], choice: Choice): Selected {
  const chosen = resolve(selectors, choice);
  return selectors.length > 0
    ? chosen
    : { ...chosen, addresses: new Set(choice.selectables.map(({ address }) => address)) };
}

/** The one resource that an address or a key names. Throws Failure usage. */
export function resolveOne(word: string, choice: Choice): Address {
  if (!readSelector(word).isAddress)
    throw new Failure('usage', `\`${word}\` is not an address, and one resource is meant.`, {
      hint: 'An address is a section and a key, such as schedules.weekly-sales.',
    });
  const { selectors, addresses } = resolve([word], choice);
  const [address = word] = selectors;
  if (addresses.has(address)) return address;
  throw new Failure('usage', `${address} is a loop, and one resource is meant.`, {
    hint: `Name one of its instances, such as ${[...addresses][0]}.`,
  });
}

/** Throws Failure usage, one for all selectors that match nothing or may mean several things. */
export function requireMatches(selectors: readonly string[], choice: Choice): void {
  readAll(selectors, choice);
}

/**
 * Finds what the selectors choose among what was applied and can be delivered again. Throws Failure usage, and invalid-workspace:
 * a file that cannot be read hides labels and keys.
 */
export function selectApplied(
  selectors: readonly string[],
  { loaded, state, onlyWhole }: Pick<SelectableThings, 'state' | 'onlyWhole'> & { readonly loaded: Loaded },
): Selected {
  if (selectors.some((selector) => readSelector(selector).name !== undefined))
    requireSound('a label cannot know everything that it matches', loaded);
  const applied = Object.entries(state?.resources ?? {});
  const isTriggered = (address: Address) => kindsAt(address).some((kind) => recurringKinds.includes(kind));
  const deliverable = applied.flatMap(([address, { id }]) => (isTriggered(address) && id !== undefined ? address : []));
  const tracked = new Set(applied.flatMap(([address]) => [address, groupOf(address)]));
  const whyNot = (address: Address): Unfit => {
    if (!isTriggered(address)) return { why: `is not a ${kindsInWords(recurringKinds, 'or')}` };
    return tracked.has(address)
      ? { why: 'only ran once, so there is nothing to deliver again' }
      : { why: 'was not applied', hint: `Run \`${command('apply')}\` first.` };
  };
  return resolve(selectors, choiceAmong(deliverable, { loaded, state, onlyWhole, whyNot, nothing: 'was not applied' }));
}

function requireSound(why: string, loaded: SelectableThings['loaded']): void {
  if (loaded === undefined || !hasErrors(loaded.findings)) return;
  throw invalidWorkspace(`The declarations have errors, so ${why}.`, loaded.findings, loaded);
}

/** True if a word that may mean something else is a selector, without knowing what exists. */
export function isSelector(word: string): boolean {
  return readSelector(word).name !== undefined || kindOf(word) !== undefined;
}

const wholeAddress = new RegExp(addressPattern);

/** True if a word has the form of an address without its section. An instance has the key of its loop and its own. */
export function isKey(word: string): boolean {
  return kindOf(word) === undefined && wholeAddress.test(addressOf('schedule', word));
}

/** Everything that a key may stand for: what is declared in any environment, now or before a move, or tracked. Throws Failure invalid-workspace. */
export function meaningsOf(key: string, choice: Choice): readonly Address[] {
  if (!isKey(key)) return [];
  requireSound('it is not known whether a key is unique', choice.loaded);
  return addressesByKey(choice).get(key)?.toSorted(byCodeUnit) ?? [];
}

/** The addresses of everything that exists, keyed by its key. */
export function addressesByKey(choice: Choice): ReadonlyMap<string, readonly Address[]> {
  return groupBy([...existingIn(choice)], behindDot);
}

/** The selectors that a word was probably meant as, by its exact words. */
export function likelySelectors(word: string, choice: Choice): readonly string[] {
  const meanings = meaningsOf(word, choice);
  if (meanings.length > 0) return meanings;
  return choice.selectables.some(readSelector(word).matches) ? [word] : nearTo(word, choice);
}

function existingIn({ selectables, loaded, state, elsewhere = [] }: Choice): ReadonlySet<Address> {
  const desired = loaded?.desired ?? nothingDeclared;
  const { loops = [], absent = [], moves } = desired;
  const all = [
    ...[...selectables, ...loops, ...absent].map(({ address }) => address),
    ...moves.map(({ from }) => from),
    ...knownAddresses(desired, state),
    ...elsewhere,
  ];
  return new Set(all.flatMap((address) => [address, groupOf(address)]));
}

/** Every label that selects a resource with these attributes, as `tag:board`. */
export function labelsOf(address: Address, attributes: DeclaredObject): readonly string[] {
  return labelsIn({ address, sides: [attributes] });
}

interface Selector {
  /** The selector with the whole address in place of a key. */
  readonly written: string;
  /** The name of the label; undefined for an address. */
  readonly name: LabelName | undefined;
  /** The selector without its label. */
  readonly text: string;
  readonly isAddress: boolean;
  readonly matches: (each: Selectable) => boolean;
}

function readSelector(written: string): Selector {
  const name = labelNames.find((each) => written.startsWith(`${each}:`));
  if (name === undefined) {
    const isNamed = wildcard(written);
    const matches = ({ address }: Selectable) => isNamed(address) || isNamed(groupOf(address));
    return { written, name, text: written, isAddress: !written.includes('*'), matches };
  }
  const text = written.slice(name.length + 1);
  const { textsOf, ignoresCase } = labels[name];
  const isMeant = wildcard(text, { ignoresCase });
  return { written, name, text, isAddress: false, matches: (each) => textsOf(each).some(isMeant) };
}

interface Fault {
  readonly message: string;
  readonly hint: string | undefined;
}

function readAll(selectors: readonly string[], choice: Choice): readonly Selector[] {
  const read = selectors.map((word) => readAmong(word, choice));
  const faults = read.filter((each) => 'message' in each);
  if (faults.length === 0) return read.filter((each) => 'matches' in each);
  const hints = new Set(faults.flatMap(({ hint }) => hint ?? []));
  throw new Failure('usage', `${faults.map(({ message }) => message).join('\n')} Nothing was done.`, {
    hint: hints.size === 0 ? undefined : [...hints].join('\n'),
  });
}

function readAmong(word: string, choice: Choice): Selector | Fault {
  const meanings = meaningsOf(word, choice);
  const [address = word, ...others] = meanings;
  if (others.length > 0)
    return { message: `\`${word}\` may be ${codeList(meanings, 'or')}.`, hint: 'Write the whole address.' };
  if (address !== word && choice.onlyWhole)
    return {
      message: `\`${word}\` is not a whole address. In CI, only a whole address names what is delivered: a key that is unique today need not be tomorrow.`,
      hint: `Write \`${address}\`.`,
    };
  const selector = readSelector(address);
  return choice.selectables.some(selector.matches) ? selector : faultOf(selector, choice);
}

function faultOf({ name, text, written }: Selector, choice: Choice): Fault {
  const { selectables, loaded, state, whyNot, nothing = 'matches nothing' } = choice;
  const { absent = [], loops = [], moves } = loaded?.desired ?? nothingDeclared;
  if (absent.some(({ address }) => address === written))
    return {
      message: `\`${written}\` does not exist in this environment.`,
      hint: 'It is declared for other environments (`in`, or `skip` in `deliver`).',
    };
  if (name !== undefined) {
    const message = `\`${written}\` matches nothing.`;
    const names = [...new Set(selectables.flatMap(labels[name].textsOf))];
    // People have the URL of a dashboard.
    const part = text.split(/[/?#]/).find((each) => names.includes(each)) ?? nearest(text, names);
    const near = part !== undefined && part !== text;
    return { message, hint: near ? suggestionHint([`${name}:${part}`]) : labels[name].hint };
  }
  const message = `\`${written}\` ${nothing}.`;
  if (loops.some(({ address, keys }) => address === written && keys.length === 0))
    return {
      message: `\`${written}\` is a loop without items, so it declares nothing.`,
      hint: 'Add an item to its `forEach`, or a row to its table.',
    };
  const ends = moves.flatMap(({ from, to }) => (from === written ? to : to === written ? from : []));
  const moved = ends.filter((end) => selectables.some(readSelector(end).matches));
  if (moved.length > 0) return { message, hint: suggestionHint(moved) };
  const unfit = existingIn(choice).has(written) ? whyNot?.(written) : undefined;
  if (unfit !== undefined) return { message: `\`${written}\` ${unfit.why}.`, hint: unfit.hint };
  const lists = [
    loaded !== undefined && `\`${command('show', '--resolved')}\` prints what is declared.`,
    state !== undefined && `\`${command('state list')}\` lists what was applied.`,
  ].filter((each) => each !== false);
  if (/^[!^-]/.test(written)) return { message, hint: 'Selectors cannot exclude: name the resources that you mean.' };
  if (/^[^,]+(?:,[^,]+)+$/.test(written)) return { message, hint: 'Separate selectors with blanks instead of commas.' };
  const isFormed = kindOf(written) !== undefined || isKey(written);
  const otherwise = isFormed && lists.length > 0 ? lists.join(' ') : `A selector is ${selectorForms}.`;
  return { message, hint: suggestionHint(nearTo(written, choice)) ?? otherwise };
}

/**
 * Suggestions for a word that selects nothing: the resource with this id in Omni, the label with this text, or the
 * full addresses with this key, in any section.
 */
function nearTo(word: string, { selectables: known, state }: Choice): readonly string[] {
  const withId = known.flatMap(({ address }) => (state?.resources[address]?.id === word ? address : []));
  if (withId.length > 0) return withId;
  const asText = new Set(known.flatMap(labelsIn).filter((label) => label.slice(label.indexOf(':') + 1) === word));
  if (asText.size > 0) return [...asText];
  const near = nearest(word, [...new Set(known.flatMap(selectedBy))]);
  if (near !== undefined) return [near];
  const addresses = new Set(known.flatMap(({ address }) => [address, groupOf(address)]));
  const byKey = groupBy([...addresses], behindDot);
  const key = kindOf(word) === undefined ? word : behindDot(word);
  return byKey.get(nearest(key, byKey) ?? '') ?? [];
}

function suggestionHint(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `Did you mean ${codeList(words, 'or')}?`;
}

/** Everything that selects it without a pattern. */
function selectedBy(each: Selectable): readonly string[] {
  const { address } = each;
  return [address, groupOf(address), ...labelsIn(each)];
}

function labelsIn(each: Selectable): readonly string[] {
  return labelNames.flatMap((name) => labels[name].textsOf(each).map((text) => `${name}:${text}`));
}

function onSides(textsOf: (attributes: DeclaredObject, kind: Kind) => readonly string[]): Label['textsOf'] {
  return ({ address, sides }) =>
    kindsAt(address).flatMap((kind) => sides.flatMap((attributes) => textsOf(attributes, kind)));
}

function receiversIn(attributes: DeclaredObject, kind: Kind): readonly string[] {
  const { to, inExtra } = deliveryOf(kind, attributes);
  return [...to, ...inExtra].flatMap(plainNames);
}

/** The values of the filters of a delivery. */
function valuesIn(attributes: DeclaredObject, kind: Kind): readonly string[] {
  return [...deliveryOf(kind, attributes).rows.values()].flatMap(({ condition: { values } }) =>
    (Array.isArray(values) ? values : []).flatMap((value) => (isText(value) ? textOf(value) : [])),
  );
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The kinds at an address; empty for a text that is not one. */
function kindsAt(address: Address): readonly Kind[] {
  const kind = kindOf(address);
  return kind === undefined ? [] : [kind];
}
