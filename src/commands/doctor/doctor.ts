// `almanac doctor`: checks that everything is ready for an apply. Each check uses what is there. Changes nothing, and
// sends few reads, unless a probe is requested.

import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { largest, once } from '../../model/values/collections.ts';
import { withoutCredentials } from '../../model/values/credentials.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { tokenSource } from '../../observe/token-source.ts';
import { type Block, dim, hint, part } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import { readState } from '../../state/current-state.ts';
import { standingOf, unappliedTo } from '../base/checkout-position.ts';
import { readNeighbours } from '../base/neighbours.ts';
import type { Run } from '../base/run.ts';
import { askService, checkBaseUrl, checkClock, checkPermissions, checkRights, checkToken } from './check-service.ts';
import { checkBranch, checkGit, checkLock, checkNeighbours, checkState, sharedFacts } from './check-state.ts';
import {
  checkApplyJob,
  checkConfiguration,
  checkEditorSchemas,
  checkNightlyJob,
  checkSecrets,
  checkVersions,
  type DeclaredHere,
  usableConfig,
} from './check-workspace.ts';
import type { DoctorOptions } from './doctor-command.ts';
import { type Check, type CheckName, type CheckStatus, checkNames, type DoctorDocument } from './doctor-document.ts';
import { attempt, failed, skipped, together, type Verdict } from './verdict.ts';

export async function doctor(run: Run, options: DoctorOptions): Promise<number> {
  checkOptions(options);
  if (options.clean) return (await import('./probe/probe.ts')).clean(run);
  if (options.probe !== undefined) return (await import('./probe/probe.ts')).probe(run, options, options.probe);
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

/** Throws Failure usage. */
function checkOptions({ probe, clean, to, group, autoApprove, format }: DoctorOptions): void {
  const ofProbe = { '--to': to, '--group': group, '--auto-approve': autoApprove };
  const [stray] = Object.entries(ofProbe).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (clean && (probe !== undefined || stray !== undefined))
    throw new Failure(
      'usage',
      `--clean deletes what earlier probes left, and takes no ${probe === undefined ? stray : '--probe'}.`,
    );
  if (clean && format !== 'text') throw new Failure('usage', '--clean prints no document.');
  if (probe === undefined && stray !== undefined)
    throw new Failure('usage', `${stray} is about a probe, and no --probe names its dashboard.`);
  if (group !== undefined && to === undefined)
    throw new Failure('usage', '--group needs --to, the member who receives the e-mail that the group is added to.');
}

/** Throws Failure interrupted, and bugs. */
async function concluded(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const made = await attempt(check);
    const { status, message, hint } = 'failure' in made ? failed(made.failure.message, made.failure.hint) : made.value;
    return { status, message: withoutCredentials(message), hint: hint && withoutCredentials(hint) };
  } catch (error) {
    if (error instanceof Skipped) return skipped(error.message);
    throw error;
  }
}

/** Each throws Failure where it fails, and Skipped where it cannot be carried out. */
const carryOut: Readonly<Record<CheckName, (facts: Facts) => Promise<Verdict>>> = {
  versions: async ({ run, declared, recorded, config }) => {
    const { resources } = (await known(declared))?.loaded.desired ?? nothingDeclared;
    const configured = await known(config);
    const state = (await known(recorded))?.state;
    const schemas = configured === undefined ? [] : checkEditorSchemas(await run.workspace(), configured);
    const nightly =
      configured === undefined ? [] : checkNightlyJob(await run.workspace(), configured, state, resources);
    const apply = await checkApplyJob(await run.workspace(), async () =>
      (await run.openCheckout((await run.workspace()).root)).defaultBranch('origin'),
    );
    return together([checkVersions(run, state, resources), ...schemas, ...nightly, ...apply]);
  },
  configuration: async ({ run, loaded }) => {
    const read = await loaded();
    refuseWithoutEnvironment(read.missingEnvironment);
    return checkConfiguration((await run.workspace()).configFile, read);
  },
  'base-url': async ({ run, declared, config, recorded }) => {
    const state = await known(recorded);
    return checkBaseUrl(run, (await declared()).settings, await config(), state);
  },
  token: async ({ run, declared, config }) => {
    const source = tokenSource(await config(), run.environment);
    return checkToken(source, (await declared()).loaded.desired.resources);
  },
  rights: async ({ config, answer }) => checkRights(await answer(), (await config()).api.operations),
  permissions: async ({ config, declared, answer }) => {
    const { operations } = (await config()).api;
    return checkPermissions(await answer(), operations, (await declared()).loaded.desired.resources);
  },
  clock: async ({ answer }) => checkClock(await answer()),
  state: async ({ run, config, declared, opened, recorded }) => {
    const { store } = await opened();
    const read = await attempt(recorded);
    // A lock that cannot be trusted is reported by the check of the lock.
    if ('failure' in read && read.failure.code === 'state-locked') throw new Skipped('Not read: see the lock.');
    if ('failure' in read) throw read.failure;
    const configHere = await known(config);
    const { loaded } = (await known(declared)) ?? {};
    const isShared = store.shared !== undefined;
    const ofState = checkState(read.value, { baseUrl: configHere?.api.baseUrl, isShared, loaded });
    const session = { workspace: await run.workspace(), loaded: { config: configHere } };
    return together([ofState, ...checkNeighbours(await readNeighbours(run, session))]);
  },
  lock: async ({ config, opened, recorded, held }) => {
    const { store } = await needed(opened, 'Not read: see the state.');
    const read = await attempt(recorded);
    if ('failure' in read && read.failure.code === 'state-locked') throw read.failure;
    const holder = await needed(held, 'Not read: see the state.');
    const place = (await known(config))?.state;
    const lease = store.shared !== undefined && place !== undefined && 'lease' in place ? place.lease : undefined;
    return checkLock(holder, store.name, lease);
  },
  'state-branch': async ({ config }) => checkBranch(await config()),
  secrets: async ({ run, declared, recorded }) =>
    checkSecrets(await declared(), run.environment, (await known(recorded))?.state),
  git: async ({ run, loaded, config, opened, recorded }) => {
    const workspace = await needed(run.workspace, 'There is no workspace.');
    const place = await known(opened);
    const state = (await known(recorded))?.state;
    const read = await known(loaded);
    return checkGit({
      repository: workspace.repository(),
      state: place?.path === undefined ? undefined : { name: place.store.name, path: place.path },
      exists: (path) => workspace.exists(path),
      files: {
        standing: await standingOf(run, { workspace, loaded: read }, state),
        unapplied: read?.config && (await unappliedTo(run, { workspace, loaded: read }, state)),
      },
      shared: await sharedFacts(workspace, await known(config), place),
    });
  },
};

/** The message says why a check cannot be carried out. */
class Skipped extends Error {}

type Facts = ReturnType<typeof factsOf>;

/**
 * The facts that the checks share, each found out once, when a check first needs it. A fact throws Failure, or Skipped
 * if its own needs are missing; the check is then failed or skipped. `verdictOf` gives the result of a check that
 * others need.
 */
function factsOf(run: Run, verdictOf: (name: CheckName) => Promise<Verdict>) {
  const { options } = run;
  const loaded = once(async () => {
    await run.requireWorkspace();
    return (await run.loadAnywhere()).loaded;
  });
  const declared = once(async (): Promise<DeclaredHere> => {
    const read = await needed(loaded, 'There is no workspace.');
    if (read.missingEnvironment !== undefined) throw new Skipped('No environment is named: see the configuration.');
    return { loaded: read, settings: await run.settings() };
  });
  const config = once(async () => {
    const usable = usableConfig((await declared()).settings);
    if (usable === undefined) throw new Skipped('almanac.yaml has errors: see the configuration.');
    return usable;
  });
  const opened = once(async () => {
    // --state says which one it is, whatever is wrong with almanac.yaml.
    const configured = options.state === undefined ? await config() : await known(config);
    const session = { loaded: { ...(await declared()).loaded, config: configured } };
    return { store: await run.store(session), path: (await run.stateFile(session))?.path };
  });
  const recorded = once(async () => readState((await opened()).store));
  const held = once(async () => {
    const read = await known(recorded);
    return read === undefined ? (await opened()).store.lockHolder() : read.stored.lockHolder;
  });
  const answer = once(async () => {
    const usable = await config();
    for (const [name, words] of [['base-url', 'base URL'] as const, ['token', 'token'] as const])
      if ((await verdictOf(name)).status === 'failed') throw new Skipped(`Omni was not asked: see the ${words}.`);
    const state = (await known(recorded))?.state;
    return askService(usable, (await declared()).loaded, state, run);
  });
  return { run, loaded, declared, config, opened, recorded, held, answer };
}

/** Throws Skipped with these words if the fact cannot be found out. */
async function needed<T>(fact: () => Promise<T>, words: string): Promise<T> {
  const found = await attempt(fact);
  if ('failure' in found) throw new Skipped(words);
  return found.value;
}

/** Undefined if the fact cannot be found out. */
async function known<T>(fact: () => Promise<T>): Promise<T | undefined> {
  try {
    return await needed(fact, '');
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}

const marks: Readonly<Record<CheckStatus, { readonly mark: string; readonly role: Role }>> = {
  ok: { mark: '✓', role: 'added' },
  warning: { mark: '!', role: 'warning' },
  failed: { mark: '✗', role: 'error' },
  skipped: { mark: '-', role: 'dim' },
};

/** Ends with a newline. */
function renderDoctor({ checks }: DoctorDocument, page: Page): string {
  const nameWidth = largest(checks.map(({ name }) => name.length));
  return printText([part(...checks.map((check) => checkBlock(check, nameWidth))), part(ending(checks))], page);
}

function checkBlock({ name, status, message, hint: words }: Check, nameWidth: number): Block {
  const { mark, role } = marks[status];
  const label = `${name.padEnd(nameWidth)}  `;
  const isSkipped = status === 'skipped';
  return {
    mark: [{ role, of: mark }, ' ', isSkipped ? dim(label) : label],
    of: isSkipped ? dim(message) : message,
    below: [hint(words, 0)],
  };
}

function ending(checks: readonly Check[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  const warningWords = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  if (failures > 0) return `${countOf(failures, 'check')} failed${warningWords}.`;
  return warnings === 0 ? 'Everything is in place for an apply.' : `No check failed${warningWords}.`;
}
