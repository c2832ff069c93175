// Property tests try the same values at every run, so that a failure is never luck; FAST_CHECK_SEED tries others.

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) });
