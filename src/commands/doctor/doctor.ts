// `almanac doctor`: whether everything is in place for an apply, each check as far as what it needs is there. Changes nothing,
// and sends at most two reads.

import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { largest } from '../../model/values/many.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { type Block, dim, hint, part } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import { tokenSource } from '../../service/service.ts';
import { refuseUnmoved } from '../../state/unmoved-state.ts';
import { placeOfState, type Run } from '../base/run.ts';
import { askService, checkBaseUrl, checkClock, checkRights, checkToken } from './check-service.ts';
import { checkBranch, checkGit, checkLock, checkState, readRecorded, sharedFacts } from './check-state.ts';
import {
  checkConfiguration,
  checkEditorSchemas,
  checkSecrets,
  checkVersions,
  type DeclaredHere,
  usableConfig,
} from './check-workspace.ts';
import type { DoctorOptions } from './command.ts';
import { type Check, type CheckName, type CheckStatus, checkNames, type DoctorDocument } from './document.ts';
import { attempt, failedBy, skipped, together, type Verdict } from './verdict.ts';

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
  versions: async ({ run, declared, recorded, config }) => {
    const { resources } = (await known(declared))?.loaded.desired ?? nothingDeclared;
    const configured = await known(config);
    const schemas = configured === undefined ? [] : checkEditorSchemas(await run.workspace(), configured);
    return together([checkVersions(run, (await known(recorded))?.state, resources), ...schemas]);
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
    await refuseUnmoved(store, await run.workspace(), run.unmoved({ config: configured, desired }));
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
    return checkLock(holder, store.name, lease);
  },
  'state-branch': async ({ config }) => checkBranch(await config()),
  secrets: async ({ run, declared, recorded }) =>
    checkSecrets(await declared(), run.environment, (await known(recorded))?.state),
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

// The checks of `almanac doctor` for people: a line each, what to do below it, and how it ended.

const marks: Readonly<Record<CheckStatus, { readonly mark: string; readonly role: Role }>> = {
  ok: { mark: '✓', role: 'added' },
  warning: { mark: '!', role: 'warning' },
  failed: { mark: '✗', role: 'error' },
  skipped: { mark: '-', role: 'dim' },
};

/** Ends with a newline. */
function renderDoctor({ checks }: DoctorDocument, page: Page): string {
  const nameWidth = largest(
    0,
    checks.map(({ name }) => name.length),
  );
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
  const told = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  if (failures > 0) return `${countOf(failures, 'check')} failed${told}.`;
  return warnings === 0 ? 'Everything is in place for an apply.' : `No check failed${told}.`;
}

// What the checks of doctor share: each part is found out when a check first asks for it, and once. A part throws Failure, or
// Skipped where what it needs is missing; the check that asked for it is then failed or skipped.

/** The message says why a check cannot be carried out. */
class Skipped extends Error {}

type Facts = ReturnType<typeof factsOf>;

/** `verdictOf`: of a check that others need. */
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
  /** The state, and its path where it is a file. */
  const opened = once(async () => {
    const source = (await declared()).loaded;
    // --state says which one it is, whatever is wrong with almanac.yaml.
    const configured = options.state === undefined ? await config() : await known(config);
    const { root } = await run.workspace();
    const place = placeOfState(run, options, root, { config: configured, findings: [], source }, 'reads');
    if ('path' in place) return { store: await run.openState(place), path: place.path };
    return { store: await run.openSharedState({ place, root }), path: undefined };
  });
  const recorded = once(async () => readRecorded((await opened()).store));
  const held = once(async () => {
    const { store } = await opened();
    // One reading tells both, so a run that ends meanwhile is not half seen.
    const read = await known(recorded);
    return read === undefined ? store.lockHolder() : read.stored.held;
  });
  const answer = once(async () => {
    const usable = await config();
    for (const [name, words] of [['base-url', 'base URL'] as const, ['token', 'token'] as const])
      if ((await verdictOf(name)).status === 'failed') throw new Skipped(`Omni was not asked: see the ${words}.`);
    return askService(usable, (await declared()).loaded, run);
  });
  return { run, loaded, declared, config, opened, recorded, held, answer };
}

/** Throws Skipped with these words where the fact cannot be found out. */
async function needed<T>(fact: () => Promise<T>, words: string): Promise<T> {
  const found = await attempt(fact);
  if ('failure' in found) throw new Skipped(words);
  return found.value;
}

/** Undefined where the fact cannot be found out. */
async function known<T>(fact: () => Promise<T>): Promise<T | undefined> {
  try {
    return await needed(fact, '');
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}
