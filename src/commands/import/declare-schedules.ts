// Declares all schedules of an import at once: their keys and the variables of their secrets depend on each other, so
// they are chosen when it is known which schedules can be declared.

import type { SkippedSchedule } from '../../model/documents.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { JsonObject } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { ResourceDraft } from '../../model/workspace/source-draft.ts';
import type { Answers } from '../base/details/answers.ts';
import type { VariableOf } from '../base/details/hide-secrets.ts';
import { type ImportedSecret, identityOf, nameVariables, type UsedVariable } from '../base/details/name-variables.ts';
import { destinationOf, type ReadSchedule } from '../base/details/remote-fields.ts';
import { type CheckOptions, faultOf } from './check-draft.ts';
import { declareSchedule } from './declare-schedule.ts';
import { chooseKeys, type NamedBySchedule } from './naming/choose-keys.ts';
import { whyUnsupported } from './why-unsupported.ts';

export interface DeclareOptions extends CheckOptions {
  readonly answers: Answers;
  readonly schedules: readonly ListedSchedule[];
  /** The name of each dashboard, by its identifier. */
  readonly dashboardName: (identifier: string) => string;
  /** Schedules that have a key already. */
  readonly tracked: readonly ListedSchedule[];
  /** Keys of schedules that are in use. */
  readonly taken: ReadonlySet<string>;
  readonly usedVariables: readonly UsedVariable[];
}

export interface DeclaredOne {
  readonly listed: ListedSchedule;
  readonly draft: ResourceDraft;
  readonly unread: readonly string[];
  readonly guessed: readonly string[];
  /** The secrets that it refers to. */
  readonly secrets: readonly NamedSecret[];
}

export interface NamedSecret {
  readonly variable: string;
  readonly secret: ImportedSecret;
}

export interface DeclaredAll {
  readonly declared: readonly DeclaredOne[];
  readonly skipped: readonly SkippedSchedule[];
}

export async function declareSchedules(options: DeclareOptions): Promise<DeclaredAll> {
  const defaults = defaultsOf(options.config);
  const attempts = await Promise.all(options.schedules.map((listed) => attempt(listed, defaults, options)));
  const usable = attempts.flatMap((each) => ('reason' in each ? [] : [each]));
  const keys = chooseKeys({
    schedules: usable.map(({ read }) => namedBy(read.listed, destinationOf(read), read.schedule.createdAt, options)),
    named: options.tracked.map((row) => namedBy(row, row.destinationType, '', options)),
    taken: options.taken,
  });
  const keyOf = ({ read }: Usable) => keys.get(read.listed.id) ?? '';
  const needed = usable.flatMap((each) => each.secrets.map((secret) => ({ secret, key: keyOf(each) })));
  const variables = nameVariables(needed, options.usedVariables);
  const variableOf: VariableOf = (secret) => variables.get(identityOf(secret)) ?? '';
  return {
    declared: usable.map((each) => {
      const again = declareSchedule(each.read, defaults, variableOf);
      if ('reason' in again) throw new Error(`a schedule was declared once only: ${again.reason}`);
      const { draft, unread, guessed } = again;
      const secrets = each.secrets.map((secret) => ({ variable: variableOf(secret), secret }));
      return { listed: each.read.listed, draft: { ...draft, key: keyOf(each) }, unread, guessed, secrets };
    }),
    skipped: attempts.flatMap((each) => ('reason' in each ? [each] : [])),
  };
}

interface Usable {
  readonly read: ReadSchedule;
  readonly secrets: readonly ImportedSecret[];
}

async function attempt(
  listed: ListedSchedule,
  defaults: JsonObject,
  options: DeclareOptions,
): Promise<Usable | SkippedSchedule> {
  const { id, name, identifier } = listed;
  const { answers } = options;
  const skip = (reason: string) => ({ id, name, identifier, reason });
  const refusal = whyUnsupported(listed) ?? answers.get('refusal', id);
  if (refusal !== undefined) return skip(refusal);
  const [schedule, recipients] = [answers.get('schedule', id), answers.get('recipients', id)];
  if (schedule === undefined || recipients === undefined) throw new Error(`the schedule ${id} was not read`);
  const read = { listed, schedule, recipients, filters: answers.get('filters', identifier) };
  const secrets: ImportedSecret[] = [];
  // Until the variables have names, their numbers stand for them.
  const declared = declareSchedule(read, defaults, (secret) => `SECRET_${secrets.push(secret)}`);
  if ('reason' in declared) return skip(declared.reason);
  const draft = { ...declared.draft, key: 'schedule' };
  const source = { path: 'import.yaml', comments: [], dashboards: [], schedules: [draft], adoptions: [] };
  const fault = await faultOf(source, { ...options, environment: environmentOf(secrets) });
  return fault === undefined ? { read, secrets } : skip(fault);
}

/** With the secrets that Omni returns: a URL is checked as it is. */
function environmentOf(secrets: readonly ImportedSecret[]): (name: string) => string | undefined {
  return (name) => {
    const secret = secrets[Number(name.replace('SECRET_', '')) - 1];
    return secret === undefined || secret.kind === 'password' ? undefined : secret.value;
  };
}

function namedBy(
  { id, name, identifier }: ListedSchedule,
  destination: string,
  createdAt: string,
  { dashboardName }: DeclareOptions,
): NamedBySchedule {
  return { id, name, dashboard: dashboardName(identifier), destination, createdAt };
}

/** The defaults of almanac.yaml for schedules. */
function defaultsOf({ defaults }: Config): JsonObject {
  return Object.assign({}, ...defaults.map(({ sections }) => sections.schedules ?? {})) as JsonObject;
}
