// `almanac doctor`: whether everything is in place for an apply, each check as far as what it needs is there. Changes nothing,
// and sends at most two reads.

import { baseUrlVariable, refuseWithoutEnvironment } from '../../declare/load/load-config.ts';
import { type Check, type CheckName, checkNames, type DoctorDocument } from '../../model/documents.ts';
import { tokenSource } from '../../service/service.ts';
import { refuseUnmoved } from '../../state/unmoved-state.ts';
import { supportedNode } from '../../version.ts';
import type { Run } from '../base/run.ts';
import { checkGit } from './check-git.ts';
import { checkBaseUrl, checkClock, checkRights, checkToken } from './check-service.ts';
import { checkBranch, checkLock, checkState, sharedFacts } from './check-state.ts';
import { checkConfiguration, checkSecrets, checkVersions, errorsIn, usableConfig } from './check-workspace.ts';
import type { DoctorOptions } from './command.ts';
import { renderDoctor } from './doctor-text.ts';
import { type Facts, factsOf, known, needed, Skipped } from './facts-of.ts';
import { attempt, failedBy, skipped, type Verdict } from './verdict.ts';

export async function doctor(run: Run, options: DoctorOptions): Promise<number> {
  const verdicts = new Map<CheckName, Promise<Verdict>>();
  const verdictOf = (name: CheckName) => {
    const verdict = verdicts.get(name) ?? concluded(() => carryOut[name](facts));
    verdicts.set(name, verdict);
    return verdict;
  };
  const facts = factsOf(run, verdictOf);
  const checks: Check[] = [];
  for (const name of checkNames) checks.push({ name, ...(await verdictOf(name)) });
  const ok = checks.every(({ status }) => status !== 'failed');
  const document: DoctorDocument = { formatVersion: 1, ok, checks };
  run.print(options.format, document, (page) => renderDoctor(document, page));
  return ok ? 0 : 1;
}

/** Throws Failure interrupted, and bugs. */
async function concluded(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const made = await attempt(check);
    return 'failure' in made ? failedBy(made.failure) : made.value;
  } catch (error) {
    if (error instanceof Skipped) return skipped(error.message);
    throw error;
  }
}

/** Each throws Failure where it fails, and Skipped where it cannot be carried out. */
const carryOut: Readonly<Record<CheckName, (facts: Facts) => Promise<Verdict>>> = {
  versions: async ({ run, recorded }) => {
    const versions = { almanac: run.version, node: run.node, supportedNode };
    return checkVersions(versions, (await known(recorded))?.state);
  },
  configuration: async ({ run, loaded }) => {
    const read = await loaded();
    refuseWithoutEnvironment(read.missingEnvironment);
    return checkConfiguration((await run.workspace()).configFile, read);
  },
  'base-url': async ({ run, declared, config, recorded }) => {
    const { state, name: stateName } = (await known(recorded)) ?? { state: undefined, name: '' };
    return checkBaseUrl({
      settings: (await declared()).settings,
      config: await config(),
      state,
      stateName,
      isPinned: (run.environment(baseUrlVariable) ?? '').trim() !== '',
      environmentName: run.options.env,
    });
  },
  token: async ({ run, declared, config }) => {
    const source = tokenSource(await config(), run.environment);
    return checkToken(source, (await declared()).loaded.desired.resources);
  },
  rights: async ({ config, answer }) => checkRights(await answer(), (await config()).api.operations),
  clock: async ({ answer }) => checkClock(await answer()),
  state: async ({ run, declared, config, opened, recorded, held }) => {
    const { store } = await opened();
    const read = await attempt(recorded);
    // A lock that cannot be trusted is a matter of the lock.
    if ('failure' in read && read.failure.code === 'state-locked') throw new Skipped('Not read: see the lock.');
    if ('failure' in read) throw read.failure;
    const holder = await held();
    const configured = await known(config);
    const { desired } = (await declared()).loaded;
    const context = { config: configured, desired, environmentName: run.options.env };
    await refuseUnmoved(store, await run.workspace(), context);
    return checkState(read.value, {
      baseUrl: configured?.api.baseUrl,
      isLocked: holder !== undefined && !holder.isDead,
      isShared: store.shared !== undefined,
    });
  },
  lock: async ({ config, opened, recorded, held }) => {
    const { store } = await needed(opened, 'Not read: see the state.');
    const read = await attempt(recorded);
    if ('failure' in read && read.failure.code === 'state-locked') throw read.failure;
    const holder = await needed(held, 'Not read: see the state.');
    const place = (await known(config))?.state;
    const lease = store.shared !== undefined && place !== undefined && 'lease' in place ? place.lease : undefined;
    return checkLock({ held: holder, name: store.name, lease });
  },
  'state-branch': async ({ config }) => checkBranch(await config()),
  secrets: async ({ run, declared, recorded }) => {
    const { loaded, settings } = await declared();
    return checkSecrets({
      loaded,
      config: settings.usable,
      environment: run.environment,
      state: (await known(recorded))?.state,
      isWhole: usableConfig(settings) !== undefined && errorsIn(loaded.findings).length === 0,
    });
  },
  git: async ({ run, config, opened }) => {
    const workspace = await needed(run.workspace, 'There is no workspace.');
    const place = await known(opened);
    return checkGit({
      repository: workspace.repository(),
      state: place?.path === undefined ? undefined : { name: place.store.name, path: place.path },
      exists: (path) => workspace.exists(path),
      shared: await sharedFacts(workspace, await known(config), place),
    });
  },
};
