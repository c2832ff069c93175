// Declarations as the reports of the page: a row for each kind that delivers again and again.

import type { DeliveryVia, Recipient } from '../../deliveries/recipients-document.ts';
import { ownerInMeta, tagsInMeta } from '../../model/fields/common-fields.ts';
import { type Delivery, deliveryOf, idleOf } from '../../model/fields/delivery.ts';
import type { Destination } from '../../model/fields/field.ts';
import type { NameOf } from '../../model/plan/names.ts';
import { type Address, behindDot, deliversDashboard, filtersDashboard, type Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { dashboardUrl, scheduleUrl } from '../../model/values/dashboard-url.ts';
import { domainOf } from '../../model/values/domains.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { shownAttributes } from '../../model/workspace/map-leaves.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import type { Applied, AppliedResource } from '../../plan/applied.ts';
import { listedFacts } from '../../report/listed-facts.ts';
import { valueText } from '../../report/text/visible-values.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { cronWordsAt } from '../base/cron-words.ts';
import { stillTimed, stillTimedWords } from '../base/still-timed.ts';
import { type PageReceiver, type PageReport, type PageSubject, type PageTiming, stillVia } from './page-model.ts';

interface ReportsInput {
  readonly resources: readonly Resource[];
  /** Everybody who receives one of them. */
  readonly recipients: readonly Recipient[];
  readonly isOutside: (receiver: Pick<Recipient, 'kind' | 'recipient'>) => boolean;
  /** What was applied, and of it what is no longer declared. */
  readonly applied: Applied;
  readonly leaving: readonly AppliedResource[];
  /** What Omni calls a dashboard. */
  readonly nameOf: NameOf;
  readonly baseUrl: string | undefined;
  /** What declared dashboards are called, by identifier. */
  readonly dashboardKeys: ReadonlyMap<string, string>;
  readonly cron: Awaited<ReturnType<typeof cronWordsAt>>;
}

type Asked = Omit<ReportsInput, 'resources' | 'recipients' | 'leaving'>;

/** What a kind delivers; everything else of it is in the tables that all commands share. */
type OfKind = Pick<PageReport, 'what' | 'condition' | 'subject' | 'filters'>;

const describedBy: Readonly<
  Record<Kind, ((attributes: JsonObject, delivery: Delivery, asked: Asked) => OfKind) | undefined>
> = {
  dashboard: undefined,
  schedule: ofSchedule,
  routine: ofRoutine,
  aiJob: undefined,
};

/** Whether it delivers again and again. */
export function isReport({ kind }: Pick<Resource, 'kind'>): boolean {
  return describedBy[kind] !== undefined;
}

/** By name. */
export function describeReports(input: ReportsInput): readonly PageReport[] {
  const { applied, cron } = input;
  const receivers = receiversByAddress(input);
  const still = new Map(stillTimed(applied).map((each) => [each.address, each]));
  const links = linksOf(input);
  const declared = input.resources.flatMap((resource) => {
    const { address, sink } = resource;
    const attributes = shownAttributes(declaredAttributes(resource));
    const to = receivers.get(address) ?? [];
    const timed = still.get(address);
    const kept = applied.keptIn(address).filter((field) => field in keptWords);
    return reportOf({ ...resource, attributes }, to, input).map((report) => ({
      ...report,
      link: links.get(address),
      place: placeOf(resource),
      sink: sink?.environment,
      isNew: applied.state !== undefined && to.length > 0 && applied.idOf(address) === undefined,
      isLeaving: false,
      kept: kept.length === 0 ? undefined : `Kept as applied last: ${kept.map((field) => keptWords[field]).join(', ')}`,
      still: timed && `It ${stillTimedWords(timed, cron.words(timed.schedule))}`,
    }));
  });
  const leaving = input.leaving.flatMap((of) =>
    reportOf(of, receivers.get(of.address) ?? [], input).map((report) => ({
      ...report,
      link: links.get(of.address),
      place: 'The change is not applied',
      isNew: false,
      isLeaving: true,
    })),
  );
  const reports = toldApart([...declared, ...leaving]);
  return labelled(reports.toSorted((a, b) => byCodeUnit(sortedBy(a), sortedBy(b)) || byCodeUnit(a.id, b.id)));
}

/** What the page shows of what is kept. */
const keptWords: Readonly<Record<string, string>> = {
  name: 'the name',
  schedule: 'when it runs',
  timezone: 'the time zone',
  paused: 'whether it is paused',
};

/** Of schedules, to where they are now, whatever is declared. */
function linksOf({ applied, baseUrl }: ReportsInput): ReadonlyMap<Address, string> {
  return new Map(
    applied.running.flatMap(({ address, kind, id, attributes: { identifier } }) => {
      if (!deliversDashboard(kind) || id === undefined || typeof identifier !== 'string') return [];
      const url = scheduleUrl(baseUrl ?? null, identifier, id);
      return url === undefined ? [] : [[address, url] as const];
    }),
  );
}

/** None for what is no report. */
function reportOf(
  { kind, address, attributes }: Pick<AppliedResource, 'kind' | 'address' | 'attributes'>,
  receivers: readonly PageReceiver[],
  asked: Asked,
) {
  const of = describedBy[kind];
  if (of === undefined) return [];
  const delivery = deliveryOf(kind, attributes);
  const { way, asWhom, paused } = delivery;
  const meta = isJsonObject(attributes['meta']) ? attributes['meta'] : {};
  return [
    {
      id: address,
      name: listedFacts(kind, attributes).title ?? address,
      way: way === undefined ? '' : wayWords[way],
      account: asWhom?.isOwner ? text(asWhom.name) : undefined,
      when: timingOf(delivery, asked.cron),
      paused,
      receivers,
      recipientCount: new Set(receivers.map((receiver) => `${receiver.kind} ${receiver.recipient}`)).size,
      owner: ownerInMeta(attributes),
      tags: tagsInMeta(attributes),
      note: text(meta['note'])?.replaceAll(/\s+/g, ' ').trim(),
      ...of(attributes, delivery, asked),
    },
  ];
}

function placeOf({ origin, item, line }: Resource): string {
  return fileAndLine({ file: (item?.origin ?? origin).file, line });
}

function sortedBy({ name }: Pick<PageReport, 'name'>): string {
  return name.normalize('NFKD').toLowerCase();
}

/** Two reports of one name are told apart by their keys. */
function labelled(reports: readonly Omit<PageReport, 'label'>[]): readonly PageReport[] {
  const sameName = groupBy(reports, ({ name }) => name);
  return reports.map((report) => {
    const isAlone = sameName.get(report.name)?.length === 1;
    return { ...report, label: isAlone ? report.name : `${report.name} (${behindDot(report.id)})` };
  });
}

/** Two dashboards of one name are told apart by their identifiers. */
function toldApart<T extends Pick<PageReport, 'subject'>>(reports: readonly T[]): readonly T[] {
  const sameName = groupBy(
    reports.flatMap(({ subject }) => subject ?? []),
    ({ name }) => name,
  );
  return reports.map((report) => {
    const { subject } = report;
    if (subject === undefined || sameName.get(subject.name)?.every(({ key }) => key === subject.key)) return report;
    return { ...report, subject: { ...subject, name: `${subject.name} (${subject.key})` } };
  });
}

function receiversByAddress({ recipients, isOutside }: ReportsInput): ReadonlyMap<Address, readonly PageReceiver[]> {
  const found = new Map<Address, PageReceiver[]>();
  for (const { recipient, kind, name: called, deliveries } of recipients) {
    const name = called === undefined ? shownName(recipient, kind) : `${called} (${recipient})`;
    const place = kind === 'email' ? (domainOf(recipient) ?? name) : kind === 'slack' ? 'Slack' : name;
    const named = { recipient: name, kind, place, isOutside: isOutside({ recipient, kind }) };
    for (const { address = '', via } of deliveries) {
      const receivers = found.get(address) ?? [];
      found.set(address, receivers);
      receivers.push({ ...named, via: viaPhrase(via) });
    }
  }
  return found;
}

/** Of what is no plain host nothing is shown: it may be anything. */
function shownName(recipient: string, kind: Recipient['kind']): string {
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

/** `list finance`: what people call it who do not know the files. */
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

function ofSchedule({ format, identifier }: JsonObject, { alert, rows }: Delivery, asked: Asked): OfKind {
  const condition = alert.get('conditionType');
  return {
    what: formatWords[String(format)] ?? String(format),
    condition: typeof condition === 'string' ? (conditionWords[condition] ?? 'only on a condition') : undefined,
    subject: typeof identifier === 'string' ? dashboardOf(identifier, asked) : undefined,
    filters: [...rows].map(([name, { written }]) => ({ name, words: filterWords(written) })),
  };
}

/** Its prompt stays out: it may hold anything. */
function ofRoutine({ topicName }: JsonObject): OfKind {
  const topic = text(topicName);
  return { what: topic === undefined ? 'AI text' : `AI text on ${topic}`, filters: [] };
}

/** Where no answer has told its name in Omni, the key of its declaration says what it is about. */
function dashboardOf(identifier: string, { baseUrl, dashboardKeys, nameOf }: Asked): PageSubject {
  const key = dashboardKeys.get(identifier);
  return {
    key: identifier,
    name: nameOf(identifier) ?? (key === undefined ? `dashboard ${identifier}` : `${key} (${identifier})`),
    link: dashboardUrl(baseUrl ?? null, identifier),
  };
}

/** By identifier, which schedules share with the dashboard that they deliver. */
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

/** Undefined where it says nothing to compare with. */
function valuesIn({ values, left_side: left, right_side: right }: JsonObject, kind: string): string | undefined {
  const isDuration = kind.startsWith('TIME_FOR_');
  if (left !== undefined && right !== undefined) {
    const [from, other] = [filterValue(left), filterValue(right)];
    // Of a kind that is not known here, the second may be an end or a length.
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
