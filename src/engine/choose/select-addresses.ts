// What --select matches: tags and owners that are declared in `meta`, and addresses. A selector that matches nothing is
// refused, because a typing mistake must not look like "nothing to do".

import { ownerInMeta, tagsInMeta } from '../../model/fields/meta.ts';
import { type Address, groupOf } from '../../model/values/address.ts';
import { wildcard } from '../../model/values/wildcard.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';

export interface Selectable {
  readonly address: Address;
  /** As they are declared; undefined for what is no longer declared, which has no tags and no owner. */
  readonly attributes?: DeclaredObject | undefined;
}

/** What a selector with a label looks at. */
const labels = {
  tag: tagsInMeta,
  owner: (attributes: DeclaredObject) => {
    const owner = ownerInMeta(attributes);
    return owner === undefined ? [] : [owner];
  },
} as const;

type Label = keyof typeof labels;

/** The addresses that any of the selectors matches, in the order of `among`. Throws Failure usage. */
export function selectAddresses(
  selectors: readonly string[],
  among: readonly Selectable[],
  source: FindingSource,
): ReadonlySet<Address> {
  const found = new Set<Address>();
  const findings = selectors.flatMap((selector): readonly Finding[] => {
    const matched = matchedBy(selector, among);
    for (const { address } of matched) found.add(address);
    return matched.length > 0 ? [] : [noMatch(selector, among)];
  });
  if (findings.length > 0)
    throw new Failure('usage', 'A selector of --select matches nothing; nothing was done.', {
      hint: 'A selector is tag:NAME, owner:NAME or an address, where * stands for any characters.',
      findings,
      source,
    });
  return new Set(among.flatMap(({ address }) => (found.has(address) ? [address] : [])));
}

function matchedBy(selector: string, among: readonly Selectable[]): readonly Selectable[] {
  const { label, text } = read(selector);
  const matches = wildcard(text);
  return label === undefined
    ? among.filter(({ address }) => matches(address) || matches(groupOf(address)))
    : among.filter((each) => labelled(each, label).some(matches));
}

function read(selector: string): { readonly label: Label | undefined; readonly text: string } {
  const at = selector.indexOf(':');
  const label = Object.keys(labels).find((name): name is Label => name === selector.slice(0, Math.max(0, at)));
  return { label, text: label === undefined ? selector : selector.slice(at + 1) };
}

function noMatch(selector: string, among: readonly Selectable[]): Finding {
  const { label, text } = read(selector);
  const known = [...new Set(among.flatMap((each) => namesOf(each, label)))];
  const near = didYouMean(text, known);
  return {
    code: 'unknown-selector',
    message: `\`${selector}\` matches nothing.`,
    hint: near === undefined ? whatThereIs(label) : near.replace('`', `\`${label === undefined ? '' : `${label}:`}`),
  };
}

function namesOf(each: Selectable, label: Label | undefined): readonly string[] {
  if (label !== undefined) return labelled(each, label);
  const ofLabel = (own: Label) => labelled(each, own).map((name) => `${own}:${name}`);
  return [each.address, groupOf(each.address), ...ofLabel('tag'), ...ofLabel('owner')];
}

function labelled({ attributes }: Selectable, label: Label): readonly string[] {
  return attributes === undefined ? [] : labels[label](attributes);
}

function whatThereIs(label: Label | undefined): string {
  switch (label) {
    case undefined:
      return 'A selector is `tag:NAME`, `owner:NAME` or an address, such as `schedules.fin-*`.';
    case 'tag':
      return 'Declare it in `meta: { tags: […] }`. What is no longer declared has no tags: use its address.';
    case 'owner':
      return 'Declare it in `meta: { owner: … }`. What is no longer declared has no owner: use its address.';
  }
}
