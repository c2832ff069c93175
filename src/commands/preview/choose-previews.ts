// Chooses the schedules to render. Says what has nothing to render, and what of a delivery no preview shows.

import type { Loaded } from '../../declare/load/load.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, type Kind, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { choiceAmong, resolve } from '../../plan/select.ts';

/** The kinds with a report that Omni can render on request. */
const previewed: Readonly<Record<Kind, boolean>> = {
  dashboard: false,
  schedule: true,
  aiJob: false,
  routine: false,
};

interface PreviewChoice {
  /** In the order of the selectors. */
  readonly wanted: readonly Resource[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** Throws Failure usage for what has nothing to render and is named, and where nothing is left. */
export function choosePreviews(loaded: Loaded, state: State | undefined, selectors: readonly string[]): PreviewChoice {
  const { desired } = loaded;
  const unfit = selectors.find((selector) =>
    kindsInOrder.some((kind) => selector === `kind:${kind}` && !previewed[kind]),
  );
  if (unfit !== undefined)
    throw new Failure('usage', `\`${unfit}\` selects nothing here: only schedules can be rendered.`, {
      hint: 'Leave it out. Nothing was sent.',
    });
  const rendered = desired.resources.filter(({ kind }) => previewed[kind]);
  const whyNot = (address: Address) => {
    const kind = kindAt(address);
    if (previewed[kind]) return { why: 'is no longer declared' };
    return { why: `is of the kind ${kinds[kind].words}, and only schedules can be rendered` };
  };
  const choice = choiceAmong(
    rendered.map(({ address }) => address),
    { loaded, state, whyNot },
  );
  const { addresses: selected, isNamed } = resolve(selectors, choice);
  const byAddress = new Map(rendered.map((resource) => [resource.address, resource]));
  const all = [...selected].flatMap((address) => byAddress.get(address) ?? []);
  const withoutFile = all.flatMap((resource) => {
    const why = reasonNoFile(resource.attributes);
    return why === undefined ? [] : [{ resource, why }];
  });
  const refused = withoutFile.find(({ resource }) => isNamed(resource.address) || withoutFile.length === all.length);
  if (refused !== undefined)
    throw new Failure('usage', `${refused.resource.address} ${refused.why}.`, { hint: 'Nothing was sent.' });
  const without = new Set(withoutFile.map(({ resource }) => resource));
  const wanted = all.filter((resource) => !without.has(resource));
  const leftOut = withoutFile.map(({ resource, why }) => `${resource.address} is left out: it ${why}.`);
  return { wanted, notes: [...leftOut, ...lackingNote(wanted)] };
}

function reasonNoFile({ format, queryIdentifierMapKey }: DeclaredObject): string | undefined {
  if (format === 'link_only') return 'delivers only a link (format: link_only), and Omni renders no file of that';
  if (format === 'json' && queryIdentifierMapKey === undefined)
    return 'has format: json, which Omni renders only of one tile (queryIdentifierMapKey)';
  return undefined;
}

/** What a delivery has and a download lacks, by what declares it. */
const lacking: Readonly<Record<string, string>> = {
  textBody: 'the text of the message',
  conditionType: 'the condition of an alert',
  timezoneOverride: 'the time zone of the queries',
  fanOut: 'what each recipient may see (fanOut)',
};

function lackingNote(wanted: readonly Resource[]): readonly string[] {
  const has = (field: string) => wanted.some(({ attributes: { [field]: value } }) => Boolean(value));
  const names = Object.entries(lacking).flatMap(([field, words]) => (has(field) ? [words] : []));
  return names.length === 0 ? [] : [`A preview does not show ${names.join(', ')}.`];
}
