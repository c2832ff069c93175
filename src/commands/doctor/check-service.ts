// Checks the organization and token that an apply would use, and Omni's answer. It sends a small read, which is
// repeated once if it had no answer, and lists all schedules only if the first of them is not tracked. A read gives up
// soon, so that a mistyped host shows within seconds. Nothing is written: whether the token may write shows at an
// apply.

import type { Loaded } from '../../declare/load/load.ts';
import { type BaseUrlSource, baseUrlVariable, type LoadedConfig } from '../../declare/load/load-config.ts';
import { foundNoneWords } from '../../model/plan/observation.ts';
import type { State } from '../../model/plan/state.ts';
import { everyDocument } from '../../model/service/documents.ts';
import {
  isOrganizationKey,
  type ListedSchedule,
  organizationKeyPrefix,
  type TokenHolder,
} from '../../model/service/remote.ts';
import { kindAt } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config, Operations } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { noBaseUrl } from '../../observe/service.ts';
import type { TokenSource } from '../../observe/token-source.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { checkSameOrganization, type StateNow } from '../../state/current-state.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { baseUrlError } from './check-workspace.ts';
import { missingPermissions, missingWords } from './job-permissions.ts';
import { attempt, failed, passed, skipped, type Verdict, warned } from './verdict.ts';

/** Throws Failure missing-base-url, and state-conflict if the state belongs to another organization. */
export function checkBaseUrl(
  { environment, options }: Run,
  settings: LoadedConfig,
  config: Config,
  recorded: Pick<StateNow, 'state' | 'name'> | undefined,
): Verdict {
  const wrong = baseUrlError(settings.findings);
  if (wrong !== undefined) return failed(wrong.message, wrong.hint);
  const { baseUrl } = config.api;
  if (baseUrl === undefined) throw noBaseUrl();
  const { state, name = '' } = recorded ?? {};
  checkSameOrganization(state, baseUrl, name);
  const from = sourceWords(settings.baseUrlFrom ?? 'file', config, options.env);
  const ofState = state === undefined ? '' : ', the organization of the state';
  const where = `${baseUrl}${ofState}, from ${from}`;
  if (settings.baseUrlFrom === 'variable') return passed(`${where}.`);
  if (environment(baseUrlVariable)?.trim()) return passed(`${where}, pinned by ${baseUrlVariable}.`);
  return warned(
    `${where}. Nothing pins it, so whoever changes that file decides where the token is sent.`,
    `Set ${baseUrlVariable} to the same URL where the token is set.`,
  );
}

function sourceWords(from: BaseUrlSource, config: Config, environmentName: string | undefined): string {
  if (from === 'variable') return baseUrlVariable;
  const file = config.file ?? 'almanac.yaml';
  return from === 'environment' ? `${file} (environment ${environmentName})` : file;
}

export function checkToken({ variable, token }: TokenSource, resources: readonly Resource[]): Verdict {
  const isKey = isOrganizationKey(token);
  const found = `${variable} holds ${isKey ? 'an organization key' : 'a token, but not an organization key'}.`;
  const acting = resources.filter(({ attributes }) => attributes['userId'] !== undefined).length;
  if (acting === 0 || isKey) return passed(found);
  return warned(
    `${found} ${countOf(acting, 'resource')} ${acting === 1 ? 'names' : 'name'} a userId, which needs an organization key.`,
    `Use an organization key (it begins with ${organizationKeyPrefix}), or remove userId.`,
  );
}

export interface ServiceAnswer {
  readonly failure: Failure | undefined;
  /** True if Omni lists none of the schedules of the state. */
  readonly foundNone: boolean;
  /** Known only with operations full. Undefined if Omni does not say. */
  readonly holder: TokenHolder | undefined;
  /** Milliseconds by which the service's clock is ahead; undefined if there was no answer, or no time in it. */
  readonly clockDifference: number | undefined;
}

const maxAttempts = 2;
/** In seconds. */
const maxAnswerSeconds = 8;
const maxWaitSeconds = 5;

/** Throws Failure interrupted. */
export async function askService(
  usual: Config,
  loaded: Loaded,
  state: State | undefined,
  run: Run,
): Promise<ServiceAnswer> {
  const { api } = usual;
  const config = { ...usual, api: { ...api, timeout: Math.min(api.timeout, maxAnswerSeconds) } };
  const limits = { maxAttempts, maxWait: maxWaitSeconds, allowHttp: false };
  let service: Api | undefined;
  // Only failures come from Omni here, and they are masked already.
  const reporter = progressReporter(run, (document) => document);
  const read = await attempt(() =>
    run.asking({ loaded: { ...loaded, config }, limits, reporter }, async ({ api: connect, call }) => {
      service = await connect();
      const foundNone = await unlessInterrupted(findsNone(service, config, state, call), call.signal);
      if (api.operations !== 'full') return { foundNone };
      const asked = service.whoami(call);
      const holder = await attempt(() => unlessInterrupted(asked, call.signal));
      return { foundNone, holder: 'value' in holder ? holder.value : undefined };
    }),
  );
  const { foundNone = false, holder } = 'value' in read ? read.value : {};
  return {
    failure: 'failure' in read ? read.failure : undefined,
    foundNone,
    holder,
    clockDifference: service?.clockDifference(),
  };
}

/** True if none of the schedules of the state is listed. The whole list is read only if its first row does not tell. */
async function findsNone(
  api: Api,
  { api: { operations } }: Config,
  state: State | undefined,
  call: CallOptions,
): Promise<boolean> {
  if (operations !== 'full') {
    await api.listDocuments({ ...everyDocument, pageSize: 1, limit: 1 }, call);
    return false;
  }
  const tracked = new Set(
    Object.entries(state?.resources ?? {}).flatMap(([address, { id }]) =>
      kindAt(address) === 'schedule' ? (id ?? []) : [],
    ),
  );
  const isTracked = ({ id }: ListedSchedule) => tracked.has(id);
  const first = await api.listSchedules({ limit: 1 }, call);
  if (tracked.size === 0 || first.some(isTracked)) return false;
  return first.length === 0 || !(await api.listSchedules({}, call)).some(isTracked);
}

/** Unlike a change, a read may be abandoned at any point. */
async function unlessInterrupted<T>(reading: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let stop = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => reject(new Failure('interrupted', 'Interrupted before Omni answered; nothing was changed.'));
  });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([reading, interrupted]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

export function checkRights({ failure, foundNone }: ServiceAnswer, operations: Operations): Verdict {
  if (foundNone)
    return failed(
      foundNoneWords,
      `Use a token that sees them. If all are gone, \`${command('plan', '--refresh')}\` says so.`,
    );
  if (failure === undefined)
    return passed(
      `The token may list ${operations === 'full' ? 'schedules' : 'documents'} (operations ${operations}).`,
    );
  // An apply waits for its turn.
  if (failure.code === 'api-rate-limited')
    return warned(failure.message, 'The token was not checked. Run it again later.');
  return failed(failure.message, failure.hint);
}

/** `resources` are the declarations that need permissions. */
export function checkPermissions(
  { failure, holder }: ServiceAnswer,
  operations: Operations,
  resources: readonly Resource[],
): Verdict {
  if (operations !== 'full') return skipped('With operations core, Omni is not asked.');
  if (failure !== undefined) return skipped('Omni was not asked: see the rights.');
  if (holder === undefined) return skipped('Omni does not say what the token may do.');
  const { keyScope, orgRole, permissions, isPartial } = holder;
  const role = orgRole === undefined ? '' : ` with the role ${orgRole}`;
  const kind =
    keyScope === 'organization' ? 'an organization key' : keyScope === 'user' ? 'a personal token' : keyScope;
  const held = permissions.size === 0 ? 'no permission on any model' : [...permissions].sort(byCodeUnit).join(', ');
  const found = `As Omni says, it is ${kind}${role} with ${held}.`;
  const missing = missingPermissions(permissions, new Set(resources.map(({ kind }) => kind)));
  if (missing.size === 0) return passed(found);
  if (isPartial) return passed(`${found} It did not list all models, so a permission may be missing in the list.`);
  return warned(
    `${found} By their names, these are missing: ${missingWords(missing)}.`,
    'Give the token, or the user whom it belongs to, a role with these permissions on the models of the dashboards.',
  );
}

/** In seconds. */
export const maxClockDifference = 30;

export function checkClock({ clockDifference: difference }: ServiceAnswer): Verdict {
  if (difference === undefined) return skipped('Omni gave no answer with a time.');
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds <= maxClockDifference) return passed(`Within ${maxClockDifference} s of Omni’s clock.`);
  return warned(
    `This machine’s clock is ${seconds} s ${difference > 0 ? 'behind' : 'ahead of'} Omni’s. The times in the state and in reports are this machine’s, and a signature of the wrong time is refused.`,
    'Synchronise the clock of this machine.',
  );
}
