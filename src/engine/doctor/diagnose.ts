// Whether everything is in place for an apply: each check as far as those before it allow. Writes nothing, and sends at
// most two reads.

import type { Config } from '../../model/workspace/config.ts';
import { type CheckName, checkNames, type DoctorDocument } from '../../model/workspace/doctor-document.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Loaded } from '../load/load.ts';
import { baseUrlVariable, type Environment, type LoadedConfig } from '../load/load-config.ts';
import { environmentFailure } from '../load/require-environment.ts';
import { tokenSource } from '../service/service.ts';
import { checkGit, type SharedFacts } from './check-git.ts';
import { type AskingRun, askService, checkBaseUrl, checkClock, checkRights, checkToken } from './check-service.ts';
import {
  checkBranch,
  type OpenedState,
  type Recorded,
  readRecorded,
  sharedFacts,
  stateVerdicts,
  unopened,
} from './check-state.ts';
import {
  checkConfiguration,
  checkSecrets,
  checkVersions,
  errorsIn,
  usableConfig,
  type Versions,
} from './check-workspace.ts';
import { type Attempt, attempt, failedBy, skipped, type Verdict } from './verdict.ts';

/** The run of the command, as far as the checks ask it. Each of its functions throws Failure. */
export interface DoctorRun extends AskingRun {
  readonly version: string;
  readonly node: string;
  readonly environment: Environment;
  readonly options: { readonly env?: string | undefined };
  workspace(): Promise<Workspace>;
  requireWorkspace(): Promise<Workspace>;
  settings(): Promise<LoadedConfig>;
  loadAnywhere(): Promise<{ readonly loaded: Loaded }>;
  /** Undefined where nothing tells which state it is. */
  storeOf(config: Config | undefined): Promise<OpenedState | undefined>;
}

/** `supportedNode`: the versions of Node that it runs on, as `>=20`. Throws Failure interrupted. */
export async function diagnose(run: DoctorRun, supportedNode: string): Promise<DoctorDocument> {
  const verdicts = await verdictsOf(run, { almanac: run.version, node: run.node, supportedNode });
  const checks = checkNames.map((name) => ({ name, ...verdicts[name] }));
  return { formatVersion: 1, ok: checks.every(({ status }) => status !== 'failed'), checks };
}

type Verdicts = Readonly<Record<CheckName, Verdict>>;

async function verdictsOf(run: DoctorRun, versions: Versions): Promise<Verdicts> {
  const opened = await attempt(run.workspace);
  if ('failure' in opened) return withoutWorkspace(failedBy(opened.failure), undefined, versions);
  const workspace = opened.value;
  const required = await attempt(run.requireWorkspace);
  if ('failure' in required) return withoutWorkspace(failedBy(required.failure), workspace, versions);
  const settings = await run.settings();
  const read = await attempt(run.loadAnywhere);
  if ('failure' in read) return withoutWorkspace(failedBy(read.failure), workspace, versions);
  const { loaded } = read.value;
  if (loaded.missingEnvironment !== undefined) {
    const why = failedBy(environmentFailure(loaded.missingEnvironment));
    return withoutWorkspace(why, workspace, versions, 'No environment is named: see the configuration.');
  }
  return inWorkspace({ run, versions, workspace, settings, config: usableConfig(settings), loaded });
}

function withoutWorkspace(
  why: Verdict,
  workspace: Workspace | undefined,
  versions: Versions,
  whySkipped = 'There is no workspace.',
): Verdicts {
  const none = skipped(whySkipped);
  const known: Partial<Verdicts> = {
    versions: checkVersions(versions, undefined),
    configuration: why,
    git: workspace && gitOf(workspace, undefined),
  };
  return Object.fromEntries(checkNames.map((name) => [name, known[name] ?? none])) as Verdicts;
}

interface Facts {
  readonly run: DoctorRun;
  readonly versions: Versions;
  readonly workspace: Workspace;
  readonly settings: LoadedConfig;
  /** Undefined where almanac.yaml has an error other than in the base URL. */
  readonly config: Config | undefined;
  readonly loaded: Loaded;
}

async function inWorkspace(facts: Facts): Promise<Verdicts> {
  const { run, versions, workspace, settings, config, loaded } = facts;
  const { environment } = run;
  const opened = await attempt(() => run.storeOf(config));
  const place = 'failure' in opened ? undefined : opened.value;
  const recorded = place && (await readRecorded(place.store));
  const state = recorded !== undefined && 'value' in recorded ? recorded.value.state : undefined;
  const isWhole = config !== undefined && errorsIn(loaded.findings).length === 0;
  return {
    versions: checkVersions(versions, state),
    configuration: checkConfiguration(workspace.configFile, loaded),
    ...(await serviceVerdicts(facts, recorded)),
    ...('failure' in opened ? unopened(opened.failure) : noState),
    ...(place === undefined || recorded === undefined
      ? {}
      : await stateVerdicts(
          { workspace, config, desired: loaded.desired, environmentName: run.options.env },
          place.store,
          recorded,
        )),
    'state-branch': config === undefined ? unknownConfig : checkBranch(config),
    secrets: checkSecrets({ loaded, config: settings.usable, environment, state, isWhole }),
    git: gitOf(workspace, place, await sharedFacts(workspace, config, place)),
  };
}

const unknownConfig = skipped('almanac.yaml has errors: see the configuration.');

const noState: Pick<Verdicts, 'state' | 'lock'> = { state: unknownConfig, lock: unknownConfig };

async function serviceVerdicts(
  { run, settings, config, loaded }: Facts,
  recorded: Attempt<Recorded> | undefined,
): Promise<Pick<Verdicts, 'base-url' | 'token' | 'rights' | 'clock'>> {
  if (config === undefined)
    return { 'base-url': unknownConfig, token: unknownConfig, rights: unknownConfig, clock: unknownConfig };
  const { environment, options } = run;
  const { state, name } = recorded !== undefined && 'value' in recorded ? recorded.value : nothingRecorded;
  const isPinned = (environment(baseUrlVariable) ?? '').trim() !== '';
  const baseUrl = await checkBaseUrl({
    settings,
    config,
    state,
    stateName: name,
    isPinned,
    environmentName: options.env,
  });
  const source = await attempt(() => tokenSource(config, environment));
  const token = 'failure' in source ? failedBy(source.failure) : checkToken(source.value, loaded.desired.resources);
  if (baseUrl.status === 'failed' || 'failure' in source) {
    const what = baseUrl.status === 'failed' ? 'base URL' : 'token';
    const unasked = skipped(`Omni was not asked: see the ${what}.`);
    return { 'base-url': baseUrl, token, rights: unasked, clock: unasked };
  }
  const answer = await askService(config, loaded, run);
  const rights = checkRights(answer, config.api.operations);
  return { 'base-url': baseUrl, token, rights, clock: checkClock(answer) };
}

const nothingRecorded = { state: undefined, name: '' };

function gitOf(workspace: Workspace, place: OpenedState | undefined, shared?: SharedFacts): Verdict {
  return checkGit({
    shared,
    repository: workspace.repository(),
    state: place?.path === undefined ? undefined : { name: place.store.name, path: place.path },
    exists: (path) => workspace.exists(path),
  });
}
