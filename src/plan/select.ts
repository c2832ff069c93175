// What selectors name: addresses, in which * stands for any characters, and labels such as `tag:board`. Addresses add up, labels
// of one kind add up, and different kinds narrow each other. A selector that matches nothing is refused, because a typing mistake
// must not look like "nothing to do".

import { didYouMean } from '../declare/findings/suggest.ts';
import type { Loaded } from '../declare/load/load.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { ownerInMeta, tagsInMeta } from '../model/fields/common-fields.ts';
import { deliveryOf, destinationOf } from '../model/fields/delivery.ts';
import { destinations } from '../model/fields/field.ts';
import { plainNames } from '../model/fields/receiver.ts';
import type { State } from '../model/plan/state.ts';
import {
  type Address,
  groupOf,
  type Kind,
  kindOf,
  kindsInOrder,
  kindsInWords,
  recurringKinds,
} from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { type LabelName, labelNames, selectorForms } from '../model/values/selectors.ts';
import { wildcard } from '../model/values/wildcard.ts';
import { countOf } from '../model/values/words.ts';
import { type Finding, hasErrors } from '../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../model/workspace/failure.ts';
import { type DeclaredObject, type Desired, declaredAttributes, type Resource } from '../model/workspace/resource.ts';

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
    hint: 'It is an e-mail address, a domain (`to:*@partner.com`), the id of a Slack channel or user, a host or a bucket.',
  },
  dashboard: {
    textsOf: onSides(({ identifier }) => (typeof identifier === 'string' ? [identifier] : [])),
    hint: 'It is the identifier of a dashboard, the last part of its URL; `almanac list documents` lists them.',
  },
  via: {
    // What a job posts while it runs is no delivery.
    textsOf: onSides((attributes, kind) =>
      recurringKinds.includes(kind) ? [destinationOf({ kind, attributes }) ?? []].flat() : [],
    ),
    hint: `It is one of ${destinations.join(', ')}.`,
  },
  kind: { textsOf: ({ address }) => kindsAt(address), hint: `It is one of ${kindsInOrder.join(', ')}.` },
};

/** What can be selected at these addresses. What moves is still to be found where it was applied. */
export function selectablesAt(
  addresses: Iterable<Address>,
  { resources = [], moves = [] }: Partial<Pick<Desired, 'resources' | 'moves'>>,
  state?: State,
): readonly Selectable[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  const later = new Map(moves.map(({ from, to }) => [from, to]));
  return [...addresses].map((address) => {
    const resource = declared.get(address) ?? declared.get(later.get(address) ?? '');
    const applied = state?.resources[address]?.attributes;
    return { address, sides: [...declaredSides(resource), ...(applied === undefined ? [] : [applied])] };
  });
}

function declaredSides(resource: Resource | undefined): readonly DeclaredObject[] {
  if (resource === undefined) return [];
  return resource.sink === undefined
    ? [resource.attributes]
    : [resource.attributes, declaredAttributes<DeclaredObject>(resource)];
}

interface Among {
  /** False where there is no state whose list would help; left out where nobody has asked. */
  readonly hasState?: boolean;
  readonly source?: FindingSource | undefined;
  /** Why an address of something else cannot be selected here, as the end of a sentence; undefined for what nothing has. */
  readonly whyNot?: (address: Address) => string | undefined;
}

/**
 * The addresses that the selectors choose, in the order of the selectors and then in that of `known`. An empty list chooses
 * nothing. Throws Failure usage.
 */
export function resolve(
  selectors: readonly string[],
  known: readonly Selectable[],
  among: Among = {},
): ReadonlySet<Address> {
  requireMatches(selectors, known, among);
  const read = selectors.map(readSelector);
  const groups = [...groupBy(read, ({ name }) => name).values()];
  const isChosen = (each: Selectable) => groups.every((same) => same.some(({ matches }) => matches(each)));
  const chosen = groups.length === 0 ? [] : known.filter(isChosen);
  if (chosen.length === 0 && groups.length > 1)
    throw new Failure('usage', `Nothing matches all of ${selectors.join(', ')}; nothing was done.`, {
      hint: 'Addresses add up, and so do labels of one kind; different kinds narrow each other. Leave one out.',
    });
  const firstOf = new Map(chosen.map((each) => [each, read.findIndex(({ matches }) => matches(each))]));
  const ordered = chosen.toSorted((a, b) => (firstOf.get(a) ?? 0) - (firstOf.get(b) ?? 0));
  return new Set(ordered.map(({ address }) => address));
}

/** The same, and everything where there are no selectors: for what only shows. */
export function resolveOrAll(...[selectors, known, among]: Parameters<typeof resolve>): ReadonlySet<Address> {
  return selectors.length === 0 ? new Set(known.map(({ address }) => address)) : resolve(selectors, known, among);
}

/** Throws Failure usage, which names every selector that matches nothing. */
export function requireMatches(selectors: readonly string[], known: readonly Selectable[], among: Among = {}): void {
  const findings = selectors
    .filter((selector) => !known.some(readSelector(selector).matches))
    .map((selector) => noMatch(selector, known, among));
  if (findings.length > 0)
    throw new Failure(
      'usage',
      `${countOf(findings.length, 'selector matches', 'selectors match')} nothing; nothing was done.`,
      {
        hint:
          among.hasState === false
            ? 'What is declared is listed by `almanac plan`.'
            : 'What was applied is listed by `almanac state list`, and what is new by `almanac plan`.',
        findings,
        source: among.source,
      },
    );
}

/**
 * What the selectors choose among what was applied and can be delivered again. Throws Failure usage, and invalid-workspace: a file that
 * cannot be read hides labels.
 */
export function selectApplied(
  selectors: readonly string[],
  loaded: Loaded,
  state: State | undefined,
): ReadonlySet<Address> {
  const { desired, findings } = loaded;
  if (hasErrors(findings) && selectors.some((selector) => readSelector(selector).name !== undefined))
    throw invalidWorkspace(
      'The declarations have errors, so a label cannot know everything that it matches.',
      findings,
      loaded,
    );
  const applied = Object.entries(state?.resources ?? {});
  const isTriggered = (address: Address) => kindsAt(address).some((kind) => recurringKinds.includes(kind));
  const deliverable = applied.filter(([address, { id }]) => isTriggered(address) && id !== undefined);
  const known = selectablesAt(
    deliverable.map(([address]) => address),
    desired,
    state,
  );
  const tracked = new Set(applied.flatMap(([address]) => [address, groupOf(address)]));
  const whyNot = (address: Address) => {
    if (!tracked.has(address)) return 'was not applied';
    return isTriggered(address)
      ? 'only ran once, so there is nothing to deliver again'
      : `is not a ${kindsInWords(recurringKinds, 'or')}`;
  };
  return resolve(selectors, known, { source: loaded, hasState: state !== undefined, whyNot });
}

/** Whether a selector names a resource itself, or the loop that it is of: not by a label, and not by a pattern. */
export function namedBy(selectors: readonly string[]): (address: Address) => boolean {
  const names = new Set(selectors.filter((selector) => readSelector(selector).isAddress));
  return (address) => names.has(address) || names.has(groupOf(address));
}

/** Whether a word that may mean something else is a selector. */
export function isSelector(word: string): boolean {
  return readSelector(word).name !== undefined || kindOf(word) !== undefined;
}

/** Every label that selects a resource with these attributes, as `tag:board`. */
export function labelsOf(address: Address, attributes: DeclaredObject): readonly string[] {
  return labelsIn({ address, sides: [attributes] });
}

interface Selector {
  /** Undefined for an address. */
  readonly name: LabelName | undefined;
  /** Without the label. */
  readonly text: string;
  readonly isAddress: boolean;
  readonly matches: (each: Selectable) => boolean;
}

function readSelector(selector: string): Selector {
  const name = labelNames.find((each) => selector.startsWith(`${each}:`));
  if (name === undefined) {
    const isNamed = wildcard(selector);
    const matches = ({ address }: Selectable) => isNamed(address) || isNamed(groupOf(address));
    return { name, text: selector, isAddress: !selector.includes('*'), matches };
  }
  const text = selector.slice(name.length + 1);
  const { textsOf, ignoresCase } = labels[name];
  const isMeant = wildcard(text, { ignoresCase });
  return { name, text, isAddress: false, matches: (each) => textsOf(each).some(isMeant) };
}

function noMatch(selector: string, known: readonly Selectable[], { source, whyNot }: Among): Finding {
  const code = 'unknown-selector';
  if (source?.desired.absent?.some(({ address }) => address === selector))
    return {
      code,
      message: `\`${selector}\` does not exist in this environment.`,
      hint: 'It is declared for other environments (`in`, or `skip` in `deliver`).',
    };
  const { name, text } = readSelector(selector);
  const names = [
    ...new Set(known.flatMap((each) => (name === undefined ? selectedBy(each) : labels[name].textsOf(each)))),
  ];
  // Of a dashboard, people have the URL.
  const part = name && text.split(/[/?#]/).find((each) => names.includes(each));
  const near = part === undefined ? didYouMean(text, names) : `Did you mean \`${part}\`?`;
  const labelled = name === undefined ? near : near?.replace('`', `\`${name}:`);
  const otherwise = name === undefined ? `A selector is ${selectorForms}.` : labels[name].hint;
  const why = name === undefined ? whyNot?.(selector) : undefined;
  return { code, message: `\`${selector}\` ${why ?? 'matches nothing'}.`, hint: labelled ?? otherwise };
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

/** None for a text that is no address. */
function kindsAt(address: Address): readonly Kind[] {
  const kind = kindOf(address);
  return kind === undefined ? [] : [kind];
}
