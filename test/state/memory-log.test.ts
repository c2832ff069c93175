// The suite that every backend must pass, on the log in memory: it shows that the suite and that log agree.

import { makeMemoryPlace } from '../support/state/memory-log.ts';
import { conformance } from '../support/state/state-log-conformance.ts';

conformance('memory', () => {
  const place = makeMemoryPlace();
  return { open: place.open, again: place.open, faults: place };
});
