// Where the user's caches are (https://specifications.freedesktop.org/basedir-spec).

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** XDG_CACHE_HOME counts only if it is absolute. Undefined if there is no home folder either. */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  homeOfUser: () => string = homedir,
): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = environment;
  if (isAbsolute(given)) return join(given, 'almanac');
  const home = environment['HOME'] ?? homeOrNone(homeOfUser);
  return isAbsolute(home) ? join(home, '.cache', 'almanac') : undefined;
}

/** A container may run as a user whom its system does not know. */
function homeOrNone(homeOfUser: () => string): string {
  try {
    return homeOfUser();
  } catch {
    return '';
  }
}
