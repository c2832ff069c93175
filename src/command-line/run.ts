// One run of the command line, as the registration of a command sees it. The commands themselves are imported when they
// are called, so that each starts without the weight of the others.

import type { World } from '../commands/base/world.ts';

export interface Run {
  readonly world: World;
  /** Told the exit code when the command has ended. */
  readonly finish: (exitCode: number) => void;
}
