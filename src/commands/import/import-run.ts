// The values of an import: its run, its request, and filters it leaves out.

import { outsideTest } from '../../declare/inside/recipients-inside.ts';
import type { Loaded } from '../../declare/load/load.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { ProgressFile, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { decodeLeniently, parseUrl } from '../../model/values/urls.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Answers } from '../../observe/details/answers.ts';
import type { ReadSchedule } from '../../observe/details/join-answers.ts';
import { noBaseUrl, type Service } from '../../observe/service.ts';
import type { StateStore } from '../../state/state-store.ts';
import type { Run } from '../base/run.ts';
import type { MaskTexts } from '../base/shown-texts.ts';
import type { Targets } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { FoundRoutines } from './find-routines.ts';
import type { ImportOptions } from './import-command.ts';
import type { ImportPlan } from './plan-import.ts';

export interface ImportRun extends Pick<Run, 'environment' | 'clock' | 'randomness' | 'toolVersion' | 'signal'> {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly loaded: Loaded;
  readonly config: Config;
  /** `identifier`: those of the pages that were named among them; undefined for everything. */
  readonly options: ImportOptions;
  readonly pages: AskedPages;
  /** The folder of --out, relative to the workspace; undefined for the folder of the first source glob. */
  readonly folder: string | undefined;
  readonly store: StateStore;
  /** The state when the import began. */
  readonly state: State | undefined;
  readonly progress: ProgressFile;
  readonly answers: Answers;
  readonly service: Service;
  readonly reporter: Reporter;
  readonly note: (message: string) => void;
  readonly shown: MaskTexts;
}

export interface ListedImport extends ImportRun, FoundRoutines {
  readonly listed: readonly ListedSchedule[];
}

/** The environments that `in` names in what an import writes; undefined for all. */
export interface ImportedInto {
  readonly entries?: readonly string[] | undefined;
  readonly declarations?: readonly string[] | undefined;
}

/** An import that knows what is declared already, what is new, and where to write that. */
export interface PlannedImport extends ListedImport {
  /** In epoch milliseconds. */
  readonly now: number;
  readonly pairing: Pairing;
  readonly only: ImportedInto;
  readonly plan: ImportPlan;
  readonly targets: Targets;
  /** The schema for editors, as a file at that path names it. */
  readonly schemaFor: (path: string) => string | undefined;
  /** The path of the schema, if one is written. */
  readonly schema: string | undefined;
  readonly followsDashboard: FollowsDashboard;
}

// The dashboards and schedules that an import was asked for, by identifier or URL.

interface AskedPages {
  /** Undefined for everything. */
  readonly identifiers: readonly string[] | undefined;
  readonly includes: (row: Pick<ListedSchedule, 'id' | 'identifier'>) => boolean;
  readonly ids: readonly string[];
}

/** Throws Failure usage for any other page, and missing-base-url if the organization's address is not known. */
export function askedFor(
  identifiers: readonly string[] | undefined,
  urls: readonly string[],
  baseUrl: string | undefined,
): AskedPages {
  const pages = urls.map((url) => pageAt(url, baseUrl));
  if (identifiers === undefined && pages.length === 0) return { identifiers: undefined, includes: () => true, ids: [] };
  const whole = new Set([
    ...(identifiers ?? []),
    ...pages.flatMap(({ identifier, id }) => (id === undefined ? identifier : [])),
  ]);
  const ids = pages.flatMap(({ id }) => id ?? []);
  return {
    identifiers: [...new Set([...whole, ...pages.map(({ identifier }) => identifier)])],
    includes: ({ id, identifier }) => whole.has(identifier) || ids.includes(id),
    ids,
  };
}

/** `id`: of a schedule. */
function pageAt(text: string, baseUrl: string | undefined) {
  const url = parseUrl(text);
  const [, identifier, id] = /^\/dashboards\/([^/]+)(?:\/schedules\/([^/]+))?\/?$/.exec(url?.pathname ?? '') ?? [];
  if (url === undefined || identifier === undefined)
    throw new Failure('usage', `\`${text}\` is not the URL of an Omni dashboard or schedule.`, {
      hint: 'Copy the URL from the address bar: https://acme.omniapp.co/dashboards/12db1a0a, perhaps with /schedules/ and an id behind it.',
    });
  if (baseUrl === undefined) throw noBaseUrl();
  const host = parseUrl(baseUrl)?.host;
  if (url.host !== host)
    throw new Failure('usage', `The page is at ${url.host}, and the organization of this workspace at ${host}.`, {
      hint: 'Copy the URL from the organization that api.baseUrl names.',
    });
  return { identifier: decodeLeniently(identifier), id: id?.toLowerCase() };
}

// Decides which filters an import leaves to the dashboard. One that equals the dashboard's may be the schedule's own
// all the same, so it is left out only if nobody outside could get other rows once the dashboard changes.

/** True if the filter with this id is left out when it equals the dashboard's. `fields` is the declared schedule. */
export type FollowsDashboard = (id: string, read: ReadSchedule, fields: JsonObject) => boolean;

export const nothingLeft: FollowsDashboard = () => false;

export function followsDashboardIn({ safety }: Config, filters: ImportOptions['filters']): FollowsDashboard {
  // Nobody knows what is outside until almanac.yaml says what is inside.
  if (filters === 'all' || safety.internalDomains.length === 0) return nothingLeft;
  const isOutside = outsideTest(safety.internalDomains);
  const staysInside = ({ kind, shown, isHidden }: Receiver) =>
    kind === 'slack' || (kind === 'email' && !isHidden && !isOutside(shown));
  const dividing = new Set(safety.rows?.filters);
  return (id, { listed, recipients }, fields) => {
    const { to } = deliveryOf('schedule', fields);
    const named = recipients.emails?.length;
    const isAll = named === undefined || listed.recipientCount === undefined || listed.recipientCount === named;
    return !dividing.has(id) && isAll && to.length > 0 && to.every(staysInside);
  };
}
