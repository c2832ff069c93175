// Whether everything is in place for an apply: each check as far as those before it allow. Writes nothing, and sends at
// most two reads.

import type { Config } from '../../model/workspace/config.ts';
import { type CheckName, checkNames, type DoctorDocument } from '../../model/workspace/doctor-document.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Loaded } from '../load/load.ts';
import { baseUrlVariable, type Environment, type LoadedConfig } from '../load/load-config.ts';
import { environmentFailure } from '../load/require-environment.ts';
import { tokenSource } from '../service/service.ts';
import { type AskRequest, askService } from './ask-service.ts';
import { type Attempt, attempt } from './attempt.ts';
import { checkBaseUrl } from './check-base-url.ts';
import { checkClock } from './check-clock.ts';
import { checkConfiguration, errorsIn, usableConfig } from './check-configuration.ts';
import { checkGit, type SharedFacts } from './check-git.ts';
import { checkBranch, type OpenedState, sharedFacts, stateVerdicts, unopened } from './check-place.ts';
import { checkRights } from './check-rights.ts';
import { checkSecrets } from './check-secrets.ts';
import { type Recorded, readRecorded } from './check-state.ts';
import { checkToken } from './check-token.ts';
import { checkVersions, type Versions } from './check-versions.ts';
import { failedBy, skipped, type Verdict } from './verdict.ts';

export interface DoctorPorts {
  readonly versions: Versions;
  readonly environment: Environment;
  /** The environment chosen with --env. */
  readonly environmentName: string | undefined;
  // Each of these throws Failure.
  readonly openWorkspace: () => Promise<Workspace>;
  readonly requireWorkspace: (workspace: Workspace) => Promise<void>;
  readonly readConfig: (workspace: Workspace) => Promise<LoadedConfig>;
  readonly load: (workspace: Workspace) => Promise<Loaded>;
  /** Undefined where nothing tells which state it is. */
  readonly openState: (workspace: Workspace, config: Config | undefined) => Promise<OpenedState | undefined>;
  readonly asking: AskRequest['asking'];
}

/** Throws Failure interrupted. */
export async function diagnose(ports: DoctorPorts): Promise<DoctorDocument> {
  const verdicts = await verdictsOf(ports);
  const checks = checkNames.map((name) => ({ name, ...verdicts[name] }));
  return { formatVersion: 1, ok: checks.every(({ status }) => status !== 'failed'), checks };
}

type Verdicts = Readonly<Record<CheckName, Verdict>>;

async function verdictsOf(ports: DoctorPorts): Promise<Verdicts> {
  const opened = await attempt(ports.openWorkspace);
  if ('failure' in opened) return withoutWorkspace(failedBy(opened.failure), undefined, ports);
  const workspace = opened.value;
  const required = await attempt(() => ports.requireWorkspace(workspace));
  if ('failure' in required) return withoutWorkspace(failedBy(required.failure), workspace, ports);
  const settings = await ports.readConfig(workspace);
  const loaded = await attempt(() => ports.load(workspace));
  if ('value' in loaded && loaded.value.missingEnvironment !== undefined) {
    const why = failedBy(environmentFailure(loaded.value.missingEnvironment));
    return withoutWorkspace(why, workspace, ports, 'No environment is named: see the configuration.');
  }
  return 'failure' in loaded
    ? withoutWorkspace(failedBy(loaded.failure), workspace, ports)
    : inWorkspace({ ports, workspace, settings, config: usableConfig(settings), loaded: loaded.value });
}

function withoutWorkspace(
  why: Verdict,
  workspace: Workspace | undefined,
  { versions }: DoctorPorts,
  whySkipped = 'There is no workspace.',
): Verdicts {
  const none = skipped(whySkipped);
  const known: Partial<Verdicts> = {
    versions: checkVersions(versions, undefined),
    configuration: why,
    ...(workspace === undefined ? {} : { git: gitOf(workspace, undefined) }),
  };
  return Object.fromEntries(checkNames.map((name) => [name, known[name] ?? none])) as Verdicts;
}

interface Facts {
  readonly ports: DoctorPorts;
  readonly workspace: Workspace;
  readonly settings: LoadedConfig;
  /** Undefined where almanac.yaml has an error other than in the base URL. */
  readonly config: Config | undefined;
  readonly loaded: Loaded;
}

async function inWorkspace(facts: Facts): Promise<Verdicts> {
  const { ports, workspace, settings, config, loaded } = facts;
  const { environment, versions } = ports;
  const opened = await attempt(() => ports.openState(workspace, config));
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
          { workspace, config, desired: loaded.desired, environmentName: ports.environmentName },
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
  { ports, settings, config, loaded }: Facts,
  recorded: Attempt<Recorded> | undefined,
): Promise<Pick<Verdicts, 'base-url' | 'token' | 'rights' | 'clock'>> {
  if (config === undefined)
    return { 'base-url': unknownConfig, token: unknownConfig, rights: unknownConfig, clock: unknownConfig };
  const { environment, environmentName } = ports;
  const { state, name } = recorded !== undefined && 'value' in recorded ? recorded.value : nothingRecorded;
  const isPinned = (environment(baseUrlVariable) ?? '').trim() !== '';
  const baseUrl = await checkBaseUrl({ settings, config, state, stateName: name, isPinned, environmentName });
  const source = await attempt(() => tokenSource(config, environment));
  const token = 'failure' in source ? failedBy(source.failure) : checkToken(source.value, loaded.desired.resources);
  if (baseUrl.status === 'failed' || 'failure' in source) {
    const what = baseUrl.status === 'failed' ? 'base URL' : 'token';
    const unasked = skipped(`Omni was not asked: see the ${what}.`);
    return { 'base-url': baseUrl, token, rights: unasked, clock: unasked };
  }
  const answer = await askService({ config, loaded, asking: ports.asking });
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
