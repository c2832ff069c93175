// The service of a world whose operations a test replaces or watches.

import type { Outside } from '../../../src/commands/base/world.ts';
import type { Api } from '../../../src/omni/api.ts';
import { connectHttpApi } from '../../../src/omni/http-api.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { start } from '../workspace.ts';

/** The real client, with what `change` replaces. */
export function connecting(change: (api: Api) => Partial<Api> = () => ({}), more: object = {}): Outside['connect'] {
  return async (settings) => {
    const clock = makeInstantClock(start);
    const api = await connectHttpApi({ ...settings, clock, version: '0.1.0-test', environment: {}, ...more });
    return { ...api, ...change(api) };
  };
}
