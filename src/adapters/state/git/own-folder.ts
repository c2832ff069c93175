// A temporary folder for a repository of our own.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../model/workspace/failure.ts';
import { whyOf } from '../../files/file-system.ts';
import { realPath } from '../../files/real-path.ts';

/** Its real path: git compares the folders of its configuration with such. Throws Failure state-unreadable. */
export async function ownFolder(): Promise<string> {
  const parent = tmpdir();
  try {
    return realPath(await mkdtemp(join(parent, 'almanac-git-')));
  } catch (error) {
    throw new Failure(
      'state-unreadable',
      `Git needs a temporary folder, and none can be made in ${parent}: ${whyOf(error)}.`,
      {
        hint: 'Free disk space, or set TMPDIR to a folder that can be written.',
      },
    );
  }
}
