// The folders of kept code: which of them a commit could reach, and how many files they hold.

import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What git writes when it checks a repository out is not private, but it may be the user's own. */
export function isInRepository(folder: string): boolean {
  for (let above = realpathSync(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return true;
    if (above === dirname(above)) return false;
  }
}

/** Keeps what was written last. */
export function removeOldest(folder: string, most: number): void {
  const names = readdirSync(folder);
  if (names.length <= most) return;
  const written = names.map((name) => {
    const path = join(folder, name);
    return { path, at: lstatSync(path).mtimeMs };
  });
  const oldest = written.sort((a, b) => b.at - a.at).slice(most);
  for (const { path } of oldest) rmSync(path, { recursive: true, force: true });
}
