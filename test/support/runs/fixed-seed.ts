// A fixed seed for property tests, so that a failure is never luck. FAST_CHECK_SEED tries other values.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) });
