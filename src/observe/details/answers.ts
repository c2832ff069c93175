// The answers that an import, or a reading of recipients, has received so far. They are kept in memory and, one per line,
// in the progress file, so that a resumed run does not repeat a request. The list is read again: it says which of them are
// still true.

import type { ProgressFile, Reporter } from '../../model/outside.ts';
import {
  filtersSchema,
  type ListedSchedule,
  listedRoutineSchema,
  listedSchema,
  recipientsSchema,
  remoteScheduleSchema,
} from '../../model/service/remote.ts';
import { equalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { constant, listOf, record, type Schema, type TypeOf, text } from '../../model/values/schema.ts';
import { secretsInUrl } from '../../model/values/url-secrets.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument, documentProblem, isDocument } from '../../yaml/document-problem.ts';
import { knownDashboardSchema, withoutSecrets } from './join-answers.ts';

/** The kinds of answers, each stored under an id. */
const answerSchemas = {
  /** The list of all schedules; its id is empty. */
  listed: listOf(listedSchema),
  /** The folders and owners of all dashboards; its id is empty. */
  dashboards: listOf(knownDashboardSchema),
  schedule: remoteScheduleSchema,
  recipients: recipientsSchema,
  filters: filtersSchema,
  /** The reason why the service refused the details of a schedule or the filters of a dashboard. */
  refusal: text,
  /** The routines of a member, by the membership id. */
  routines: listOf(listedRoutineSchema),
};
type AnswersByType = { readonly [T in keyof typeof answerSchemas]: TypeOf<(typeof answerSchemas)[T]> };

/** The first line of the progress file: which import it belongs to. */
const headerSchema = record({
  type: constant('header'),
  version: constant(1),
  baseUrl: text,
  identifiers: listOf(text),
});

/** The schema of any other line. */
function lineSchema<T extends keyof AnswersByType>(type: T) {
  const answer: { readonly [K in keyof AnswersByType]: Schema<AnswersByType[K]> } = answerSchemas;
  return record({ type: constant(type), id: text, answer: answer[type] });
}

export interface Answers {
  get<T extends keyof AnswersByType>(of: T, id: string): AnswersByType[T] | undefined;
  /** Drops the answers about schedules that went, or whose row differs, since the list of the run before. */
  list(schedules: readonly ListedSchedule[]): void;
  keep<T extends keyof AnswersByType>(of: T, id: string, answer: AnswersByType[T]): Promise<void>;
}

export interface ImportScope {
  readonly baseUrl: string;
  /** The dashboards' identifiers; empty for all. */
  readonly identifiers: readonly string[];
}

type KeptAnswers = { readonly [T in keyof AnswersByType]: Map<string, AnswersByType[T]> };

/** The part of an answer that may be kept, where that is not all of it. */
const toKeep: { readonly [T in keyof AnswersByType]?: (answer: AnswersByType[T]) => AnswersByType[T] } = {
  schedule: withoutSecrets,
  recipients: withoutSecrets,
};

export interface AnswersFor {
  readonly what: string;
  /** The difference of answers that do not fit: `of another organization`. */
  readonly differs: string;
  readonly hint: string;
}

const importing: AnswersFor = {
  what: 'import',
  differs: 'of another organization or of other dashboards',
  hint: 'Name the same dashboards with --identifier, or remove the file to start over.',
};

export interface AnswerOptions {
  readonly resume?: boolean | undefined;
  /** Told if there is nothing to resume. */
  readonly reporter: Reporter;
}

/** Throws Failure refused if a progress file is in the way, is unreadable, or belongs to another reading. */
export async function openAnswers(
  file: ProgressFile,
  scope: ImportScope,
  { resume, reporter }: AnswerOptions,
  reading: AnswersFor = importing,
): Promise<Answers> {
  const identifiers = [...scope.identifiers].sort();
  const header = { type: 'header', version: 1, baseUrl: scope.baseUrl, identifiers } as const;
  const lines = await file.read();
  if (lines !== undefined && !resume) throw unfinished(file.name, reading);
  if (lines === undefined && resume) {
    const message = `There is no unfinished ${reading.what} to continue, so this one starts from the beginning.`;
    reporter.emit({ type: 'note', message });
  }
  const known = knownFrom(lines ?? [], header, file.name, reading);
  // A run that was killed may have kept the header without the list.
  return answersFrom(file, lines === undefined || lines.length === 0 ? header : undefined, known);
}

/** Answers that are kept in memory only. */
export function unkeptAnswers(): Answers {
  return answersFrom(undefined, undefined, noAnswers());
}

function noAnswers(): KeptAnswers {
  return {
    listed: new Map(),
    dashboards: new Map(),
    schedule: new Map(),
    recipients: new Map(),
    filters: new Map(),
    refusal: new Map(),
    routines: new Map(),
  };
}

function knownFrom(
  [first, ...rest]: readonly JsonObject[],
  header: JsonObject,
  name: string,
  reading: AnswersFor,
): KeptAnswers {
  const knownAnswers = noAnswers();
  if (first === undefined) return knownAnswers;
  checkedDocument(headerSchema, first, (problem) => unreadable(name, 1, problem));
  if (!equalJson(first, header)) throw another(name, reading);
  for (const [index, line] of rest.entries()) {
    const problem = noteLine(line, knownAnswers);
    if (problem !== undefined) throw unreadable(name, index + 2, problem);
  }
  return knownAnswers;
}

/** The fault of the line; undefined if it is added to what is known. */
function noteLine(line: JsonObject, known: KeptAnswers): string | undefined {
  const { type } = line;
  return isAnswerType(type) ? noteAnswer(type, line, known) : '/type is not one that Almanac writes';
}

function isAnswerType(type: Json | undefined): type is keyof AnswersByType {
  return typeof type === 'string' && Object.hasOwn(answerSchemas, type);
}

function noteAnswer<T extends keyof AnswersByType>(type: T, line: unknown, known: KeptAnswers): string | undefined {
  const schema = lineSchema(type);
  if (!isDocument(schema, line)) return documentProblem(schema, line);
  if (type === 'listed') dropOutdated(line.answer as AnswersByType['listed'], known);
  known[type].set(line.id, line.answer);
  return undefined;
}

/** A later list: what is known of rows that are not as they were is no longer true. */
function dropOutdated(rows: readonly ListedSchedule[], known: KeptAnswers): void {
  const now = new Map(rows.map((row) => [row.id, settingsOfRow(row)]));
  for (const row of known.listed.get('') ?? []) {
    if (equalJson(now.get(row.id) ?? null, settingsOfRow(row))) continue;
    for (const type of ['schedule', 'recipients', 'refusal'] as const) known[type].delete(row.id);
  }
}

/** A run of it changes no setting. */
function settingsOfRow({ lastCompletedAt: _, lastStatus: __, runsUntold: ___, ...row }: ListedSchedule): Json {
  return row as unknown as Json;
}

function answersFrom(
  file: ProgressFile | undefined,
  header: JsonObject | undefined,
  knownAnswers: KeptAnswers,
): Answers {
  /** The lines before the next answer. */
  let first = header === undefined ? [] : [header];
  return {
    get: (of, id) => knownAnswers[of].get(id),
    list: (schedules) => {
      dropOutdated(schedules, knownAnswers);
      knownAnswers.listed.set('', schedules);
      first = [...first, { type: 'listed', id: '', answer: schedules as unknown as Json }];
    },
    keep: async (type, id, answer) => {
      const keptAnswer = toKeep[type]?.(answer) ?? answer;
      knownAnswers[type].set(id, keptAnswer);
      if (file === undefined) return;
      // A URL with a secret stays in memory: an import that is resumed asks for it again.
      const isSecret = (type === 'schedule' || type === 'recipients') && holdsUrlSecret(keptAnswer);
      const lines = [...first.splice(0), ...(isSecret ? [] : [{ type, id, answer: keptAnswer as unknown as Json }])];
      await Promise.all(lines.map((line) => file.append(line)));
    },
  };
}

function unreadable(name: string, line: number, problem: string): Failure {
  return new Failure('refused', `${name} cannot be read: in line ${line}, ${problem}.`, {
    hint: 'Remove it to start over. Nothing was sent.',
  });
}

function unfinished(name: string, { what }: AnswersFor): Failure {
  return new Failure('refused', `An earlier ${what} did not finish. ${name} holds what it read.`, {
    hint: 'Continue with --resume, or remove the file to start over. Nothing was sent.',
  });
}

function another(name: string, { what, differs, hint }: AnswersFor): Failure {
  return new Failure('refused', `${name} belongs to another ${what}: ${differs}.`, {
    hint: `${hint} Nothing was sent.`,
  });
}

function holdsUrlSecret(answer: unknown): boolean {
  if (typeof answer === 'string') return secretsInUrl(answer).length > 0;
  return typeof answer === 'object' && answer !== null && Object.values(answer).some(holdsUrlSecret);
}
