// Hides secrets in URLs and, on request, people; and counts receivers by kind. Masked pages give the number of people
// by domain instead, and no text with the shape of an address or of the id of a Slack channel or user.

import type { ReceiverKind } from '../../model/fields/receiver.ts';
import { groupBy } from '../../model/values/collections.ts';
import { secretsInUrl } from '../../model/values/url-secrets.ts';
import { parseUrl, replaceUrls } from '../../model/values/urls.ts';
import { countOf } from '../../model/values/words.ts';
import type { PageModel, PageReceiver, PageReport } from './page-model.ts';

/** Replaces people with their number by domain; no text keeps an address or a Slack id. */
export function maskRecipients(model: PageModel): PageModel {
  const slackIds = model.reports.flatMap(({ receivers }) =>
    receivers.flatMap(({ kind, recipient }) => (kind === 'slack' ? [recipient] : [])),
  );
  const mask = maskingTexts(slackIds);
  const reports = model.reports.map((report, index): PageReport => {
    const { subject, link, receivers } = report;
    const shown = mapTexts({ ...report, receivers: countedReceivers(receivers) }, mask);
    // An id is made from a key, which may have the shape of a Slack id.
    return {
      ...shown,
      id: `r${index + 1}`,
      link: whole(link, mask),
      subject: subject && { ...mapTexts(subject, mask), link: whole(subject.link, mask) },
    };
  });
  const ids = new Map(model.reports.map(({ id }, index) => [id, `r${index + 1}`]));
  const permissions = model.permissions.map((each) => ({
    ...each,
    words: each.masked,
    reports: each.reports.flatMap((id) => ids.get(id) ?? []),
  }));
  return { ...mapTexts(model, mask), reports, permissions, isMasked: true };
}

function whole(link: string | undefined, mask: (text: string) => string): string | undefined {
  if (link === undefined) return undefined;
  return mask(link) === link && mask(decodeURIComponent(link)) === decodeURIComponent(link) ? link : undefined;
}

/** A copy of a value with every text changed. Keys stay. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)])) as T;
}

/** Reduces a URL with a secret to its host: a note may contain the address of a hook. */
export function withoutUrlSecrets(text: string): string {
  return replaceUrls(text, (url) => (secretsInUrl(url).length === 0 ? url : `${parseUrl(url)?.hostname || 'a URL'}/…`));
}

/** Signs that mail programs take for the one in an address, too. */
const atSign = /[@\uFE6B\uFF20]/;
const someSlack = 'a Slack id';

/** `slackIds` are declared ids, of which some may have another shape. */
function maskingTexts(slackIds: Iterable<string>): (text: string) => string {
  const unusualIds = [...new Set(slackIds)].filter(
    (id) => /^(?=.*\d)[\w-]{6,}$/.test(id) && withoutSlackIds(id) !== someSlack,
  );
  return (text) => {
    const plain = text.replace(/\S+/g, (word) => (atSign.test(word) ? masked(word) : word));
    return unusualIds.reduce((left, id) => left.replaceAll(id, someSlack), withoutSlackIds(plain));
  };
}

/** An id has a digit: capital letters alone are a word. */
function withoutSlackIds(text: string): string {
  return text.replace(/[A-Z0-9]{8,}/g, (run) => {
    const start = run.search(/[BCDGTUW]/);
    const rest = start < 0 ? '' : run.slice(start + 1);
    return rest.length >= 7 && /[0-9]/.test(rest) ? run.slice(0, start) + someSlack : run;
  });
}

/** The handle of a team, such as `@acme/finance`, is not an address: it stays without its sign. */
function masked(word: string): string {
  const [, handle] = /^@([\w-]+(?:\/[\w-]+)?[.,;:]?)$/.exec(word) ?? [];
  return handle ?? someone;
}

// The kinds of recipients on the page: their spelling, and how they are counted.

/** Replaces anybody who is not named. */
const someone = 'somebody';

interface RecipientTraits {
  readonly written: (name: string) => string;
  readonly isPerson: (name: string) => boolean;
  /** Undefined for kinds that are neither people nor ids: these are shown unchanged. */
  readonly counted?: (same: readonly PageReceiver[]) => Pick<PageReceiver, 'recipient' | 'place'>;
}

const people = (count: number) => countOf(count, 'person', 'people');
const isSlackUser = (id: string) => /^[UW]/.test(id);
const aThing: RecipientTraits = { written: (name) => name, isPerson: () => false };

const traits = {
  email: {
    written: (name) => name,
    isPerson: () => true,
    counted: (same) => {
      const [{ place }] = same as [PageReceiver];
      // A way behind a domain is named by a whole address.
      return place.includes('@')
        ? { recipient: people(same.length), place: someone }
        : { recipient: `${people(same.length)} of ${place}`, place };
    },
  },
  slack: {
    written: (id) => `Slack ${isSlackUser(id) ? 'user' : 'channel'} ${id}`,
    isPerson: isSlackUser,
    counted: (same) => {
      const users = same.filter(({ recipient }) => isSlackUser(recipient)).length;
      const channels = same.length - users;
      const words = [...(users > 0 ? [people(users)] : []), ...(channels > 0 ? [countOf(channels, 'channel')] : [])];
      return { recipient: `${words.join(' and ')} in Slack`, place: 'Slack' };
    },
  },
  group: { ...aThing, written: (name) => `${name} (a group)` },
  webhook: aThing,
  sftp: aThing,
  s3: { ...aThing, written: (name) => `bucket ${name}` },
} as const satisfies Readonly<Record<ReceiverKind, RecipientTraits>>;

const traitsOf = (kind: ReceiverKind): RecipientTraits => traits[kind];

export function writtenName({
  kind,
  recipient,
  isCount = false,
}: Pick<PageReceiver, 'kind' | 'recipient' | 'isCount'>): string {
  return isCount ? recipient : traitsOf(kind).written(recipient);
}

export function isPerson({ kind, recipient }: Pick<PageReceiver, 'kind' | 'recipient'>): boolean {
  return traitsOf(kind).isPerson(recipient);
}

/** `3 people of acme.com`, for each list or group through which they receive. */
function countedReceivers(receivers: readonly PageReceiver[]): readonly PageReceiver[] {
  const same = groupBy(receivers, ({ kind, place, via }) => JSON.stringify([kind, place, via]));
  return [...same.values()].flatMap((each) => {
    const [first] = each as [PageReceiver];
    const counted = traitsOf(first.kind).counted?.(each);
    return counted === undefined ? each : [{ ...first, ...counted, isCount: true }];
  });
}
