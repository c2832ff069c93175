// Refuses a repository that came along with the files of the workspace. A commit can bring a whole bare repository, whose
// settings and hooks git runs when something is pushed to it.

import { Failure } from '../../../model/workspace/failure.ts';
import { isInside, realAncestor } from '../../files/real-path.ts';
import { isAddress, type RemoteAddress } from './remote-address.ts';

export interface NamedRemote {
  /** `state.remote`. The remotes of a clone are in its own configuration, which no commit can change. */
  readonly remote: string;
  readonly address: RemoteAddress;
  /** The root of the clone or else of the workspace, its links followed. */
  readonly root: string;
}

/** Throws Failure state-backend-unfit. */
export function refusePlanted({ remote, address, root }: NamedRemote): void {
  if (address.protocol !== 'file' || !isAddress(remote)) return;
  const path = pathOf(address.url);
  // Behind a link, the parent is another folder than the one that is written.
  const isPlain = path !== undefined && !/\p{Cc}/u.test(path) && !path.split(/[\\/]/).includes('..');
  if (isPlain && !isInside(root, realAncestor(path))) return;
  throw new Failure(
    'state-backend-unfit',
    isPlain
      ? `The remote ${JSON.stringify(remote)} is among the files of this workspace, so a pull request can bring it along, with programs that git would run.`
      : `The remote ${JSON.stringify(remote)} is not the plain path of a repository.`,
    { hint: 'Set `state.remote` in almanac.yaml to a repository outside of the clone, such as origin.' },
  );
}

/** As git reads it: percent signs encode, and nothing else is resolved. */
function pathOf(url: string): string | undefined {
  const path = url.replace(/^file:\/\//i, '');
  try {
    return decodeURIComponent(process.platform === 'win32' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : path);
  } catch {
    return undefined;
  }
}
