// Finds receivers whom no declaration names: of schedules that Almanac does not manage, and of its own that go to user
// groups, or to more or fewer people than the state names. One list, then one request for each of these schedules. What
// was read is kept in a file, so that nothing is asked twice after an interruption. Changes nothing in Omni.

import type { Loaded } from '../declare/load/load.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { destinations } from '../model/fields/field.ts';
import { hostOf, type ReceiverKind, recipientOf } from '../model/fields/receiver.ts';
import type { ProgressFile, Reporter } from '../model/outside.ts';
import type { Neighbours } from '../model/plan/neighbours.ts';
import type { State } from '../model/plan/state.ts';
import type { ListedSchedule, RemoteRecipients } from '../model/service/remote.ts';
import type { Json } from '../model/values/json.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { Failure } from '../model/workspace/failure.ts';
import { type Answers, type AnswersFor, openAnswers } from '../observe/details/answers.ts';
import { readDetails, withResumeHint } from '../observe/details/read-details.ts';
import { mayReachOthers } from '../observe/observed.ts';
import { requireFullOperations, type Service } from '../observe/service.ts';
import type { Api } from '../omni/api.ts';
import { configOf } from '../plan/inputs.ts';
import { untrackedRows } from '../plan/untracked.ts';

export interface UnmanagedRequest {
  /** A workspace without errors. What its `ignore` matches, and what other states track, is left out. */
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly neighbours: Neighbours;
  readonly service: Service;
  /** Keeps what was read; removed once everything is read. */
  readonly progress: ProgressFile;
  /** Continues what did not finish. Without it, a file that is there is refused. */
  readonly resume: boolean;
  /** The most schedules that are asked in this run; undefined for all. */
  readonly limit: number | undefined;
  /** No request is sent for the others. */
  readonly mayReceive: (row: ListedSchedule) => boolean;
  /** Told of the requests and their time before the first one, and of each schedule that is read. */
  readonly reporter: Reporter;
  readonly signal: AbortSignal | undefined;
}

export interface UnmanagedRecipients {
  /** All schedules of the organization, managed or not. */
  readonly listed: readonly ListedSchedule[];
  readonly schedules: readonly UnmanagedSchedule[];
  /** The number of schedules of a probe that were left out. */
  readonly probes: number;
  /** The number of schedules beyond the limit, which are left for another run with `resume`. */
  readonly notRead: number;
  /** The schedules whose recipients cannot be read, with the reason as a sentence. */
  readonly refused: readonly Refusal<ListedSchedule>[];
  /** Adds to a failure of what follows how to continue without asking again. */
  readonly explain: (error: unknown) => unknown;
  /** Must be called once the answer was used: removes what was kept, unless something is left. */
  readonly finish: () => Promise<void>;
}

export interface UnmanagedSchedule {
  readonly row: ListedSchedule;
  /** Somebody who is named and in a group is there for both. */
  readonly receivers: readonly UnmanagedReceiver[];
}

export interface UnmanagedReceiver {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: ReceiverKind;
  /** The user group that they belong to; undefined where the schedule names them. */
  readonly group?: string;
  /** Omni says that it knows nothing but the address. */
  readonly emailOnly?: boolean;
}

/**
 * Throws Failure usage with operations core, refused for a file that is in the way, interrupted after the signal, and
 * what the api throws. After the first answer, the hint of each says how to continue. Close `progress` in any case.
 */
export async function readUnmanaged(request: UnmanagedRequest): Promise<UnmanagedRecipients> {
  const { loaded, state, service, progress, mayReceive, limit = Number.POSITIVE_INFINITY } = request;
  const config = configOf(loaded);
  requireFullOperations(config, 'who receives its schedules');
  // A token that is missing is reported before anything is kept.
  service.token();
  const answers = await openAnswers(progress, { baseUrl: config.api.baseUrl ?? '', identifiers: [] }, request, reading);
  const listed = await (await service.api()).listSchedules({}, service.call);
  answers.list(listed);
  const { rows, probes } = untrackedRows(listed, state, loaded.desired, {
    ignore: config.ignore,
    neighbours: request.neighbours,
  });
  const tracked = othersIn(listed, state);
  const candidates = [...rows, ...tracked].filter(mayReceive);
  const unanswered = candidates.filter((row) => isKnownType(row) && !isAnswered(row.id, answers));
  const now = unanswered.slice(0, limit);
  if (now.length > 0) {
    const asking = { ...service, api: async () => namesOnly(await service.api()) };
    const wanted = { schedules: now, answers: ['recipients'], dashboards: [] } as const;
    await readDetails(wanted, { ...request, service: asking, answers });
  }
  const [done, total] = [candidates.length - unanswered.length + now.length, candidates.length];
  return {
    listed,
    schedules: candidates.flatMap((row) => {
      const known = answers.get('recipients', row.id);
      return known === undefined ? [] : [{ row, receivers: receiversIn(known) }];
    }),
    probes,
    notRead: unanswered.length - now.length,
    refused: candidates.flatMap((row) => {
      const message = isKnownType(row)
        ? answers.get('refusal', row.id)
        : `It delivers to ${row.destinationType}, and Almanac does not know who receives that.`;
      return message === undefined ? [] : [{ about: [row], message }];
    }),
    explain: (error) =>
      error instanceof Failure && done > 0 ? withResumeHint(error, done, total, progress.name) : error,
    finish: async () => {
      if (unanswered.length === now.length) await progress.remove();
    },
  };
}

/** The tracked schedules that somebody may receive whom the state does not name. */
function othersIn(listed: readonly ListedSchedule[], state: State | undefined): readonly ListedSchedule[] {
  const byId = new Map(Object.values(state?.resources ?? {}).map((resource) => [resource.id, resource]));
  return listed.filter((row) => {
    const resource = byId.get(row.id);
    return resource !== undefined && mayReachOthers(row, resource);
  });
}

const reading: AnswersFor = {
  what: 'reading of recipients',
  differs: 'of another organization',
  hint: 'Remove the file to start over.',
};

/** Reduces a setting to what names somebody, so that what is kept holds no secret and no path. */
function namesOnly(api: Api): Api {
  return {
    ...api,
    getRecipients: async (id, options) => {
      const { settings, ...rest } = await api.getRecipients(id, options);
      const { bucketName } = settings;
      const [url, address] = [hostIn(settings['url']), hostIn(settings['address'])];
      return {
        ...rest,
        settings: {
          ...(url === undefined ? {} : { url: `https://${url}` }),
          ...(address === undefined ? {} : { address }),
          ...(typeof bucketName === 'string' ? { bucketName } : {}),
        },
      };
    },
  };
}

/** Returns undefined if a text that is no address may hide anything. */
function hostIn(value: Json | undefined): string | undefined {
  const host = hostOf(value);
  return host !== undefined && /^[^\s/@?#]+$/.test(host) ? host : undefined;
}

function isAnswered(id: string, answers: Answers): boolean {
  return (answers.get('recipients', id) ?? answers.get('refusal', id)) !== undefined;
}

/** A service that does not say what it is may still say who receives it. */
function isKnownType({ destinationType }: ListedSchedule): boolean {
  const known: readonly string[] = destinations;
  return destinationType === '' || known.includes(destinationType);
}

function receiversIn({
  type,
  emails,
  emailOnly,
  groups = [],
  slackIds,
  settings,
}: RemoteRecipients): readonly UnmanagedReceiver[] {
  const isOnly = new Set(emailOnly?.map((email) => email.toLowerCase()));
  const person = (recipient: string, group?: string): UnmanagedReceiver => ({
    recipient,
    kind: 'email',
    group,
    emailOnly: isOnly.has(recipient),
  });
  const { way, to } = deliveryOf('schedule', { ...settings, destinationType: type, recipients: emails ?? slackIds });
  const named = to.map((receiver) =>
    receiver.kind === 'email' ? person(receiver.compared) : { recipient: recipientOf(receiver), kind: receiver.kind },
  );
  const members = groups.flatMap(({ name, emails: inGroup }) =>
    inGroup.map((email) => person(email.toLowerCase(), name)),
  );
  return way === 'email' ? [...named, ...members] : named;
}
