// Checks the state, its journal, its lock and its place in git. The checks tell whether an apply could read and lock
// the state, what earlier applies left to do, and whether git holds the state and no file of one machine.

import type { Loaded } from '../../declare/load/load.ts';
import type { Repository, Workspace } from '../../declare/workspace.ts';
import type { NotReadBackRow } from '../../model/plan/apply-outcome.ts';
import {
  behindWords,
  type CheckoutPosition,
  commitWords,
  fetchWords,
  type LastApplied,
  movedWords,
  type Relation,
  unrecordedWords,
} from '../../model/plan/checkout-position.ts';
import type { Unapplied } from '../../model/plan/names.ts';
import type { Neighbours } from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { isEmulatorState, placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import { readBackRows } from '../../plan/not-read-back.ts';
import { mergedWords, notAppliedWords, recentWords } from '../../report/plan/drift-report.ts';
import type { StateNow } from '../../state/current-state.ts';
import type { HeldLock } from '../../state/state-store.ts';
import { leftFiles } from '../base/left-state.ts';
import { failed, passed, skipped, together, type Verdict, warned } from './verdict.ts';

/** Only a code host knows who may write a branch, and only a job of its own may ask it: the action does. */
export function checkBranch(config: Config): Verdict {
  if (config.state.backend !== 'git') return skipped('The state is not in a git branch.');
  return skipped(
    `Nobody was asked who may write the branch ${config.state.branch}. The documentation (state-backends) shows how to let only a deploy key write it.`,
  );
}

/** Entries of the journal may belong to a run that is still under way. */
export function checkState(
  { name, state: current, stored, message, running }: StateNow,
  {
    baseUrl,
    isShared,
    loaded,
  }: { readonly baseUrl: string | undefined; readonly isShared: boolean; readonly loaded?: Loaded | undefined },
): Verdict {
  const state = running === undefined ? current : stored.state;
  const isLeft = message !== undefined && running === undefined;
  const leftoverVerdicts = isLeft ? [warned(message, `The next ${command('apply')} folds it into the state.`)] : [];
  if (state === undefined)
    return passed(`There is no state yet; the first apply ${isShared ? 'writes it to' : 'creates'} ${name}.`);
  const resources = countOf(Object.keys(state.resources).length, 'resource');
  const stateWords = `${name}: serial ${state.serial}, ${resources}, written by almanac ${state.toolVersion}.`;
  if (baseUrl !== undefined && state.baseUrl !== baseUrl)
    return failed(`${stateWords} It belongs to another organization, ${state.baseUrl}.`);
  const open = loaded === undefined ? [] : readBackRows({ loaded, state });
  return together([
    passed(stateWords),
    ...leftoverVerdicts,
    ...notReadBackOf(open),
    ...orphansOf(state),
    ...unresolvedOf(state),
  ]);
}

function notReadBackOf([first, ...others]: readonly NotReadBackRow[]): readonly Verdict[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    warned(
      `Nobody has seen that Omni stores filters as they were sent: ${first.address}${more}.`,
      `\`${command('status')}\` says what is known of each.`,
    ),
  ];
}

/** The neighbours, with how many resources each tracks; empty if there are none. */
export function checkNeighbours({ read, unread, unknown }: Neighbours): readonly Verdict[] {
  const counts = read.map(({ who, tracks }) => `${who} tracks ${tracks}`);
  const ofRead = counts.length === 0 ? [] : [passed(`Of its neighbours, ${counts.join(', ')}.`)];
  const hint = 'Until it can be read, adoptions, imports and lost creates wait.';
  return [...ofRead, ...[...unread, ...unknown].map(({ why }) => warned(why, hint))];
}

function orphansOf({ orphans }: State): readonly Verdict[] {
  if (orphans.length === 0) return [];
  const run = orphans.length === 1 ? 'It keeps running' : 'They keep running';
  return [
    warned(
      `${countOf(orphans.length, 'orphan')}: ${run} in Omni, untracked.`,
      `\`${command('state orphans')}\` lists them.`,
    ),
  ];
}

function unresolvedOf({ unresolved }: State): readonly Verdict[] {
  const [first, ...others] = unresolved;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  if (unresolved.every(({ action }) => action === 'trigger'))
    return [
      warned(
        `It is not known whether a delivery was made: ${first.address}${more}.`,
        `Find out, then \`${command('state resolve', first.address, '--done')}\` or \`--retry\`: until then it is not triggered again.`,
      ),
    ];
  const hint = `\`${command('plan')}\` shows what an apply finds out, and the \`${command('state resolve')}\` command for the rest.`;
  return [warned(`The outcome of a change is not known: ${first.address}${more}.`, hint)];
}

/** In seconds: an apply looks for a free lock only now and then. */
const waitMore = 15;

/**
 * `name` is the state's. `lease` is, for a shared state, the seconds without a sign of its run after which a lock may
 * be taken over.
 */
export function checkLock(heldLock: HeldLock | undefined, name: string, lease: number | undefined): Verdict {
  if (heldLock === undefined)
    return passed(lease === undefined ? 'Free.' : `Free. A run that dies holds it for ${lease} s.`);
  const holder =
    heldLock.holder &&
    `${heldLock.holder.command} of ${heldLock.holder.who} on ${heldLock.holder.host} (process ${heldLock.holder.pid}) since ${heldLock.holder.since}`;
  if (heldLock.isDead) {
    const end = lease === undefined ? 'has ended' : 'has ended, or gave no sign of life during its lease';
    const left = holder === undefined ? 'a process that ended at once' : `${holder}, which ${end}`;
    return passed(`Left by ${left}; the next apply takes the lock over.`);
  }
  const run = heldLock.holder?.runUrl === undefined ? '' : ` Its run: ${heldLock.holder.runUrl}`;
  const locked = `${name} is locked${holder === undefined ? '; its lock does not say by whom' : ` by ${holder}`}.${run}`;
  if (lease === undefined) {
    return failed(
      locked,
      `Wait for that run to end. If it has certainly ended, remove the lock with \`${command('state unlock')}\`.`,
    );
  }
  const seconds = Math.ceil(heldLock.expiresIn ?? lease);
  return failed(
    locked,
    `Wait for that run to end. If it has died, the next apply may take the lock over in ${seconds} s at the latest: \`${command('apply', '--lock-timeout', String(seconds + waitMore))}\` waits for that. To stop that run at once, use \`${command('state unlock')}\`.`,
  );
}

interface GitFacts {
  readonly repository: Repository | undefined;
  /** Undefined if almanac.yaml does not tell. */
  readonly state: { readonly name: string; readonly path: string } | undefined;
  /** The path is absolute or relative to the root of the workspace. */
  readonly exists: (path: string) => boolean;
  readonly files: FileFacts;
  /** Undefined for a state in a file, and if almanac.yaml does not tell. */
  readonly shared?: SharedFacts | undefined;
}

interface FileFacts {
  readonly standing: CheckoutPosition;
  readonly unapplied?: Unapplied | undefined;
}

interface SharedFacts {
  readonly place: SharedPlace;
  /** The state files that git tracks although nothing uses them. */
  readonly unused: readonly string[];
}

export async function sharedFacts(
  workspace: Workspace,
  config: Config | undefined,
  place: { readonly path: string | undefined } | undefined,
): Promise<SharedFacts | undefined> {
  if (config === undefined || config.state.backend === 'local' || place?.path !== undefined) return undefined;
  const left = await leftFiles(workspace, config);
  const unused = left.filter(({ state, isTracked }) => isTracked && state !== undefined).map(({ path }) => path);
  return { place: config.state, unused };
}

export async function checkGit({ repository, state, exists, files, shared }: GitFacts): Promise<Verdict> {
  if (repository === undefined) return skipped('This folder is not in a git repository.');
  const { branch, commit, unfinished } = repository;
  const head = branch === undefined ? detached(commit) : `On branch ${branch}.`;
  return together([
    passed(head),
    ...(unfinished === undefined ? [] : [underWay(unfinished)]),
    ...verdictsOnFiles(files),
    ...(state === undefined ? [] : await verdictsOnMachine(state, repository, exists)),
    ...(state === undefined ? [] : await verdictsOnState(state, repository, exists)),
    ...(shared === undefined ? [] : verdictsOnShared(shared, repository)),
  ]);
}

/** Changes that an apply of these files would take back, or leave for others to take back. */
function verdictsOnFiles({ standing: { last, isUnrecorded, moved = [] }, unapplied }: FileFacts): readonly Verdict[] {
  const ofLast = last && ofCommits[last.relation]?.(last);
  return [
    ...(ofLast === undefined ? [] : [ofLast]),
    ...(isUnrecorded
      ? [
          warned(
            `${unrecordedWords}.`,
            `Run \`${command('apply')}\` once by hand: until then it is not known what is older.`,
          ),
        ]
      : []),
    ...moved.map((each) => warned(`${movedWords(each)}.`, `Run ${each.update} before you apply.`)),
    ...(unapplied === undefined ? [] : verdictsOnUnapplied(unapplied)),
  ];
}

const ofCommits: Readonly<Partial<Record<Relation, (last: LastApplied) => Verdict>>> = {
  behind: (last) => warned(`${behindWords(last)}.`, 'Run `git pull` before you apply.'),
  diverged: (last) =>
    warned(
      `This checkout has diverged from ${commitWords(last)}, which was applied last.`,
      'Merge that commit or rebase onto it before you apply.',
    ),
  unknown: (last) =>
    warned(
      `The last apply was made at ${commitWords(last)}, which this clone does not have.`,
      `${fetchWords}. Then look again before you apply.`,
    ),
  shallow: (last) =>
    passed(
      `The clone is shallow, so git cannot compare it with ${commitWords(last)}, which was applied last. ${fetchWords}.`,
    ),
};

function verdictsOnUnapplied(unapplied: Unapplied): readonly Verdict[] {
  const merged = mergedWords(unapplied);
  const otherWords = [recentWords(unapplied), ...notAppliedWords(unapplied)].filter((words) => words !== '');
  return [
    ...(merged === ''
      ? []
      : [warned(merged, `Run \`${command('apply')}\`, or find out why the job that applies did not.`)]),
    ...otherWords.map(passed),
  ];
}

function verdictsOnShared({ place, unused }: SharedFacts, { branch }: Repository): readonly Verdict[] {
  const isOwn = place.backend === 'git' && place.branch === branch;
  const own = `The state cannot be in the branch ${branch}, which holds the declarations.`;
  return [
    ...(isOwn ? [failed(own, 'Give `state` a branch of its own, such as almanac-state.')] : []),
    ...unused.map((path) =>
      warned(
        `git tracks ${path}, and the state is in ${placeName(place)}: nothing uses the file.`,
        `Move it there with \`${command('state migrate')}\`. Remove it (\`git rm ${path}\`) only if its resources are there already.`,
      ),
    ),
  ];
}

/** Normal in CI. */
function detached(commit: string | undefined): string {
  return commit === undefined ? 'In a git repository.' : `At commit ${commit.slice(0, 12)}, on no branch.`;
}

function underWay(what: NonNullable<Repository['unfinished']>): Verdict {
  return warned(
    `A ${what} is not finished.`,
    `Finish it, or give it up with \`git ${what} --abort\`, before you apply.`,
  );
}

type StateFile = NonNullable<GitFacts['state']>;

/** A journal or lock that came with a commit was not left by a run of this machine. */
async function verdictsOnMachine(
  { name, path }: StateFile,
  { statusOf }: Repository,
  exists: GitFacts['exists'],
): Promise<readonly Verdict[]> {
  const found: Verdict[] = [];
  for (const kind of ['journal', 'lock']) {
    if (!exists(`${path}.${kind}`) || ['untracked', 'outside'].includes(await statusOf(`${path}.${kind}`))) continue;
    const hint = `Remove it from git (\`git rm --cached ${name}.${kind}\`) and add it to .gitignore.`;
    found.push(failed(`git tracks ${name}.${kind}.`, hint));
  }
  return found;
}

async function verdictsOnState(
  { name, path }: StateFile,
  { statusOf }: Repository,
  exists: GitFacts['exists'],
): Promise<readonly Verdict[]> {
  if (isEmulatorState(name)) return [];
  const status = await statusOf(path);
  if (status === 'unmerged') return [failed(`A merge left ${name} in conflict.`)];
  if (!exists(path)) return [];
  switch (status) {
    case 'untracked':
      return [
        warned(
          `git does not track ${name}.`,
          `Commit it, so that the next run knows what was applied. If git ignores it, \`git check-ignore -v ${name}\` names the rule.`,
        ),
      ];
    case 'changed':
      return [
        warned(`${name} has changes that are not committed.`, 'Commit and push it, so that the next run has them.'),
      ];
    case 'unchanged':
      return [passed(`git has ${name} as it is here.`)];
    case 'outside':
      return [];
  }
}
