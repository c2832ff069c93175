// Where the user's caches are (https://specifications.freedesktop.org/basedir-spec).

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** XDG_CACHE_HOME counts only if it is absolute. Undefined if there is no home folder either. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_CACHE_HOME: given = '', HOME: home = homedir() } = environment;
  if (isAbsolute(given)) return join(given, 'almanac');
  return isAbsolute(home) ? join(home, '.cache', 'almanac') : undefined;
}
