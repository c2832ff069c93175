// Declarations as the reports of the page, for each kind with recurring deliveries.

import type { DeliveryRow, RowReceiver } from '../../deliveries/deliveries.ts';
import type { DeliveryVia } from '../../deliveries/via-document.ts';
import { ownerInMeta, tagsInMeta } from '../../model/fields/common-fields.ts';
import { type Delivery, deliveryOf, idleOf } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import { groupIdIn } from '../../model/fields/ids.ts';
import type { ReceiverKind } from '../../model/fields/receiver.ts';
import type { NameOf } from '../../model/plan/names.ts';
import { type Address, behindDot, deliversDashboard, filtersDashboard, type Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { domainOf } from '../../model/values/domains.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { dashboardUrl, scheduleUrl } from '../../model/values/urls.ts';
import { shownAttributes } from '../../model/workspace/map-leaves.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { listedFacts } from '../../report/listed-facts.ts';
import { valueText } from '../../report/text/visible-values.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { cronWordsAt } from '../base/cron-words.ts';
import { type StillTimed, stillTimed, stillTimedWords } from '../base/read-applied.ts';
import { type PageReceiver, type PageReport, type PageSubject, type PageTiming, stillVia } from './page-model.ts';

export interface ReportsInput {
  /** The rows of each report. */
  readonly chosen: readonly (readonly [DeliveryRow, ...DeliveryRow[]])[];
  readonly isOutside: (receiver: Pick<RowReceiver, 'kind' | 'recipient'>) => boolean;
  readonly applied: AppliedState;
  /** Gives the name of a dashboard in Omni. */
  readonly nameOf: NameOf;
  readonly baseUrl: string | undefined;
  /** The keys of declared dashboards, by identifier. */
  readonly dashboardKeys: ReadonlyMap<string, string>;
  readonly cron: Awaited<ReturnType<typeof cronWordsAt>>;
}

/** The delivery of a kind; everything else about it is in the tables that all commands share. */
type OfKind = Pick<PageReport, 'what' | 'condition' | 'subject' | 'filters'>;

const describedBy: Readonly<
  Record<Kind, ((attributes: JsonObject, delivery: Delivery, input: ReportsInput) => OfKind) | undefined>
> = {
  dashboard: undefined,
  schedule: scheduleWords,
  routine: routineWords,
  aiJob: undefined,
};

/** True if it delivers again and again. */
export function isReport({ kind }: Pick<Resource, 'kind'>): boolean {
  return describedBy[kind] !== undefined;
}

/** Sorted by name. */
export function describeReports(input: ReportsInput): readonly PageReport[] {
  const still = new Map(stillTimed(input.applied).map((each) => [each.address, each]));
  const reports = disambiguated(input.chosen.flatMap((rows) => reportOf(rows, still, input)));
  return labelled(reports.toSorted((a, b) => byCodeUnit(sortedBy(a), sortedBy(b)) || byCodeUnit(a.id, b.id)));
}

const keptWords: Readonly<Record<string, string>> = {
  name: 'the name',
  schedule: 'when it runs',
  timezone: 'the time zone',
  paused: 'whether it is paused',
};

/** The first row describes the report, and all of them its receivers. */
function reportOf(
  rows: readonly [DeliveryRow, ...DeliveryRow[]],
  stillTimedAt: ReadonlyMap<Address, StillTimed>,
  input: ReportsInput,
): readonly Omit<PageReport, 'label'>[] {
  const [{ kind, address = '', id, resource, keptFields, attributes: written }] = rows;
  const of = describedBy[kind];
  if (of === undefined) return [];
  const attributes = shownAttributes(written);
  const delivery = deliveryOf(kind, attributes);
  const { way, asWhom, paused } = delivery;
  const meta = isJsonObject(attributes['meta']) ? attributes['meta'] : {};
  const receivers = receiversIn(rows, input);
  const timed = resource && stillTimedAt.get(address);
  // The present place in Omni, whatever is declared.
  const appliedRow = rows.find(({ source }) => source === 'applied');
  const { identifier } = appliedRow?.attributes ?? {};
  return [
    {
      id: address,
      name: listedFacts(kind, attributes).title ?? address,
      way: way === undefined ? '' : wayWords[way],
      account: asWhom?.isOwner ? text(asWhom.name) : undefined,
      when: timingOf(delivery, input.cron),
      paused,
      receivers,
      recipientCount: new Set(receivers.map((receiver) => `${receiver.kind} ${receiver.recipient}`)).size,
      owner: ownerInMeta(attributes),
      tags: tagsInMeta(attributes),
      note: text(meta['note'])?.replaceAll(/\s+/g, ' ').trim(),
      idInOmni: appliedRow?.id,
      link:
        deliversDashboard(kind) && appliedRow?.id !== undefined && typeof identifier === 'string'
          ? scheduleUrl(input.baseUrl ?? null, identifier, appliedRow.id)
          : undefined,
      place: resource === undefined ? 'The change is not applied' : placeWords(resource),
      sink: resource?.sink?.environment,
      isNew: resource !== undefined && input.applied.state !== undefined && receivers.length > 0 && id === undefined,
      isLeaving: resource === undefined,
      keptAsApplied:
        keptFields.length === 0
          ? undefined
          : `Kept as applied last: ${keptFields.map((field) => keptWords[field]).join(', ')}`,
      stillInOmni: timed && `It ${stillTimedWords(timed, input.cron.words(timed.schedule))}`,
      ...of(attributes, delivery, input),
    },
  ];
}

function placeWords({ origin, item, line }: Resource): string {
  return fileAndLine({ file: (item?.origin ?? origin).file, line });
}

function sortedBy({ name }: Pick<PageReport, 'name'>): string {
  return name.normalize('NFKD').toLowerCase();
}

/** Two reports with one name are told apart by their keys. */
function labelled(reports: readonly Omit<PageReport, 'label'>[]): readonly PageReport[] {
  const sameName = groupBy(reports, ({ name }) => name);
  return reports.map((report) => {
    const isAlone = sameName.get(report.name)?.length === 1;
    return { ...report, label: isAlone ? report.name : `${report.name} (${behindDot(report.id)})` };
  });
}

/** Two dashboards with one name are told apart by their identifiers. */
function disambiguated<T extends Pick<PageReport, 'subject'>>(reports: readonly T[]): readonly T[] {
  const subjects = reports.flatMap(({ subject }) => subject ?? []);
  const sameName = groupBy(subjects, ({ name }) => name);
  return reports.map((report) => {
    const { subject } = report;
    if (subject === undefined || sameName.get(subject.name)?.every(({ key }) => key === subject.key)) return report;
    return { ...report, subject: { ...subject, name: `${subject.name} (${subject.key})` } };
  });
}

/** Sorted by name; equal ones stay in the order of the rows. */
function receiversIn(rows: readonly DeliveryRow[], { isOutside, nameOf }: ReportsInput): readonly PageReceiver[] {
  return rows
    .flatMap((row) => row.receivers())
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient) || byCodeUnit(a.kind, b.kind))
    .map((receiver) => {
      const { recipient, kind } = receiver;
      const called = kind === 'group' ? nameOf(groupIdIn(recipient) ?? '') : undefined;
      const name = called === undefined ? shownName(recipient, kind) : `${called} (${recipient})`;
      const place = kind === 'email' ? (domainOf(recipient) ?? name) : kind === 'slack' ? 'Slack' : name;
      return { recipient: name, kind, place, isOutside: isOutside(receiver), via: viaPhrase(receiver.place().via) };
    });
}

/** Anything but a plain host is hidden: it may be any text. */
function shownName(recipient: string, kind: ReceiverKind): string {
  if (kind !== 'webhook' && kind !== 'sftp') return recipient;
  return /^[\w.:[\]-]+$/.test(recipient) ? recipient : kind === 'sftp' ? 'a server' : 'a webhook';
}

const viaWords = {
  resource: '',
  anchor: 'shared list',
  default: 'defaults',
  variable: 'variable',
  audience: 'list',
  item: 'entry',
  row: 'row',
  'text-file': 'text',
  sink: 'sink of',
  group: 'group',
  ...stillVia,
} as const satisfies Readonly<Record<DeliveryVia['kind'], string>>;

/** `list finance`: the term of people who do not know the files. */
function viaPhrase({ kind, name }: DeliveryVia): string {
  const words = viaWords[kind];
  return words === '' || name === undefined ? words : `${words} ${name}`;
}

const formatWords: Readonly<Record<string, string>> = {
  csv: 'CSV',
  json: 'JSON',
  link_only: 'Link',
  pdf: 'PDF',
  png: 'Picture',
  xlsx: 'Excel workbook',
};

const wayWords = {
  email: 'by e-mail',
  slack: 'in Slack',
  webhook: 'to a webhook',
  sftp: 'to an SFTP server',
  s3: 'to an S3 bucket',
} as const satisfies Readonly<Record<Destination, string>>;

const conditionWords: Readonly<Record<string, string>> = {
  RESULTS_PRESENT: 'only if there are rows',
  RESULTS_CHANGED: 'only if the rows have changed',
  RESULTS_MISSING: 'only if there are no rows',
  RESULTS_UNCHANGED: 'only if the rows have not changed',
};

function scheduleWords({ format, identifier }: JsonObject, { alert, rows }: Delivery, input: ReportsInput): OfKind {
  const condition = alert.get('conditionType');
  return {
    what: formatWords[String(format)] ?? String(format),
    condition: typeof condition === 'string' ? (conditionWords[condition] ?? 'only on a condition') : undefined,
    subject: typeof identifier === 'string' ? dashboardOf(identifier, input) : undefined,
    filters: [...rows].map(([name, { written }]) => ({ name, words: filterWords(written) })),
  };
}

/** The prompt stays out: it may contain anything. */
function routineWords({ topicName }: JsonObject): OfKind {
  const topic = text(topicName);
  return { what: topic === undefined ? 'AI text' : `AI text on ${topic}`, filters: [] };
}

/** If no answer has given its name in Omni, the key of its declaration says what it is about. */
function dashboardOf(identifier: string, { baseUrl, dashboardKeys, nameOf }: ReportsInput): PageSubject {
  const key = dashboardKeys.get(identifier);
  return {
    key: identifier,
    name: nameOf(identifier) ?? (key === undefined ? `dashboard ${identifier}` : `${key} (${identifier})`),
    link: dashboardUrl(baseUrl ?? null, identifier),
  };
}

/** Keyed by identifier, which schedules share with the dashboard that they deliver. */
export function dashboardKeysIn(resources: readonly Resource[]): ReadonlyMap<string, string> {
  return new Map(
    resources.flatMap(({ kind, address, attributes }) => {
      const { identifier } = attributes;
      return filtersDashboard(kind) && typeof identifier === 'string'
        ? [[identifier, behindDot(address)] as const]
        : [];
    }),
  );
}

function timingOf(delivery: Delivery, { words, nextRun }: ReportsInput['cron']): PageTiming | undefined {
  const { schedule, timezone } = delivery.when ?? {};
  const idle = idleOf(delivery);
  if (schedule === undefined || timezone === undefined || idle === 'once') return undefined;
  const sentence = words(schedule);
  return {
    words: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    schedule,
    timezone,
    next: idle === undefined ? nextRun(schedule, timezone) : undefined,
  };
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const kindWords: Readonly<Record<string, string>> = {
  EQUALS: '',
  CONTAINS: 'contains',
  STARTS_WITH: 'starts with',
  ENDS_WITH: 'ends with',
  SQL_LIKE: 'is like',
  IS_EMPTY: 'empty',
  LESS_THAN: 'less than',
  GREATER_THAN: 'more than',
  BETWEEN: 'between',
  BEFORE: 'before',
  ON_OR_AFTER: 'from',
  TIME_FOR_INTERVAL_DURATION: '',
  TIME_FOR_UNIT_DURATION: '',
};

/** A condition as people say it: `Europe, Asia`, `not Europe`, `contains Acme`. */
function filterWords(condition: Json): string {
  if (!isJsonObject(condition)) return filterValue(condition);
  const { filters, conjunction, kind, is_negative: isNegative } = condition;
  if (Array.isArray(filters) && filters.length > 0) {
    const between = ` ${String(conjunction ?? 'and').toLowerCase()} `;
    return filters.map((each: Json) => filterWords(each)).join(between);
  }
  const name = typeof kind === 'string' ? kind.toUpperCase() : '';
  const how = kindWords[name] ?? name.toLowerCase().replaceAll('_', ' ');
  const values = valuesIn(condition, name);
  if (values === undefined) return name === 'IS_EMPTY' ? negated('empty', isNegative) : valueText(condition);
  return negated([how, values].filter((each) => each !== '').join(' '), isNegative);
}

/** Undefined if it has no value to compare with. */
function valuesIn({ values, left_side: left, right_side: right }: JsonObject, kind: string): string | undefined {
  const isDuration = kind.startsWith('TIME_FOR_');
  if (left !== undefined && right !== undefined) {
    const [from, other] = [filterValue(left), filterValue(right)];
    // For an unknown kind, the second value may be an end or a length.
    if (kind !== '' && !Object.hasOwn(kindWords, kind)) return `(${from}, ${other})`;
    return isDuration ? `from ${from} for ${other}` : `${from} ${kind === 'BETWEEN' ? 'and' : 'to'} ${other}`;
  }
  if (left !== undefined || right !== undefined) return filterValue(left ?? right ?? null);
  if (!Array.isArray(values)) return undefined;
  const given = values.filter((each: Json) => each !== '');
  return given.length === 0 ? 'any value' : given.map((each: Json) => filterValue(each)).join(', ');
}

function negated(words: string, isNegative: Json | undefined): string {
  return isNegative === true ? `not ${words}` : words;
}

function filterValue(value: Json): string {
  return typeof value === 'string' ? value : valueText(value);
}
