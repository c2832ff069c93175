// What every backend is opened with.

import type { SharedPlace } from '../../model/workspace/state-place.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Environment } from './host.ts';

export interface LogOptions<P extends SharedPlace = SharedPlace> {
  readonly place: P;
  /** The folder of the workspace, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly environment: Environment;
}
