// Whoever follows an apply while it runs.

import type { ApplyEvent } from '../model/apply-outcome.ts';

export interface Reporter {
  emit(event: ApplyEvent): void;
}
