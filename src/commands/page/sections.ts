// The sections of the page: the week, and the reports in several orders. They show what goes outside, what is paused or
// failed, every report, and the reports by person, by group, channel or server, and by dashboard.

import { runsInWeek, weekFrom } from '../../cron/coming-runs.ts';
import { localTimesIn } from '../../cron/time-zone.ts';
import { trackedByWords } from '../../model/plan/neighbours.ts';
import { groupBy, memoize } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import { escapeHtml } from '../../report/print-html.ts';
import { weekday } from '../../report/text/words.ts';
import { beatWords } from '../base/cron-words.ts';
import { isPerson, writtenName } from './hide-people.ts';
import {
  badge,
  badgesOf,
  cardList,
  dashboardId,
  dateWords,
  group,
  inOmni,
  linkTo,
  list,
  quiet,
  section,
  shortZone,
  timeWords,
  whenWords,
  withPaused,
} from './html-parts.ts';
import {
  failing,
  type PageModel,
  type PageReceiver,
  type PageReport,
  type PageSubject,
  type PageTiming,
  pausedAmong,
  wayWords,
} from './page-model.ts';

const fullDays: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

/** More lines of one part of a day are folded. */
const maxLines = 150;

/** Lists permissions whose last day is over, or comes soon. */
export function permissionsSection({ permissions, reports }: PageModel): string {
  if (permissions.length === 0) return '';
  const byId = new Map(reports.map((report) => [report.id, report]));
  const items = permissions.map(({ words, isOver, reports: ids }) => {
    const links = ids.flatMap((id) => byId.get(id) ?? []).map((report) => linkTo(report));
    const state = isOver ? `${badge('bad', 'ended')} ` : '';
    return `${links.join(', ')}${links.length === 0 ? '' : ' '}${state}${codeWords(words)}`;
  });
  return section('permissions', 'Permissions that end', list(items));
}

function codeWords(words: string): string {
  return escapeHtml(words).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

export function weekSection({ reports, madeAt }: PageModel): string {
  const days = weekOf(reports, Date.parse(madeAt));
  const count = ({ parts }: WeekDay) => parts.reduce((sum, { slots }) => sum + countIn(slots), 0);
  if (days.every((day) => count(day) === 0))
    return section('week', 'The next seven days', '<p>Nothing is delivered on these days.</p>');
  const zones = new Set(reports.flatMap(({ when }) => when?.timezone ?? []));
  const strip = days.map((day) => {
    const name = weekday(day.date);
    const [number, month] = dateWords(day.date).split(' ');
    const words = `<span>${name}<small>${number} <span>${month}</span></small></span>`;
    return `<li><a href="#day-${day.date}">${words} <strong>${count(day)}</strong></a>`;
  });
  const [zone = ''] = zones;
  const about =
    zones.size === 1
      ? `The times are those of ${zone}.`
      : 'Each time is that of the clocks in the place beside it: each report runs in its own time zone.';
  const content = days.map((day, index) => dayOf(day, zones.size > 1, index === 0)).join('\n');
  return section(
    'week',
    'The next seven days',
    `<ul class="strip" aria-label="Deliveries by day">${strip.join('\n')}</ul>\n${content}`,
    about,
  );
}

function dayOf({ date, parts }: WeekDay, showsZone: boolean, isToday: boolean): string {
  const name = `${fullDays[weekday(date)]}${quiet(dateWords(date))}`;
  const shown = parts.filter(({ slots }) => slots.length > 0);
  const content =
    shown.length === 0
      ? `<p class="none">Nothing${isToday ? ' more' : ''} is delivered.</p>`
      : shown.map((part) => partOf(part.name, part.slots, showsZone)).join('\n');
  return `<div class="group day" id="day-${date}"><h3>${name}</h3><div>${content}</div></div>`;
}

function partOf(name: string, slots: readonly WeekSlot[], showsZone: boolean): string {
  const items = slots.map(({ time, timezone, reports }) => {
    const zone = showsZone ? quiet(shortZone(timezone)) : '';
    return `<div class="group slot"><h5>${escapeHtml(time)}${zone}</h5>${list(reports.map((report) => `${linkTo(report)}${quiet(report.condition ?? '')}`))}</div>`;
  });
  const title = `${name} <small>${countIn(slots)}</small>`;
  return countIn(slots) > maxLines
    ? `<details class="group"><summary><h4>${title}</h4></summary>${items.join('\n')}</details>`
    : `<div class="group"><h4>${title}</h4>${items.join('\n')}</div>`;
}

function countIn(slots: readonly WeekSlot[]): number {
  return slots.reduce((sum, { reports }) => sum + reports.length, 0);
}

export function outsideSection({ reports, knowsInside }: PageModel): string {
  if (!knowsInside) return '';
  const places = outsideIn(reports);
  const none = '<p>Every receiver is inside.</p>';
  const about = `Reports that somebody outside of the company receives, by domain.${overlapWords(places)}`;
  return section('outside', 'Outside the company', places.length === 0 ? none : grid(places.map(outsideCard)), about);
}

function outsideCard({ name, ways, reports }: OutsidePlace): string {
  const content = ways.map(({ via, recipients, reports: some }) => {
    const names = recipients.filter((recipient) => recipient !== name).join(', ');
    const through = via === '' ? '' : wayWords(via);
    return wayGroup([names, through].filter(Boolean).join(', ') || 'Directly', some);
  });
  return group(`${escapeHtml(name)}${quiet(countOf(reports.length, 'report'))}`, content.join('\n'));
}

/** ` 17 reports, 1 paused; 6 go to two domains.` */
function overlapWords(places: readonly OutsidePlace[]): string {
  const counts = new Map<PageReport, number>();
  for (const report of places.flatMap(({ reports }) => reports)) counts.set(report, (counts.get(report) ?? 0) + 1);
  if (counts.size === 0) return '';
  const several = [...counts.values()].filter((count) => count > 1);
  const domains = several.every((count) => count === 2) ? 'two domains' : 'several domains';
  const overlap =
    several.length === 0 ? '' : `; ${several.length} ${several.length === 1 ? 'goes' : 'go'} to ${domains}`;
  return ` ${withPaused(countOf(counts.size, 'report'), [...counts.keys()], ', ')}${overlap}.`;
}

export function failingSection(model: PageModel): string {
  if (model.online === undefined) return '';
  const items = failing(model).map((report) => {
    const last = report.health?.lastCompletedAt;
    const words = last === undefined ? '' : `last run ended ${dateWords(last)}, ${last.slice(11, 16)} UTC`;
    return `${linkTo(report)} ${badge('bad', report.health?.words ?? '')}${quiet(words)}`;
  });
  const { gone, seesLess, hasRun, notKeptHere = 0, trackedBy } = model.online;
  const [are, they] = gone === 1 ? ['is', 'it is'] : ['are', 'they are'];
  const where = seesLess
    ? `not listed for this token: ${they} gone from Omni, or its member may not see ${gone === 1 ? 'it' : 'them'}`
    : 'gone from Omni';
  const notes = [
    gone > 0 && `${countOf(gone, 'report')} of this page ${are} ${where}.`,
    notKeptHere > 0 && `${countOf(notKeptHere, 'schedule')} in Omni ${notKeptHere === 1 ? 'is' : 'are'} not kept here.`,
    trackedBy.length > 0 && `Of the other schedules in Omni, ${escapeHtml(trackedByWords(trackedBy).join(', '))}.`,
  ].flatMap((words) => (words === false ? [] : `<p>${words}</p>`));
  const fine = hasRun ? '<p>Every delivery worked.</p>' : '<p>Omni lists no delivery yet.</p>';
  const failed = items.length === 0 ? fine : group('Failed, missed or stopped', list(items));
  return section('failed', 'How the last deliveries ended', [failed, ...notes].join('\n'));
}

export function pausedSection({ reports }: PageModel): string {
  const items = pausedAmong(reports).map((report) => {
    const { when, note = '', recipientCount } = report;
    const words = `${whenWords(when)}; ${countOf(recipientCount, 'recipient')}`;
    return `${linkTo(report)}${quiet(words)}${note === '' ? '' : ` <p>${escapeHtml(note)}</p>`}`;
  });
  const content = items.length === 0 ? '<p>Nothing is paused.</p>' : group('Not delivered until resumed', list(items));
  return section('paused', 'Paused', content);
}

export function reportsSection({ reports }: PageModel): string {
  const content = reports.length === 0 ? '<p>No report is scheduled.</p>' : reports.map(reportCard).join('\n');
  return section('reports', 'All reports', content);
}

export function peopleSection({ reports, isMasked }: PageModel): string {
  if (isMasked) return '';
  const all = recipientsIn(reports);
  const [people, others] = [all.filter(isPerson), all.filter((each) => !isPerson(each))];
  return [
    section('people', 'By person', grid(people.map(recipientCard)), 'What each person receives, and because of what.'),
    section('places', 'By group, channel, server and bucket', grid(others.map(recipientCard))),
  ]
    .filter((each) => each !== '')
    .join('\n');
}

function recipientCard({ recipient, kind, isOutside, ways, reports }: PageRecipient): string {
  const all = countOf(reports.length, 'report');
  const count =
    ways.length === 1 ? withPaused(all, reports, ', ') : withPaused(`${all}: ${splitWords(ways)}`, reports, '; ');
  const name = `${escapeHtml(writtenName({ recipient, kind }))}${isOutside ? ` ${badge('out', 'outside')}` : ''}${quiet(count)}`;
  const content = ways.map(({ via, reports: some }) => wayGroup(capitalised(wayWords(via)), some));
  return group(name, content.join('\n'));
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** More ways are counted together. */
const maxWays = 4;

/** `25 directly, 16 through finance`. */
function splitWords(ways: PageRecipient['ways']): string {
  const named = ways.length > maxWays ? ways.slice(0, maxWays - 1) : ways;
  const rest = ways.slice(named.length);
  const words = named.map(({ via, reports }) => {
    return `${reports.length} ${wayWords(via).replace(/^through the (list )?/, 'through ')}`;
  });
  const others = new Set(rest.flatMap(({ reports }) => reports)).size;
  return [...words, ...(rest.length === 0 ? [] : [`${others} through ${rest.length} others`])].join(', ');
}

function wayGroup(words: string, reports: readonly PageReport[]): string {
  return `<div class="group"><h4>${escapeHtml(words)}</h4>${cardList(reports)}</div>`;
}

export function dashboardSection({ reports }: PageModel): string {
  const withSubject = reports.flatMap((report) => (report.subject === undefined ? [] : { report, of: report.subject }));
  const cards = [...groupBy(withSubject, ({ of }) => of.key).values()]
    .sort(([a], [b]) => byCodeUnit(a.of.name, b.of.name))
    .map((same) => {
      const [{ of }] = same;
      const heading = `${escapeHtml(of.name)}${quiet(countOf(same.length, 'report'))}`;
      return group(heading, inOmni(of.link) + cardList(same.map(({ report }) => report)), dashboardId(of));
    });
  return section('dashboards', 'By dashboard', grid(cards));
}

function grid(cards: readonly string[]): string {
  return cards.length === 0 ? '' : `<div class="grid">${cards.join('\n')}</div>`;
}

/** More receivers of one list are folded. */
const maxShown = 12;

function reportCard(report: PageReport): string {
  const { id, label, when, what, way, condition, subject, owner, account, filters, tags, note, place, health } = report;
  const asApplied = [report.keptAsApplied, report.stillInOmni].filter((words) => words !== undefined);
  const next = when?.next === undefined ? '' : `<p>Next: <strong>${escapeHtml(timeWords(when.next))}</strong>`;
  const never = when !== undefined && when.next === undefined && !report.paused ? '<p>It does not run again.' : '';
  const last = health?.lastCompletedAt;
  const rows = [
    row('To', receiverLines(report.receivers)),
    row(
      'What',
      [escapeHtml(what) + subjectWords(subject), ...[way, condition ?? ''].map(escapeHtml)].filter(Boolean).join(', '),
    ),
    row(
      'Filters',
      filters
        .map((each) => `<span class="pair"><i>${escapeHtml(each.name)}:</i> ${escapeHtml(each.words)}</span>`)
        .join(''),
    ),
    row('Owner', ownerWords(owner, account)),
    row('Note', note === undefined ? '' : escapeHtml(note)),
    row('Last run', last === undefined ? '' : `ended ${escapeHtml(`${dateWords(last)}, ${last.slice(11, 16)}`)} UTC`),
    row('Tags', tags.map((tag) => `<span class="tag">${escapeHtml(tag)}</span>`).join(' ')),
  ];
  return `<article id="${escapeHtml(id)}"><div><h3>${escapeHtml(label)}${badgesOf(report)}</h3>
<p>${when === undefined ? 'Once, when it is applied' : `${escapeHtml(when.words)} <small>${escapeHtml(when.timezone)}</small>`}
${next}${never}${asApplied.map((words) => `<p>${escapeHtml(words)}.`).join('')}
<p class="place">${escapeHtml(place)}${inOmni(report.link)}</div>
<dl>${rows.filter((each) => each !== '').join('\n')}</dl></article>`;
}

function row(name: string, content: string): string {
  return content === '' ? '' : `<dt>${name}<dd>${content}`;
}

function subjectWords(subject: PageSubject | undefined): string {
  return subject === undefined
    ? ''
    : ` of <a href="#${escapeHtml(dashboardId(subject))}">${escapeHtml(subject.name)}</a>`;
}

function ownerWords(owner: string | undefined, account: string | undefined): string {
  if (account === undefined) return owner === undefined ? '' : escapeHtml(owner);
  return owner === undefined
    ? escapeHtml(account)
    : `${escapeHtml(owner)} <small>in Omni ${escapeHtml(account)}</small>`;
}

/** A line for each list or group through which somebody receives it, and of each for those outside. */
function receiverLines(receivers: readonly PageReceiver[]): string {
  return [...groupBy(receivers, ({ via, isOutside }) => `${via}\n${isOutside}`).values()]
    .map((same) => {
      const [{ via, isOutside }] = same as [PageReceiver];
      const through = via === '' ? '' : `<i>${escapeHtml(via)}:</i> `;
      const outside = isOutside ? `${badge('out', 'outside')} ` : '';
      return `<span class="pair">${outside}${through}${folded(same.map((receiver) => escapeHtml(writtenName(receiver))))}</span>`;
    })
    .join('');
}

function folded(names: readonly string[]): string {
  if (names.length <= maxShown + 1) return names.join(', ');
  const rest = names.slice(maxShown);
  return `${names.slice(0, maxShown).join(', ')}<details><summary>and ${rest.length} more</summary>${rest.join(', ')}</details>`;
}

// The week as a calendar of deliveries, by day and part of the day. More than four deliveries of a report in a day are
// one line.

interface WeekDay {
  readonly date: string;
  readonly parts: readonly DayPart[];
}

interface DayPart {
  readonly name: (typeof dayParts)[number]['name'];
  readonly slots: readonly WeekSlot[];
}

interface WeekSlot {
  /** `09:00`, or `00:00–23:00, every hour`. */
  readonly time: string;
  readonly timezone: string;
  readonly reports: readonly PageReport[];
}

const maxRunsADay = 4;

/** `until` is the first hour after the part. The first part has the frequent runs. */
const dayParts = [
  { name: 'All day', until: 0 },
  { name: 'Morning', until: 12 },
  { name: 'Afternoon', until: 18 },
  { name: 'Evening', until: 24 },
] as const;

/** Each report at the times of its own zone, without the runs before `now` (epoch milliseconds). */
function weekOf(reports: readonly PageReport[], now: number): readonly WeekDay[] {
  const days = weekFrom(now);
  // Many reports share an expression and a zone.
  const runsOf = memoize((zone: string) =>
    memoize((schedule: string) => groupBy(runsInWeek(schedule, zone, days), (local) => local.slice(0, 10))),
  );
  const running = reports.flatMap((report) =>
    report.when === undefined || report.paused ? [] : [{ report, when: report.when }],
  );
  const nowIn = memoize((zone: string) => localTimesIn(zone)(new Date(now).toISOString()));
  return days.map((date) => {
    const lines = running.flatMap(({ report, when }) =>
      weekLines(report, when, runsOf(when.timezone)(when.schedule).get(date), nowIn(when.timezone)),
    );
    const byPart = groupBy(lines, ({ part }) => part);
    return { date, parts: dayParts.map(({ name }, part) => ({ name, slots: slotsOf(byPart.get(part) ?? []) })) };
  });
}

function slotsOf(lines: readonly PlacedLine[]): readonly WeekSlot[] {
  return [...groupBy(lines, ({ time, timezone }) => `${time} ${timezone}`)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([, same]) => {
      const [{ time, timezone }] = same as [PlacedLine];
      return { time, timezone, reports: same.map(({ report }) => report) };
    });
}

interface PlacedLine extends Pick<WeekSlot, 'time' | 'timezone'> {
  readonly report: PageReport;
  readonly part: number;
}

function weekLines(
  report: PageReport,
  { timezone }: PageTiming,
  runs: readonly string[] | undefined,
  now: string,
): readonly PlacedLine[] {
  if (runs === undefined) return [];
  const coming = runs.filter((local) => local >= now);
  if (coming.length > 0 && runs.length > maxRunsADay) return [{ report, timezone, time: oftenWords(runs), part: 0 }];
  return coming.map((local) => {
    const hour = Number(local.slice(11, 13));
    return { report, timezone, time: local.slice(11), part: dayParts.findIndex(({ until }) => hour < until) };
  });
}

/** `08:00–17:00, every hour`; around the clock without times. */
function oftenWords(runs: readonly string[]): string {
  const [first = '', last = ''] = [runs[0]?.slice(11), runs.at(-1)?.slice(11)];
  const beat = beatWords(runs.map((local) => ({ at: `${local}Z`, local })));
  const often = beat ?? countOf(runs.length, 'run');
  return first < '01' && last >= '23' ? often : `${first}\u2013${last}, ${often}`;
}

// The reports of each receiver: a person, channel, server or bucket. Shows the list or group of each, and who is
// outside.

interface PageRecipient extends Pick<PageReceiver, 'recipient' | 'kind' | 'isOutside'> {
  /** Direct deliveries come first. */
  readonly ways: readonly { readonly via: string; readonly reports: readonly PageReport[] }[];
  /** Each once. */
  readonly reports: readonly PageReport[];
}

/** Sorted by name. */
export function recipientsIn(reports: readonly PageReport[]): readonly PageRecipient[] {
  const received = reports.flatMap((report) => report.receivers.map((receiver) => ({ report, receiver })));
  const byName = groupBy(received, ({ receiver: { kind, recipient } }) => `${recipient}\n${kind}`);
  return [...byName.values()]
    .map((same): PageRecipient => {
      const [first] = same as [(typeof same)[number]];
      const { recipient, kind, isOutside } = first.receiver;
      const ways = [...groupBy(same, ({ receiver }) => receiver.via)]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([via, each]) => ({ via, reports: each.map(({ report }) => report) }));
      return { recipient, kind, isOutside, ways, reports: [...new Set(same.map(({ report }) => report))] };
    })
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient));
}

interface OutsidePlace {
  /** A domain or a host. */
  readonly name: string;
  /** The reports for the same receivers through the same list. */
  readonly ways: readonly {
    readonly via: string;
    readonly recipients: readonly string[];
    readonly reports: readonly PageReport[];
  }[];
  /** Each once. */
  readonly reports: readonly PageReport[];
}

/** Sorted by domain. */
function outsideIn(reports: readonly PageReport[]): readonly OutsidePlace[] {
  const going = reports.flatMap((report) => {
    const outside = report.receivers.filter(({ isOutside }) => isOutside);
    const ways = groupBy(outside, ({ place, via }) => `${place}\n${via}`);
    return [...ways.values()].map((same) => {
      const [{ place, via }] = same as [PageReceiver];
      return { report, place, via, recipients: same.map(({ recipient }) => recipient) };
    });
  });
  return [...groupBy(going, ({ place }) => place)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, ofPlace]) => ({
      name,
      ways: [...groupBy(ofPlace, ({ via, recipients }) => JSON.stringify([via, recipients]))]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([, same]) => {
          const [{ via, recipients }] = same as [(typeof same)[number]];
          return { via, recipients, reports: same.map(({ report }) => report) };
        }),
      reports: [...new Set(ofPlace.map(({ report }) => report))],
    }));
}
