// The connection of the commands that change nothing of the state: as patient as apply is by default.

import { type Connection, connectionOf } from '../../engine/service/connect.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Reporter } from '../../ports/reporter.ts';
import type { World } from './world.ts';

const maxAttempts = 5;
const maxWait = 120;

/** Throws Failure missing-base-url, missing-token; connects to nothing yet. */
export function lookConnection(world: World, config: Config, reporter: Reporter): Connection {
  return connectionOf({ ...world, config, reporter, allowHttp: false, maxAttempts, maxWait });
}
