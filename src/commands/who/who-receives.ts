// Everybody who receives something, with each delivery and the place that names them. Reads loaded declarations and a
// state; sends nothing.

import { didYouMean } from '../../declare/findings/suggest.ts';
import type { SoundLoaded } from '../../declare/load/load.ts';
import {
  aboutDelivery,
  type DeliveryRow,
  deliveryRows,
  outsideDomainTest,
  type RowReceiver,
} from '../../deliveries/deliveries.ts';
import type { UnmanagedSchedule } from '../../deliveries/unmanaged-recipients.ts';
import { receiversAt } from '../../model/fields/delivery.ts';
import { groupIdIn } from '../../model/fields/ids.ts';
import type { NameOf } from '../../model/plan/names.ts';
import { groupBy } from '../../model/values/collections.ts';
import { otherSpellings } from '../../model/values/domains.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Refusal } from '../../model/values/refusal.ts';
import { wildcard } from '../../model/values/wildcard.ts';
import { codeList } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import {
  type Choice,
  choiceAmong,
  isKey,
  isSelector,
  likelySelectors,
  meaningsOf,
  resolveOrAll,
} from '../../plan/select.ts';
import type { ListedDelivery, Recipient } from './who-document.ts';

export interface WhoRequest {
  readonly loaded: SoundLoaded;
  readonly applied: AppliedState;
  /** With `*` for any characters; everybody if empty. */
  readonly patterns: readonly string[];
  /** Only deliveries of these resources. */
  readonly selectors?: readonly string[];
  /** Leaves out those of `safety.internalDomains`. */
  readonly external: boolean;
  /** Facts about schedules that are untracked, or that others receive than those who are declared; empty offline. */
  readonly unmanaged?: readonly UnmanagedSchedule[];
  readonly ofNeighbours?: readonly DeliveryRow[];
  readonly nameOf: NameOf;
}

export interface WhoReceives {
  readonly recipients: readonly Recipient[];
  /** Patterns that nobody matches, each with a suggestion. */
  readonly unmatched: readonly Refusal[];
  /** Other spellings of a requested address that are probably the same mailbox. */
  readonly also: readonly { readonly email: string; readonly spellings: readonly string[] }[];
}

/** Throws Failure usage if no domain is internal. */
export function whoReceives(request: WhoRequest): WhoReceives {
  const { loaded, applied, patterns, unmanaged, ofNeighbours, nameOf } = request;
  const isOutside = request.external ? outsideDomainTest(loaded.config.safety.internalDomains) : () => true;
  const matchers = patterns.map((pattern) => wildcard(pattern, { ignoresCase: true }));
  const isAsked = ({ recipient }: RowReceiver) =>
    matchers.length === 0 || matchers.some((matches) => matches(recipient));
  const selected = resolveOrAll(request.selectors ?? [], choiceIn(request)).addresses;
  const rows = deliveryRows(applied, loaded.fileNamed, unmanaged, ofNeighbours);
  const given = rows.flatMap((row): readonly Given[] => {
    if (row.address !== undefined && !selected.has(row.address)) return [];
    // A schedule may have thousands of recipients.
    const about = aboutDelivery(row);
    const wanted = row.receivers().filter((receiver) => isAsked(receiver) && isOutside(receiver));
    return wanted.map(({ kind, recipient, place }) => ({ kind, recipient, delivery: { ...about, ...place() } }));
  });
  // Compared only with patterns: there may be a million.
  const names = patterns.length === 0 ? [] : recipientsIn(rows);
  return {
    recipients: gathered(given, nameOf),
    unmatched: patterns.flatMap((pattern, index) =>
      names.some((name) => matchers[index]?.(name)) ? [] : [nobodyIs(pattern, names, request)],
    ),
    also: patterns.flatMap((email) => {
      const spellings = otherSpellings(email, names).filter((name) => !matchers.some((matches) => matches(name)));
      return email.includes('@') && spellings.length > 0 ? [{ email, spellings }] : [];
    }),
  };
}

/** Each once. */
function recipientsIn(rows: readonly DeliveryRow[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => row.receivers().map(({ recipient }) => recipient)))];
}

function nobodyIs(pattern: string, names: readonly string[], request: WhoRequest): Refusal {
  const asWhole = /[@*]/.test(pattern) ? undefined : `Patterns match whole names; try '*${pattern}*'.`;
  return {
    about: [pattern],
    message: `No recipient matches \`${pattern}\`.`,
    hint: nearPattern(pattern, names, request) ?? asWhole,
  };
}

/** A word without a sign of a recipient may be a misspelled key. */
function nearPattern(pattern: string, names: readonly string[], request: WhoRequest): string | undefined {
  const domain = pattern.replace(/^@/, '').toLowerCase();
  const ofDomain = names.filter((name) => name.toLowerCase().endsWith(`@${domain}`));
  if (ofDomain.length > 0) return `Did you mean '*@${domain}'?`;
  const near = didYouMean(pattern, names);
  if (near !== undefined || !isKey(pattern)) return near;
  const [selector] = likelySelectors(pattern, choiceIn(request));
  return selector && `Did you mean \`${selector}\`?`;
}

/** Resources that still run are chosen like declared ones. */
export function choiceIn({ loaded, applied }: Pick<WhoRequest, 'loaded' | 'applied'>): Choice {
  const namesReceivers = ({ kind }: Pick<Resource, 'kind'>) => Object.keys(receiversAt(kind)).length > 0;
  const named = [...applied.resources, ...applied.running].filter(namesReceivers);
  const whyNot = () => ({ why: 'names no recipient of it' });
  return choiceAmong(new Set(named.map(({ address }) => address)), { loaded, state: applied.state, whyNot });
}

/**
 * Splits words into those that name recipients, and those that choose deliveries: an address, a label, and a key.
 * Throws Failure usage for a key that a recipient has as well.
 */
export function splitWords(
  words: readonly string[],
  request: Pick<WhoRequest, 'loaded' | 'applied'>,
): Required<Pick<WhoRequest, 'patterns' | 'selectors'>> {
  const choice = choiceIn(request);
  const keys = new Set(words.filter((word) => meaningsOf(word, choice).length > 0));
  const receivers = keys.size === 0 ? [] : recipientsIn(deliveryRows(request.applied, request.loaded.fileNamed));
  for (const key of keys) {
    const isNamed = wildcard(key, { ignoresCase: true });
    const receiver = receivers.find(isNamed);
    if (receiver !== undefined)
      throw new Failure(
        'usage',
        `\`${key}\` may be ${codeList(meaningsOf(key, choice), 'or')}, or the recipient ${receiver}.`,
        { hint: `Write the whole address, or \`'${key}*'\` for recipients.` },
      );
  }
  const selects = (word: string) => keys.has(word) || isSelector(word);
  return { patterns: words.filter((word) => !selects(word)), selectors: words.filter(selects) };
}

interface Given extends Pick<Recipient, 'kind' | 'recipient'> {
  readonly delivery: ListedDelivery;
}

function gathered(given: readonly Given[], nameOf: NameOf): readonly Recipient[] {
  return [...groupBy(given, ({ kind, recipient }) => `${kind} ${recipient}`).values()]
    .map((same) => {
      const [{ recipient, kind }] = same;
      const name = kind === 'group' ? nameOf(groupIdIn(recipient) ?? '') : undefined;
      const deliveries = same.map(({ delivery }) => withDashboardName(delivery, nameOf));
      return { recipient, kind, name, deliveries };
    })
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient) || byCodeUnit(a.kind, b.kind));
}

function withDashboardName(delivery: ListedDelivery, nameOf: NameOf): ListedDelivery {
  const dashboardName = delivery.identifier && nameOf(delivery.identifier);
  return dashboardName === undefined ? delivery : { ...delivery, dashboardName };
}
