// Receives the events of an apply or an import while it runs.

import type { ApplyEvent } from '../model/plan/apply-outcome.ts';
import type { ImportEvent } from '../model/plan/import.ts';

export interface Reporter {
  emit(event: ApplyEvent): void;
}

export interface ImportReporter {
  emit(event: ImportEvent): void;
}
