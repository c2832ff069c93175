// What git tells of the files of a run: how they stand to what was applied last, and which of them no commit holds.

import type { FileEdits } from '../../apply/uncommitted.ts';
import { workspaceBefore } from '../../declare/load/other-texts.ts';
import type { Standing } from '../../model/plan/standing.ts';
import type { State } from '../../model/plan/state.ts';
import type { Run, Session } from './run.ts';

type OpenCheckout = Pick<Run, 'openCheckout' | 'environment'>;

/** Nothing is loaded where the declarations cannot be read. */
interface OfFiles {
  readonly workspace: Session['workspace'];
  readonly loaded: Session['loaded'] | undefined;
}

/**
 * Git is not asked where nothing was applied from a clone, and no submodule is read. A job of a CI system has what it has
 * fetched.
 */
export async function standingOf(
  run: OpenCheckout,
  { workspace, loaded }: OfFiles,
  state: State | undefined,
): Promise<Standing> {
  const { checkout: commit, uncommitted } = state ?? {};
  const submodules = loaded?.parts.submodules ?? [];
  if (commit === undefined && submodules.length === 0) return {};
  const checkout = await run.openCheckout(workspace.root);
  const moved = submodules.length === 0 ? [] : await checkout.moved(submodules);
  if (commit === undefined) return { moved };
  const [standing, files] = await Promise.all([
    checkout.standing(commit),
    uncommitted === undefined ? {} : checkout.lacking(uncommitted.files, commit),
  ]);
  return {
    moved,
    behind: standing === 'behind' ? commit : undefined,
    isShallow: standing === 'shallow',
    unfetched: standing === 'unfetched' && !isCi(run.environment) ? commit : undefined,
    uncommitted: uncommitted && Object.keys(files).length > 0 ? { ...uncommitted, files } : undefined,
  };
}

/** Of the files that a run reads, those that differ from the commit that is checked out; undefined where none does. */
export async function editsOf(
  run: OpenCheckout & Pick<Run, 'loadFrom'>,
  { workspace, loaded }: Pick<Session, 'workspace' | 'loaded'>,
): Promise<FileEdits | undefined> {
  const { read, config, parts } = loaded;
  const sources = config?.sources ?? [];
  const unfetched = new Set(parts.unfetched.map(({ path }) => path));
  const edited = await (await run.openCheckout(workspace.root)).edited({
    read,
    sourcesAmong: (paths) =>
      workspace.among(
        paths.filter((path) => !unfetched.has(path)),
        sources,
      ),
  });
  if (edited.length === 0) return undefined;
  return {
    paths: edited.map(({ path }) => path),
    files: Object.fromEntries(edited.map(({ name, content }) => [name, content])),
    committed: () => run.loadFrom(workspaceBefore(workspace, edited)),
  };
}

export function isCi(environment: Run['environment']): boolean {
  return !['', 'false'].includes(environment('CI') ?? '');
}
