// Reports files of a commit that git has not put here. Otherwise they would count as removed, or as missing.

import { dirname, normalize } from 'node:path/posix';
import { groupBy } from '../../model/values/collections.ts';
import { gitCommand, nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { configNames } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { InRepository, Parts, Unfetched, Workspace } from '../workspace.ts';

interface FetchedSources {
  readonly findings: readonly Finding[];
  /** Names unfetched files if a reference leads to one. */
  readonly workspace: Workspace;
  readonly unfetched: readonly Unfetched[];
  /** The submodules that hold a source, or could. */
  submodulesOf(read: readonly string[]): readonly InRepository[];
}

/** `listed` are the sources that exist. */
export async function fetchedSources(
  workspace: Workspace,
  { sources, file }: Pick<Config, 'sources' | 'file'>,
  listed: readonly string[],
): Promise<FetchedSources> {
  const { submodules, unfetched }: Parts = (await workspace.repository()?.parts()) ?? { submodules: [], unfetched: [] };
  const paths = [...submodules, ...unfetched].map(({ path }) => path);
  const looked = new Set(paths.length === 0 ? [] : await workspace.among(paths, sources));
  const listedPaths = new Set(listed);
  // Without almanac.yaml, everything would have its default.
  const isSource = ({ path }: Unfetched) =>
    (looked.has(path) && !listedPaths.has(path)) || (file === undefined && configNames.includes(path));
  const missing = groupBy(unfetched.filter(isSource), ({ repository, kind }) => JSON.stringify([repository, kind]));
  return {
    findings: [...missing.values()].map((group) => findingOf(group)),
    workspace: unfetched.length === 0 ? workspace : namingUnfetched(workspace, unfetched),
    unfetched,
    submodulesOf: (read) =>
      submodules.filter(({ path }) => looked.has(path) || read.some((each) => each.startsWith(path))),
  };
}

function namingUnfetched(workspace: Workspace, unfetched: readonly Unfetched[]): Workspace {
  const files = new Map(unfetched.map((each) => [each.path, each]));
  const folders = unfetched.filter(({ path }) => path.endsWith('/'));
  return {
    ...workspace,
    readReference: (path, states) => {
      const read = workspace.readReference(path, states);
      if ('text' in read || read.finding.code !== 'unreadable-file') return read;
      const at = normalize(path);
      const found = files.get(at) ?? folders.find((folder) => at.startsWith(folder.path));
      return found === undefined ? read : { finding: findingOf([found], at) };
    },
  };
}

interface Words {
  /** Completes a sentence about one file. */
  readonly one: string;
  /** Completes a sentence about several. */
  readonly several: string;
  readonly fix: (repository: string, names: readonly string[]) => string;
}

const bySparseCheckout = {
  one: 'is left out by the sparse checkout',
  several: 'are left out by the sparse checkout',
};

const words: Readonly<Record<Unfetched['kind'], Words>> = {
  submodule: {
    one: 'is a submodule that was not fetched',
    several: 'are submodules that were not fetched',
    fix: (at, names) =>
      `Run ${gitCommand(at, 'submodule update --init', names)}. In CI, let the checkout fetch submodules.`,
  },
  embedded: {
    one: 'is a repository inside this one, and no .gitmodules says where git fetches it',
    several: 'are repositories inside this one, and no .gitmodules says where git fetches them',
    fix: (at, names) =>
      `In the clone that has the files, run ${gitCommand(at, 'submodule add URL', names.slice(0, 1))}, and commit that.`,
  },
  sparse: {
    ...bySparseCheckout,
    fix: (at, names) => `Run ${gitCommand(at, 'sparse-checkout add', outermost(names))}.`,
  },
  patterns: {
    ...bySparseCheckout,
    // A pattern that leaves out the file itself would outweigh its folder.
    fix: (at, names) =>
      `Run ${gitCommand(
        at,
        'sparse-checkout add',
        names.map((name) => `/${name}`),
      )}.`,
  },
  skipped: {
    one: 'is not there, and git is told to skip it',
    several: 'are not there, and git is told to skip them',
    fix: (at, names) =>
      `Run ${gitCommand(at, 'update-index --no-skip-worktree', names)}, then ${gitCommand(at, 'restore', names)}.`,
  },
};

/** `reading` is the path that leads there, if it is not a source. */
function findingOf(of: readonly [Unfetched, ...Unfetched[]], reading?: string): Finding {
  const paths = of.map(({ path }) => path.replace(/\/$/, ''));
  const [{ kind, repository, path }] = of;
  const { one, several, fix } = words[kind];
  const what = `${nameSome(paths)} ${paths.length === 1 ? one : several}`;
  return {
    code: 'not-fetched',
    message:
      reading === undefined
        ? `${what}, so Almanac cannot know what the commit declares there.`
        : `${reading} cannot be read: ${reading === path ? 'it' : paths[0]} ${one}.`,
    hint: fix(
      repository,
      of.map(({ name }) => name),
    ),
    place: { file: paths[0] ?? path },
  };
}

/** The folders of the files, which git adds whole. The files of the root are never left out by folder. */
function outermost(names: readonly string[]): readonly string[] {
  const folders = new Set(names.map((name) => dirname(name)));
  const isInOther = (folder: string): boolean => {
    const above = dirname(folder);
    return above !== folder && (folders.has(above) || isInOther(above));
  };
  return [...folders].filter((folder) => !isInOther(folder));
}
