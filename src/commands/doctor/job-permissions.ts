// The Omni permissions that commands in jobs need. Omni publishes the names of its permissions and not which operation
// needs which, so this goes by the names: doctor warns, and only an answer of Omni refuses.

import type { Kind } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { codeList } from '../../model/values/words.ts';

interface NeededPermission {
  /** The name as `whoami` gives it. */
  readonly permission: string;
  /** Needed if one of these is declared. */
  readonly kinds: readonly Kind[];
}

const schedules: NeededPermission = { permission: 'SCHEDULE', kinds: ['schedule'] };
const ai: NeededPermission = { permission: 'USE_AI', kinds: ['routine', 'aiJob'] };
const routines: NeededPermission = { permission: 'USE_AI', kinds: ['routine'] };
const downloads: NeededPermission = { permission: 'DOWNLOAD_CONTENT_QUERY', kinds: ['schedule'] };

/** Keyed by command. All other commands only read. */
export const jobPermissions: Readonly<Record<string, readonly NeededPermission[]>> = {
  apply: [schedules, ai],
  trigger: [schedules, routines],
  'status --retry': [schedules, routines],
  test: [schedules],
  preview: [downloads],
  prove: [downloads],
};

export function missingPermissions(granted: ReadonlySet<string>, declared: ReadonlySet<Kind>) {
  const missing = new Map<string, string[]>();
  for (const [command, needs] of Object.entries(jobPermissions))
    for (const { permission, kinds } of needs)
      if (!granted.has(permission) && kinds.some((kind) => declared.has(kind)))
        missing.set(permission, [...(missing.get(permission) ?? []), command]);
  return missing;
}

/** Missing permissions with the commands that need them: `SCHEDULE (almanac apply and almanac trigger)`. */
export function missingWords(missing: ReadonlyMap<string, readonly string[]>): string {
  return [...missing]
    .map(([permission, commands]) => `${permission} (${codeList(commands.map((each) => command(each)))})`)
    .join(', ');
}
