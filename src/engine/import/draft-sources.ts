// Turns everything that was read into source files: chooses the key and the file of each resource, and lists what
// cannot be declared. Pure, except that checking a declaration may read environment variables.

import type { ImportedSchedule, SkippedSchedule } from '../../model/plan/import.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { byCodeUnit, byLetters, type JsonObject } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import type { Answers } from './answers.ts';
import { type CheckOptions, faultOf } from './check-draft.ts';
import { kebabOf, keyOf, takeName } from './choose-keys.ts';
import { declareDashboard } from './declare-dashboard.ts';
import { declareSchedule } from './declare-schedule.ts';
import type { NamedDashboard } from './out-files.ts';
import { whyUnsupported } from './why-unsupported.ts';

export interface DraftOptions extends CheckOptions {
  readonly answers: Answers;
  readonly schedules: readonly ListedSchedule[];
  /** Every dashboard that gets a file, in the order of the files. */
  readonly dashboards: readonly NamedDashboard[];
  /** Dashboards whose filters are declared as well. */
  readonly declareFilters: ReadonlySet<string>;
  readonly fileOf: ReadonlyMap<string, string>;
  readonly schema: string | undefined;
  /** Addresses that are already in use. */
  readonly taken: ReadonlySet<string>;
  /** Whether to write adopt entries. */
  readonly adopt: boolean;
}

export interface Drafts {
  /** Only files that declare something. */
  readonly sources: readonly SourceDraft[];
  readonly imported: readonly ImportedSchedule[];
  /** By address: the required fields that the service does not return. */
  readonly guessed: ReadonlyMap<Address, readonly string[]>;
  readonly skipped: readonly SkippedSchedule[];
  /** Other remarks for the user. */
  readonly notes: readonly string[];
}

export function draftSources(options: DraftOptions): Drafts {
  const parts = draftAll(options);
  const nowhere = options.schedules.flatMap(({ id, name, identifier }) => {
    const reason = identifier === '' ? whyUnsupported({ identifier, destinationType: '', format: '' }) : undefined;
    return reason === undefined ? [] : [{ id, name, identifier, reason }];
  });
  return {
    sources: parts.flatMap(({ source }) => (source === undefined ? [] : [source])),
    imported: parts.flatMap(({ imported }) => imported),
    guessed: new Map(parts.flatMap(({ guessed }) => [...guessed])),
    skipped: [...nowhere, ...parts.flatMap(({ skipped }) => skipped)],
    notes: parts.flatMap(({ notes }) => notes),
  };
}

interface Part extends Omit<Drafts, 'sources'> {
  readonly source: SourceDraft | undefined;
}

function draftAll(options: DraftOptions): readonly Part[] {
  const taken = new Set(options.taken);
  return options.dashboards.map((dashboard) => {
    const { identifier, name } = dashboard;
    const schedules = options.schedules
      .filter((schedule) => schedule.identifier === identifier)
      .sort((a, b) => byLetters(a.name, b.name) || byCodeUnit(a.id, b.id))
      .map((listed) => draftSchedule(options, listed, name, taken));
    const filters = draftFilters(options, dashboard, taken);
    const source = sourceOf(options, dashboard, filters.draft, schedules);
    return {
      source: source.dashboards.length + source.schedules.length > 0 ? source : undefined,
      imported: schedules.flatMap(({ imported }) => imported ?? []),
      guessed: new Map(schedules.flatMap(guessedIn)),
      skipped: schedules.flatMap(({ skipped }) => skipped ?? []),
      notes: filters.notes,
    };
  });
}

interface DraftedSchedule {
  readonly draft?: ResourceDraft;
  readonly unread?: readonly string[];
  readonly guessed?: readonly string[];
  readonly imported?: ImportedSchedule;
  readonly skipped?: SkippedSchedule;
}

function guessedIn({ imported, guessed = [] }: DraftedSchedule): readonly (readonly [Address, readonly string[]])[] {
  return imported === undefined || guessed.length === 0 ? [] : [[imported.address, guessed]];
}

function draftSchedule(
  options: DraftOptions,
  listed: ListedSchedule,
  dashboard: string,
  taken: Set<string>,
): DraftedSchedule {
  const { answers, config } = options;
  const { id, name, identifier } = listed;
  const skip = (reason: string) => ({ skipped: { id, name, identifier, reason } });
  const refusal = whyUnsupported(listed) ?? answers.get('refusal', id);
  if (refusal !== undefined) return skip(refusal);
  const [schedule, recipients] = [answers.get('schedule', id), answers.get('recipients', id)];
  if (schedule === undefined || recipients === undefined) throw new Error(`the schedule ${id} was not read`);
  const base = keyOf(name, 'schedule');
  const address = takeName(
    [base, keyOf(`${name} ${kebabOf(dashboard)}`, 'schedule')].map((key) => addressOf('schedule', key)),
    taken,
  );
  const key = address.slice(address.indexOf('.') + 1);
  const read = { listed, schedule, recipients, filters: answers.get('filters', identifier) };
  const declared = declareSchedule(read, key, defaultsOf(config));
  const reason =
    'reason' in declared ? declared.reason : faultOf(withNothingElse(options, identifier, declared.draft), options);
  if ('reason' in declared || reason !== undefined) {
    taken.delete(address);
    return skip(reason ?? '');
  }
  const { draft, unread, guessed } = declared;
  return { draft, unread, guessed, imported: { address, id, name, identifier } };
}

/** A file that declares only this schedule. */
function withNothingElse({ fileOf }: DraftOptions, identifier: string, draft: ResourceDraft): SourceDraft {
  const path = fileOf.get(identifier) ?? '';
  return { path, comments: [], dashboards: [], schedules: [draft], adoptions: [] };
}

/** The defaults of almanac.yaml for schedules. */
function defaultsOf({ defaults }: Config): JsonObject {
  return Object.assign({}, ...defaults.map(({ sections }) => sections.schedules ?? {})) as JsonObject;
}

function draftFilters(
  options: DraftOptions,
  { identifier, name }: NamedDashboard,
  taken: Set<string>,
): { readonly draft?: ResourceDraft; readonly notes: readonly string[] } {
  if (!options.declareFilters.has(identifier)) return { notes: [] };
  const refusal = options.answers.get('refusal', identifier);
  if (refusal !== undefined) return { notes: [`The filters of ${name} (${identifier}) are not declared. ${refusal}`] };
  const remote = options.answers.get('filters', identifier);
  if (remote === undefined) throw new Error(`the filters of ${identifier} were not read`);
  const address = takeName([addressOf('dashboard', keyOf(name, 'dashboard'))], taken);
  const draft = declareDashboard(remote, identifier, address.slice(address.indexOf('.') + 1));
  if (draft === undefined) return { notes: [] };
  const path = options.fileOf.get(identifier) ?? '';
  const reason = faultOf({ path, comments: [], dashboards: [draft], schedules: [], adoptions: [] }, options);
  if (reason === undefined) return { draft, notes: [] };
  return { notes: [`The filters of ${name} (${identifier}) could not be declared. ${reason}`] };
}

function sourceOf(
  { fileOf, schema, adopt }: DraftOptions,
  { identifier, name }: NamedDashboard,
  dashboard: ResourceDraft | undefined,
  schedules: readonly DraftedSchedule[],
): SourceDraft {
  const drafted = schedules.flatMap(({ draft, unread = [] }) => (draft === undefined ? [] : [{ draft, unread }]));
  const lists = new Set(drafted.map(({ unread }) => unread.join(', ')));
  const [common = ''] = lists.size === 1 ? lists : [];
  return {
    path: fileOf.get(identifier) ?? '',
    schema,
    comments: [
      `The dashboard ${name} (${identifier}), as almanac import read it.`,
      ...(common === '' ? [] : [unreadWords(common)]),
    ],
    dashboards: dashboard === undefined ? [] : [dashboard],
    schedules: drafted.map(({ draft, unread }) =>
      common !== '' || unread.length === 0
        ? draft
        : { ...draft, comments: [...draft.comments, unreadWords(unread.join(', '))] },
    ),
    adoptions: adopt
      ? schedules.flatMap(({ imported }) => (imported ? [{ to: imported.address, id: imported.id }] : []))
      : [],
  };
}

function unreadWords(fields: string): string {
  return `Could not be read back and is not declared: ${fields}.`;
}
