// The check `rows-of-others`: receivers outside get only rows that the table of `safety.rows` allows. Findings are at
// the place that names the receiver, with the value that is shown.

import { normalize } from 'node:path/posix';
import { type Attributes, deliveryOf } from '../../model/fields/delivery.ts';
import { fieldsDeciding } from '../../model/fields/fields.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { isWithin, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { codeList, inBackticks, maxJudged, nameSome, quote } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import {
  type Finding,
  type FindingWords,
  hasErrors,
  placeOf,
  type SourceFile,
} from '../../model/workspace/diagnostic.ts';
import { type FieldPlace, placeOfField } from '../../model/workspace/field-place.ts';
import { unknownPlaces } from '../../model/workspace/map-leaves.ts';
import { declaredAttributes, type Item, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf } from '../acceptances.ts';
import { nearest } from '../findings/suggest.ts';
import { filterOf } from '../rules/filter-shape.ts';
import type { Workspace } from '../workspace.ts';
import { pauseFindings } from './counts-outside.ts';
import {
  divisionOf,
  judgedReceivers,
  judgeRows,
  needsLine,
  type RowFault,
  type RowRules,
  type ShownRows,
  type ShownValue,
  shownRows,
  type UnlimitedRows,
} from './judge-rows.ts';
import { misnamedFilters, misnamedWords, nearReceiver, nearWords } from './nearly-named.ts';
import { everyRow, type Permissions, type ReceiverPermissions } from './permissions.ts';
import { readPermissions } from './read-permissions.ts';

const code = 'rows-of-others';

export interface JudgedRows {
  readonly rules: RowRules;
  /** The resources of which a wrong receiver is an error that nobody has waived. */
  readonly alone: ReadonlySet<Address>;
}

export interface RowsFound {
  /** Undefined if rows belong to nobody in particular, or the table's content is not known. */
  readonly rows: JudgedRows | undefined;
  /** True if there should be a table, but its content is not known: its mistake is one of the findings. */
  readonly isUnreadable: boolean;
  readonly findings: readonly Finding[];
}

/**
 * True if the table alone decides whether somebody may receive something: it has a line for them, or the check says
 * that it has none. No other check then asks whether they are inside.
 */
export function judgesAlone(
  receiver: Receiver,
  { kind, address }: Pick<Resource, 'kind' | 'address'>,
  rows: JudgedRows | undefined,
): boolean {
  if (!rows?.alone.has(address)) return false;
  return needsLine(kind, receiver) || rows.rules.permissions.allowedTo(receiver) !== undefined;
}

interface Tables {
  readonly workspace: Pick<Workspace, 'read' | 'readReference'>;
  /** The files that were read so far; the table is added, so that a finding in it can be placed. */
  readonly files: Map<string, SourceFile>;
}

/** `resources` are as declared, before sinks. */
export function judgeRowsOf(
  resources: readonly Resource[],
  config: Pick<Config, 'api' | 'checks' | 'safety' | 'deliver' | 'file' | 'state'>,
  tables: Tables,
  today: string,
): RowsFound {
  const { checks, safety } = config;
  if (safety.rows === undefined || safety.internalDomains.length === 0) return noRows;
  const { value: permissions, findings: ofTable } = readTable(config, safety.rows.allow, tables, today);
  if (permissions === undefined || hasErrors(ofTable))
    return { rows: undefined, isUnreadable: true, findings: ofTable };
  const rules: RowRules = { ...divisionOf(safety.rows, resources, safety.internalDomains), permissions };
  const alone = new Set<Address>();
  const findings: Finding[] = [];
  const isError = (checks[code] ?? 'error') === 'error';
  const misnamed = misnamedFilters(safety.rows.filters, resources);
  for (const resource of resources) {
    if (isError && !acceptancesOf(resource).has(code)) alone.add(resource.address);
    const delivery = deliveryOf(resource.kind, declaredAttributes(resource));
    const faults = withoutConsequences(judgeRows(resource.kind, delivery, rules), resource).filter(
      (fault) => !('unlimited' in fault) || !fault.unlimited.filters.some((id) => misnamed.has(id)),
    );
    if (faults.length === 0) continue;
    const rows = shownRows(resource.kind, delivery, rules);
    for (const each of shortened(faults)) findings.push(faultFinding(each, resource, rows, rules));
  }
  return {
    rows: { rules, alone },
    isUnreadable: false,
    findings: [
      ...ofTable,
      ...misnamedWords(misnamed, config, resources),
      ...findings,
      ...sinkFindings(config, rules),
      ...pauseFindings(config),
    ],
  };
}

/** The result if no table says whose rows are whose. */
export const noRows: RowsFound = { rows: undefined, isUnreadable: false, findings: [] };

/** With `extra`, of which nobody knows what it decides. */
const fieldsOfRows: ReadonlySet<string> = new Set([...fieldsDeciding('rows'), 'extra']);

/** Values that a wrong reference leaves unknown have that error, and cannot be judged. */
function withoutConsequences(faults: readonly RowFault[], { attributes }: Resource): readonly RowFault[] {
  if (faults.length === 0) return faults;
  const unknown = unknownPlaces(attributes);
  if (unknown.length === 0) return faults;
  const isOfRows = unknown.some((place) => fieldsOfRows.has(pointerSegments(place)[0] ?? ''));
  return faults.filter(
    ({ kind, receiver: { at } }) => !unknown.some((place) => isWithin(at, place)) && (kind === 'unnamed' || !isOfRows),
  );
}

function readTable(
  { file = '', state, safety }: Pick<Config, 'file' | 'state' | 'safety'>,
  path: string,
  { workspace, files }: Tables,
  today: string,
): { readonly value?: Permissions; readonly findings: readonly Finding[] } {
  const place = placeOf({ file, document: 0, pointer: pointerTo('safety', 'rows', 'allow') });
  const referred = workspace.readReference(path, state.backend === 'local' ? [state.path] : []);
  // The owner of a link need not own the file that it leads to.
  const read = 'finding' in referred ? referred : workspace.read(normalize(path));
  if ('finding' in read) {
    const { code, message, hint } = read.finding;
    const hintOf =
      read === referred
        ? 'Name a CSV file in the workspace: `shows,receiver` is its first line.'
        : 'Name the file itself: whoever owns the link need not notice a change of the file behind it.';
    const words = code === 'not-fetched' ? { code, hint } : ({ code: 'rows-table', hint: hintOf } as const);
    return { findings: [{ ...words, message, place }] };
  }
  const table: SourceFile = { path: normalize(path), text: read.text, isTable: true };
  const permissions = readPermissions(table, today, safety.internalDomains);
  // Compares lines too: a copy would not be a table of its own, however it is written.
  const ofLoop = [...files.values()].find(
    (each) => each.isTable && (each.path === table.path || permissions.value.isCopiedIn(each.text)),
  );
  if (ofLoop !== undefined)
    return {
      findings: [
        {
          code: 'rows-table',
          message: `A loop reads ${quote(ofLoop.path)}, so a wrong row there would allow itself.`,
          hint: `Keep the permissions in a table of their own: \`${command('who', '--rows', '--format', 'csv')}\` writes the first one.`,
          place,
        },
      ],
    };
  files.set(table.path, table);
  return permissions;
}

type ShortenedFault = RowFault & {
  /** The number of others that are left out after it. */
  readonly more: number;
};

/** One each for the first of them, and one for the rest: a list may hold thousands. */
export function shortened(faults: readonly RowFault[]): readonly ShortenedFault[] {
  const most = Math.min(faults.length, maxJudged);
  return faults
    .slice(0, most)
    .map((fault, index) => ({ ...fault, more: index === most - 1 ? faults.length - most : 0 }));
}

/** The faults of an applied delivery, whatever is declared. `what` is the subject of a sentence. */
export function rowWords(
  kind: Kind,
  attributes: Attributes,
  what: string,
  { rules }: JudgedRows,
): readonly FindingWords[] {
  const delivery = deliveryOf(kind, attributes);
  return wordsOfFaults(judgeRows(kind, delivery, rules), what, shownRows(kind, delivery, rules), rules);
}

export function wordsOfFaults(
  faults: readonly RowFault[],
  what: string,
  rows: ShownRows,
  rules: RowRules,
): readonly FindingWords[] {
  return shortened(faults).map((fault) => ({ code, ...faultWords(fault, what, rows, rules) }));
}

function faultFinding(fault: ShortenedFault, resource: Resource, rows: ShownRows, rules: RowRules): Finding {
  const { isInherited, isPart: _, place, related = [] } = faultPlace(fault, resource);
  const [shown] = fault.kind === 'others' ? fault.valuesOfOthers() : [];
  const ofValue = shown && placeOfField(resource, shown.at).place;
  const { address, item } = resource;
  const what = isInherited ? `\`${item?.loop.address ?? address}\`` : 'this';
  return {
    code,
    ...faultWords(fault, what, rows, rules),
    ...(isInherited ? { concerns: [address] } : { address }),
    place,
    related: [
      ...related,
      ...(ofValue === undefined ? [] : [{ place: ofValue, message: `This gives ${quote(shown?.value ?? '')}.` }]),
      ...(fault.kind === 'ended' ? [{ place: fault.line.place, message: 'This is the line.' }] : []),
    ],
    ofLoop: item && loopWords(fault, what, item, rules),
  };
}

/** A missing limit is a mistake of its filter or, if there is none, of the declaration: not of the receiver. */
function faultPlace(fault: RowFault, resource: Resource): FieldPlace {
  if (!('unlimited' in fault)) return placeOfField(resource, fault.receiver.at);
  const { at } = fault.unlimited;
  if (at !== undefined) return placeOfField(resource, at);
  if ('filterConfig' in resource.attributes) return placeOfField(resource, pointerTo('filterConfig'), { at: 'key' });
  return { place: placeOf(resource.origin, 'key'), isInherited: false };
}

/** The fault of a loop's declaration, whatever the item. */
function loopWords(fault: RowFault, what: string, item: Item, { permissions }: RowRules): Finding['ofLoop'] {
  const { kind, receiver } = fault;
  const whom = receiverWords(receiver);
  switch (kind) {
    case 'unlimited': {
      return {
        message: `No filter limits what its receivers outside get: ${unlimitedWords(fault.unlimited, what)}.`,
        hint: unlimitedHint(fault, columnWith(fault.receivers[0]?.allowed, item), permissions),
      };
    }
    case 'unnamed':
      return {
        message: `Nobody says what ${whom} may receive.`,
        hint: `Remove ${whom}. If it may see all of these rows, whoever owns ${permissions.file} adds a line for each value.`,
      };
    case 'others':
      return {
        message: `${whom} may receive ${allowedWords(fault.allowed, permissions)}, and ${what} shows others.`,
        hint: `Correct the receiver. If ${whom} may see all of these rows, whoever owns ${permissions.file} adds a line for each value.`,
      };
    default:
      return undefined;
  }
}

/** The value of an item of a loop that its receiver may see, as a reference to where the items have it. */
function columnWith(allowed: ReceiverPermissions | undefined, { cells = {} }: Item): string {
  const column = Object.keys(cells).find((name) => allowed?.lines.some(({ shows }) => shows === String(cells[name])));
  return `"\${each.${column ?? '…'}}"`;
}

/** `what` shows it, as the subject of a sentence. */
export function faultWords(
  fault: ShortenedFault,
  what: string,
  rows: ShownRows,
  rules: RowRules,
): Omit<FindingWords, 'code'> {
  const { message, hint } = wordsOfOne(fault, what, rows, rules);
  const rest = fault.more === 0 ? '' : ` ${fault.more} more of its receivers may not have it either.`;
  return { message: `${message}${rest}`, hint, ...(fault.kind === 'ended' ? { lapsed: fault.line.until } : {}) };
}

function wordsOfOne(
  fault: RowFault,
  what: string,
  rows: ShownRows,
  rules: RowRules,
): Pick<FindingWords, 'message' | 'hint'> {
  const { permissions } = rules;
  const { receiver } = fault;
  const whom = receiverWords(receiver);
  switch (fault.kind) {
    case 'unnamed': {
      if (receiver.isHidden)
        return {
          message: `Who receives ${what} is behind a secret, so it is not known which rows they may have.`,
          hint: 'Write the host or the address in the file, and keep only the rest secret.',
        };
      const values = 'shown' in rows ? [...new Set(rows.shown.map(({ value }) => value))] : [];
      const near = nearReceiver(receiver, values, rules);
      if (near !== undefined) return { message: `Nobody says what ${whom} may receive.`, hint: near };
      const hint =
        values.length === 0
          ? `Remove ${whom}, or limit the rows with a filter first. Then ${permissions.file} needs a line for ${whom}.`
          : lineHint(receiver, values, permissions);
      return { message: `Nobody says what ${whom} may receive.`, hint };
    }
    case 'sign':
      return {
        message: `\`${everyRow}\` is a value of ${codeList(fault.unlimited.filters)}. Omni compares with that text, and in ${permissions.file} it stands for every row.`,
        hint: 'Write the values that are meant, or remove the filter if every row is meant.',
      };
    case 'ended': {
      const { text, until, at, renewed } = fault.line;
      return {
        message: `The line ${quote(text)} ended on ${until}, ${at}, and ${what} goes to ${whom}.`,
        hint: `If ${whom} may go on receiving it, whoever owns ${permissions.file} writes a later day, such as ${inBackticks(renewed)}. Otherwise remove the receiver, or pause the report.`,
      };
    }
    case 'doubtful':
      return doubtWords(fault, what, permissions);
    case 'unlimited': {
      const { receivers, unlimited } = fault;
      const [{ allowed } = { allowed: undefined }] = receivers;
      const value = allowed?.lines[0]?.shows ?? '';
      const all = nameSome(receivers.map((each) => receiverWords(each.receiver)));
      const verb = receivers.length === 1 ? 'receives' : 'receive';
      return {
        message: `No filter limits what ${all} ${verb}: ${unlimitedWords(unlimited, what)}.`,
        hint: unlimitedHint(fault, value, permissions),
      };
    }
    case 'others': {
      const { allowed } = fault;
      const valuesOfOthers = fault.valuesOfOthers();
      const filters = codeList([...new Set(valuesOfOthers.map(({ filter }) => filter))]);
      const near = nearWords(allowed, valuesOfOthers);
      return {
        message: `${whom} may receive ${allowedWords(allowed, permissions)}, and ${what} shows ${othersWords(valuesOfOthers)}.${near?.message ?? ''}`,
        hint:
          near?.hint ??
          `Correct the receiver or ${filters}. ${lineHint(receiver, [valuesOfOthers[0]?.value ?? ''], permissions)}`,
      };
    }
  }
}

export function receiverWords({ kind, shown }: Receiver): string {
  return kind === 'group' ? `the user group ${quote(shown)}` : quote(shown);
}

export function othersWords(valuesOfOthers: readonly ShownValue[]): string {
  return nameSome([...new Set(valuesOfOthers.map(({ value }) => quote(value)))]);
}

/** The allowed values, with the lines that allow them. */
export function allowedWords({ lines }: ReceiverPermissions, { file }: Permissions): string {
  return `${valuesInWords(lines)} (${file}:${nameSome(lines.map(({ row }) => String(row.line)))})`;
}

/** The values of lines, each once and with its day where that is over. */
export function valuesInWords(lines: ReceiverPermissions['lines']): string {
  const words = lines.map(({ shows, until, isOver }) => `${quote(shows)}${isOver ? ` until ${until}` : ''}`);
  return nameSome([...new Set(words)]);
}

/** The owner of the table decides: the words are not a permission. */
export function lineHint(
  receiver: Receiver,
  values: readonly string[],
  permissions: Permissions,
  whom = receiverWords(receiver),
): string {
  const [value = ''] = values;
  const may = `may see ${nameSome(values.map((each) => quote(each)))}`;
  const line = permissions.lineFor(receiver, value);
  return `If ${whom} ${may}, whoever owns ${permissions.file} adds the line ${inBackticks(line)}${values.length > 1 ? ' and so on' : ''}.`;
}

/** Lines name the receiver, but it may still be somebody else. */
function doubtWords(
  { receiver, doubt, rows }: Extract<RowFault, { readonly kind: 'doubtful' }>,
  what: string,
  permissions: Permissions,
): Pick<FindingWords, 'message' | 'hint'> {
  const whom = receiverWords(receiver);
  const message = `Almanac cannot tell who receives ${what} in ${whom}`;
  if (typeof doubt === 'object') {
    const [one, other] = doubt.places.map(quote);
    return {
      message: `${message}: \`keyPrefix\` and \`filename\` make ${one} or ${other}, and lines of ${permissions.file} tell the two apart.`,
      hint: 'End `keyPrefix` with a slash.',
    };
  }
  const values = rows !== undefined && 'shown' in rows ? [...new Set(rows.shown.map(({ value }) => value))] : [];
  const isWritten = !permissions.isWhole(receiver) && values.length > 0;
  const line = lineHint(receiver, values, permissions, doubt === 'user' ? 'this user' : 'whoever has this URL');
  switch (doubt) {
    case 'user':
      return {
        message: `${message}: its lines in ${permissions.file} allow several values, and none names the user that logs in there.`,
        hint: isWritten ? line : `Write \`username\` in the file, and add a line with it to ${permissions.file}.`,
      };
    case 'query':
      return {
        message: `${message}: the URL has a query, and the line of ${permissions.file} has none.`,
        hint: isWritten ? line : 'Keep only the secret part of the URL secret, or call a URL without a query.',
      };
  }
}

export function unlimitedWords({ why, filters, key, whatIsOdd }: UnlimitedRows, what: string): string {
  const ids = codeList(filters);
  switch (why) {
    case 'no-filters':
      return `${what} has no filters`;
    case 'missing':
      return `${what} does not set ${codeList(filters, 'or')}`;
    case 'empty':
      return `${ids} has no value`;
    case 'extra':
      return `Almanac cannot tell whether \`${key}\` of \`extra\` changes what ${ids} lets through`;
    case 'odd':
    case 'sign':
      return `Almanac cannot tell what ${ids} lets through. ${whatIsOdd?.replace(/\.$/, '')}`;
    case 'unread':
      return `${ids} of ${what} may be the dashboard's, because nothing was sent since the adoption`;
    case 'form':
      if (key === undefined) return `Almanac cannot tell what ${ids} lets through in this form`;
      return key === 'values'
        ? `a value of ${ids} is blank, or neither a text nor a number`
        : `Almanac cannot tell what \`${key}\` of ${ids} lets through`;
  }
}

/** `value` is one that its receiver may see. */
function unlimitedHint(
  { unlimited: { why, filters }, instead }: Extract<RowFault, { readonly kind: 'unlimited' }>,
  value: string,
  { file }: Permissions,
): string {
  const [id] = filters;
  const otherFilter = instead();
  if (why === 'no-filters' || id === undefined) return 'Send it to nobody outside, or use a schedule with a filter.';
  if (why === 'extra') return 'Remove `extra`.';
  if (why === 'unread')
    return 'The next update makes the filter its own: change another field that is sent, such as `subject`, and apply.';
  const set = `et \`${id}: ${filterOf([value], value)}\` in \`filterConfig\``;
  if (otherFilter === undefined) return `S${set}.`;
  if (nearest(otherFilter, [id]) !== undefined) return `Did you mean \`${id}\` by \`${otherFilter}\`?`;
  return `If \`${otherFilter}\` has taken the place of \`${id}\` on the dashboard, write \`filters: [${[...filters, otherFilter].join(', ')}]\` under \`safety.rows\` in almanac.yaml: ${file} is then compared with it. Otherwise s${set}.`;
}

/** The sink of an environment receives all of it. */
function sinkFindings({ deliver, file = '' }: Pick<Config, 'deliver' | 'file'>, rules: RowRules): readonly Finding[] {
  if (deliver === undefined) return [];
  const { environment, email, webhook } = deliver;
  const sinks = {
    email: { destinationType: 'email', recipients: email ?? [] },
    webhook: { destinationType: 'webhook', url: webhook },
  };
  return Object.entries(sinks).flatMap(([name, attributes]) =>
    judgedReceivers('schedule', deliveryOf('schedule', attributes), rules).flatMap(
      ({ receiver, allowed }): readonly Finding[] => {
        const place = placeOf({ file, document: 0, pointer: pointerTo('environments', environment, 'deliver', name) });
        const answered = allowed?.answer(everyRow);
        if (answered === 'may') return [];
        if (typeof answered === 'object') {
          const fault = { kind: 'ended', receiver, line: answered, more: 0 } as const;
          return [
            {
              code,
              ...faultWords(fault, `whatever the environment ${environment} delivers`, { shown: [] }, rules),
              place,
            },
          ];
        }
        return [
          {
            code,
            message: `${receiverWords(receiver)} receives whatever the environment ${environment} delivers, and nobody says that every row may go there.`,
            hint: 'Use a sink of your own.',
            place,
          },
        ];
      },
    ),
  );
}
