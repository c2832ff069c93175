// Finds schedules that can write one file over another: on a server or in a bucket, at the same path, with other content.
// Compared are sets of schedules with equal places, and never pairs: a loop may have thousands of instances.

import { canonicalCron } from '../../cron/canonical-cron.ts';
import { checkTimeZone, clocksOf } from '../../cron/check-time-zone.ts';
import { comingRuns } from '../../cron/coming-runs.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { dayMs } from '../../cron/time-zone.ts';
import { type Attributes, deliveryOf, idleOf } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { sftpPlaceOf } from '../../model/fields/receiver.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy, memoize } from '../../model/values/collections.ts';
import { domainKey } from '../../model/values/domains.ts';
import { canonicalJson, type JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { knownText } from '../../model/values/secret.ts';
import { inBackticks } from '../../model/values/words.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { comparable } from '../comparable.ts';
import { isJudged, type RowRules } from '../rows/judge-rows.ts';

/** A file as its name is made. */
interface WrittenFile {
  /** Equal for two names of one file. */
  readonly key: string;
  /** The name of the file and of where it lies, for people. */
  readonly shown: string;
  readonly field: 'path' | 'filename';
  /** Its name has a day or a time, so that only the runs of one minute surely make the same one. */
  readonly isDated: boolean;
}

interface Writer {
  readonly resource: Resource;
  readonly attributes: Attributes;
  readonly file: WrittenFile;
  /** The content of the file: rows, columns and the form. */
  readonly content: string;
  readonly rows: string;
}

/** `rules` are those of `safety.rows`; where they judge one of two whose rows differ, the finding is an error. */
export function sameFiles(
  resources: readonly Resource[],
  rules: RowRules | undefined,
  now: number,
): readonly Finding[] {
  const known = new Set<Address>();
  const writers = resources.flatMap((resource): readonly Writer[] => {
    const attributes = declaredAttributes(resource);
    const file = fileOf(attributes);
    if (file === undefined || known.has(resource.address) || idleOf(deliveryOf('schedule', attributes)) !== undefined)
      return [];
    known.add(resource.address);
    return [{ resource, attributes, file, ...contentOf(attributes) }];
  });
  const minutesOf = memoize((time: string) => comingMinutes(JSON.parse(time), now));
  const findings = new Map<string, Finding>();
  for (const group of groupBy(writers, ({ file }) => file.key).values()) {
    if (!differ(group)) continue;
    for (const meeting of group[0].file.isDated ? inOneMinute(group, minutesOf) : [group])
      for (const writing of inOneEnvironment(meeting)) report(writing, rules, findings);
  }
  return [...findings.values()];
}

const differ = (writers: readonly Writer[]) => writers.some(({ content }) => content !== writers[0]?.content);

/** Undefined where the name of the file is not known, or is chosen by the service or the server. */
function fileOf(attributes: Attributes): WrittenFile | undefined {
  switch (attributes['destinationType']) {
    case 'sftp':
      return fileOnServer(attributes);
    case 's3':
      return fileInBucket(attributes);
    default:
      return undefined;
  }
}

function fileOnServer({ address, port, username, path }: Attributes): WrittenFile | undefined {
  const [server, user, name] = [knownText(address), knownText(username), knownText(path)];
  if (server === undefined || user === undefined || name === undefined || name.trim() === '' || name.endsWith('/'))
    return undefined;
  const { host, path: folder } = sftpPlaceOf(server) ?? { host: server, path: '' };
  const place = [domainKey(host).replace(/\.$/, ''), Number(port ?? 22), user, folder, name];
  return {
    key: JSON.stringify(['sftp', ...place]),
    shown: `${inBackticks(name)} of ${inBackticks(host)}`,
    field: 'path',
    isDated: false,
  };
}

function fileInBucket(attributes: Attributes): WrittenFile | undefined {
  const { bucketName, keyPrefix, filename, format } = attributes;
  const [bucket, folder, template] = [knownText(bucketName), knownText(keyPrefix ?? ''), knownText(filename)];
  if (bucket === undefined || folder === undefined || template === undefined || /(?:^|\/)\s*$/.test(template))
    return undefined;
  const { name, isDated } = nameOf(template, attributes);
  const path = [withoutSlashes(folder), `${name}.${format}`].filter((part) => part !== '').join('/');
  return {
    key: JSON.stringify(['s3', bucket.toLowerCase(), path]),
    shown: `${inBackticks([withoutLast(folder), template].filter((part) => part !== '').join('/'))} in ${inBackticks(bucket)}`,
    field: 'filename',
    isDated,
  };
}

/** Without the slashes at its ends: those at its beginning stay in what is shown. */
function withoutSlashes(path: string): string {
  let from = 0;
  while (path[from] === '/') from += 1;
  return withoutLast(path.slice(from));
}

function withoutLast(path: string): string {
  let to = path.length;
  while (path[to - 1] === '/') to -= 1;
  return path.slice(0, to);
}

/** The name that a template makes. Days and times stay, and so does the name of what is delivered, which only Omni knows. */
function nameOf(template: string, { name, format, timezone, identifier, queryIdentifierMapKey }: Attributes) {
  const given: Readonly<Record<string, unknown>> = {
    scheduledTaskName: name,
    entityName: JSON.stringify([identifier, queryIdentifierMapKey]),
    format,
    timeZone: timezone,
  };
  let isDated = false;
  const made = template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, variable: string) => {
    if (Object.hasOwn(given, variable)) return String(given[variable]);
    isDated = true;
    return `{{${variable}}}`;
  });
  return { name: made, isDated };
}

const contents = Object.entries(fieldsOf.schedule).flatMap(([name, { decides }]) =>
  decides === 'rows' || decides === 'columns' ? [{ name, decides }] : [],
);

function contentOf(attributes: Attributes): Pick<Writer, 'content' | 'rows'> {
  const part = (...of: readonly string[]) => {
    const named = contents.filter(({ decides }) => of.includes(decides)).map(({ name }) => name);
    const picked = ['format', ...named].flatMap((name) => (name in attributes ? [[name, attributes[name]]] : []));
    const { format, ...others } = comparable('schedule', Object.fromEntries(picked) as JsonObject);
    // The format says which options count, and no rows.
    return canonicalJson(of.includes('columns') ? { format: format ?? null, ...others } : others);
  };
  return { content: part('rows', 'columns'), rows: part('rows') };
}

/** A year and some days: whatever meets later has time to be seen. */
const days = 370;
/** Two that run this often have met by then. */
const maxRuns = 2_000;

interface Times {
  readonly schedule: string;
  readonly zone: string;
}

function comingMinutes({ schedule, zone }: Times, now: number): readonly number[] {
  const { cron } = parseCron(schedule);
  const minutes: number[] = [];
  if (cron === undefined) return minutes;
  for (const { at } of comingRuns(cron, checkTimeZone(zone).zone ?? 'UTC', now)) {
    if (at > now + days * dayMs || minutes.length === maxRuns) break;
    minutes.push(at);
  }
  return minutes;
}

/** The sets of writers that run in the same minute. Most have the same times, and no run is looked for. */
function inOneMinute(
  writers: readonly Writer[],
  minutesOf: (time: string) => readonly number[],
): readonly (readonly Writer[])[] {
  const byTime = [
    ...groupBy(writers, ({ attributes: { schedule, timezone } }) =>
      JSON.stringify({ schedule: canonicalCron(String(schedule)), zone: clocksOf(String(timezone)) }),
    ),
  ];
  const alone = byTime.map(([, each]) => each).filter(differ);
  if (byTime.length === 1) return alone;
  const together = new Map<number, number[]>();
  for (const [index, [time]] of byTime.entries())
    for (const minute of minutesOf(time)) {
      const sharing = together.get(minute);
      if (sharing === undefined) together.set(minute, [index]);
      else sharing.push(index);
    }
  const sets = new Set([...together.values()].filter(({ length }) => length > 1).map((each) => each.join()));
  return [...alone, ...[...sets].map((each) => each.split(',').flatMap((index) => byTime[Number(index)]?.[1] ?? []))];
}

/** The sets that exist in one environment; all of them where none names any. */
function inOneEnvironment(writers: readonly Writer[]): readonly (readonly Writer[])[] {
  const names = new Set(writers.flatMap(({ resource }) => resource.in ?? []));
  if (names.size === 0) return [writers];
  return [...names, undefined].map((name) =>
    writers.filter(({ resource }) => resource.in === undefined || (name !== undefined && resource.in.includes(name))),
  );
}

/** One for each place that names the file: a loop names it once. The first to write it has none. */
function report(writers: readonly Writer[], rules: RowRules | undefined, findings: Map<string, Finding>): void {
  if (!differ(writers)) return;
  const concerns = writers.map(({ resource }) => resource.address);
  const [first] = writers;
  const different = writers.find(({ content }) => content !== first?.content);
  const judged = writers.filter(
    ({ resource, attributes }) =>
      rules !== undefined && isJudged(resource.kind, deliveryOf('schedule', attributes), rules),
  );
  const isError = judged.some(({ rows }) => writers.some((other) => other.rows !== rows));
  let hasDifferent = false;
  for (const writer of writers) {
    const { resource, file, content, rows } = writer;
    hasDifferent ||= writer === different;
    const other = content !== first?.content ? first : hasDifferent ? different : undefined;
    if (other === undefined) continue;
    const { place, related } = placeOfField(resource, pointerTo(file.field));
    const key = JSON.stringify(place);
    if (findings.has(key)) continue;
    const more = writers.length - 2;
    const [write, show] = more > 0 ? ['write', 'show'] : ['writes', 'shows'];
    const who = `${inBackticks(other.resource.address)}${more > 0 ? ` and ${more} more` : ''}`;
    findings.set(key, {
      code: 'same-file',
      message: `${who} ${write} the same file, ${file.shown}, and ${show} ${other.rows === rows ? 'it in another form' : 'other rows'}. The last one overwrites the others.`,
      hint: hintOf(writer, isError),
      concerns,
      place,
      ...(related && { related }),
      ...(isError && { severity: 'error' as const }),
    });
  }
}

/** An error is not accepted: one of the files would be read by another customer. */
function hintOf({ file: { field }, resource: { item } }: Writer, isError: boolean): string {
  const accept = isError ? '.' : ', or write `accept: { same-file: REASON }`.';
  const value = item === undefined ? 'a name of its own' : 'a value of the item, such as `${each.key}`,';
  return field === 'path'
    ? `Put ${value} into \`path\`${accept}`
    : `Put ${value} or \`{{scheduledTaskName}}\` into \`filename\` or \`keyPrefix\`${accept}`;
}
