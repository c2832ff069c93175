// What an import has been told so far: in memory, and a line an answer in the progress file, so that no request is sent
// a second time when an import is gone on with.

import type { ListedSchedule, RemoteFilters, RemoteRecipients, RemoteSchedule } from '../../model/service/remote.ts';
import { equalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ProgressFile } from '../../ports/progress-file.ts';
import { withoutSecrets } from './remote-fields.ts';

/** What an answer is about. */
interface Told {
  /** `id` is that of what was asked for. */
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  readonly filters: RemoteFilters;
  /** Why the service does not tell the details of a schedule, or the filters of a dashboard. */
  readonly refusal: string;
}

export interface Answers {
  /** Undefined until it was read. */
  readonly listed: readonly ListedSchedule[] | undefined;
  get<T extends keyof Told>(of: T, id: string): Told[T] | undefined;
  /** Begins the progress file. */
  list(schedules: readonly ListedSchedule[]): Promise<void>;
  keep<T extends keyof Told>(of: T, id: string, answer: Told[T]): Promise<void>;
}

/** Which import a progress file belongs to. */
export interface ImportScope {
  readonly baseUrl: string;
  /** Empty for all dashboards. */
  readonly identifiers: readonly string[];
}

const version = 1;

/** Throws Failure refused where a progress file is in the way, or is that of another import. */
export async function openAnswers(
  file: ProgressFile,
  scope: ImportScope,
  { resume, force }: { readonly resume: boolean; readonly force: boolean },
): Promise<Answers> {
  const header = { type: 'header', version, baseUrl: scope.baseUrl, identifiers: [...scope.identifiers].sort() };
  const lines = !resume && force ? undefined : await file.read();
  if (lines !== undefined && !resume) throw inTheWay(file.name);
  if (lines === undefined) {
    await file.remove();
    return answersFrom(file, header, []);
  }
  const [first, ...rest] = lines;
  if (first !== undefined && !equalJson(first, header)) throw ofAnother(file.name);
  return answersFrom(file, header, rest);
}

function answersFrom(file: ProgressFile, header: JsonObject, lines: readonly JsonObject[]): Answers {
  const answers = new Map(lines.map((line) => [keyOf(String(line['type']), String(line['id'])), line['answer']]));
  let listed = answers.get(keyOf('listed', '')) as readonly ListedSchedule[] | undefined;
  const add = (type: string, id: string, answer: Json) => file.append({ type, id, answer });
  return {
    get listed() {
      return listed;
    },
    get: <T extends keyof Told>(of: T, id: string) => answers.get(keyOf(of, id)) as Told[T] | undefined,
    list: async (schedules) => {
      listed = schedules;
      await file.append(header);
      await add('listed', '', schedules as unknown as Json);
    },
    keep: async (of, id, answer) => {
      const kept = toKeep(answer) as Json;
      answers.set(keyOf(of, id), kept);
      await add(of, id, kept);
    },
  };
}

function toKeep(answer: Told[keyof Told]): Told[keyof Told] {
  return typeof answer === 'string' || 'filters' in answer ? answer : withoutSecrets(answer);
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}

function inTheWay(name: string): Failure {
  return new Failure('refused', `An import did not finish, and ${name} holds what it has read.`, {
    hint: 'Go on with it with --resume, or begin anew with --force. Nothing was sent.',
  });
}

function ofAnother(name: string): Failure {
  return new Failure('refused', `${name} is that of another import: of another organization, or of other dashboards.`, {
    hint: 'Name the same dashboards with --identifier, or begin anew with --force alone. Nothing was sent.',
  });
}
