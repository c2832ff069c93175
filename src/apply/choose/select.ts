// What --select, --target and --replace name: tags and owners that are declared in `meta`, and addresses. A selector that
// matches nothing is refused, because a typing mistake must not look like "nothing to do".

import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { ownerInMeta, tagsInMeta } from '../../model/fields/common-fields.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, groupOf, kindOf } from '../../model/values/address.ts';
import { wildcard } from '../../model/values/words.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';

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

/** The addresses that any of the selectors matches, in the order of `known`. Throws Failure usage. */
export function resolve(
  selectors: readonly string[],
  known: readonly Selectable[],
  source: FindingSource,
): ReadonlySet<Address> {
  const found = new Set<Address>();
  const findings = selectors.flatMap((selector): readonly Finding[] => {
    const matched = matchedBy(selector, known);
    for (const { address } of matched) found.add(address);
    return matched.length > 0 ? [] : [noMatch(selector, known, source)];
  });
  if (findings.length > 0)
    throw new Failure('usage', 'Nothing has a name that was given; nothing was done.', {
      hint: 'A selector is tag:NAME, owner:NAME or an address, where * stands for any characters. What was applied is listed by `almanac state list`.',
      findings,
      source,
    });
  return new Set(known.flatMap(({ address }) => (found.has(address) ? [address] : [])));
}

/**
 * What --select matches among the schedules that were applied. Their tags and owners are those that are declared now. Throws
 * Failure usage for a selector that matches none, and invalid-workspace: a file that cannot be read hides tags.
 */
export function selectApplied(
  selectors: readonly string[],
  loaded: Loaded,
  state: State | undefined,
): ReadonlySet<Address> {
  const { desired, findings } = loaded;
  if (hasErrors(findings))
    throw invalidWorkspace(
      'The declarations have errors, so --select cannot know everything it matches.',
      findings,
      loaded,
    );
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes]));
  const later = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const applied = Object.entries(state?.resources ?? {})
    .filter(([address, { id }]) => kindOf(address) === 'schedule' && id !== undefined)
    .map(([address]) => ({ address, attributes: declared.get(address) ?? declared.get(later.get(address) ?? '') }));
  return resolve(selectors, applied, loaded);
}

function matchedBy(selector: string, known: readonly Selectable[]): readonly Selectable[] {
  const { label, text } = read(selector);
  const matches = wildcard(text);
  return label === undefined
    ? known.filter(({ address }) => matches(address) || matches(groupOf(address)))
    : known.filter((each) => labelled(each, label).some(matches));
}

function read(selector: string): { readonly label: Label | undefined; readonly text: string } {
  const at = selector.indexOf(':');
  const label = Object.keys(labels).find((name): name is Label => name === selector.slice(0, Math.max(0, at)));
  return { label, text: label === undefined ? selector : selector.slice(at + 1) };
}

function noMatch(selector: string, known: readonly Selectable[], { desired }: FindingSource): Finding {
  const code = 'unknown-selector';
  if (desired.absent?.some(({ address }) => address === selector))
    return {
      code,
      message: `\`${selector}\` does not exist in this environment.`,
      hint: 'It is declared for other environments (`in`).',
    };
  const { label, text } = read(selector);
  const names = [...new Set(known.flatMap((each) => namesOf(each, label)))];
  const near = didYouMean(text, names);
  return {
    code,
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
