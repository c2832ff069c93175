// Whoever follows an apply or an import while it runs.

import type { ApplyEvent } from '../model/apply-outcome.ts';
import type { ImportEvent } from '../model/import.ts';

export interface Reporter {
  emit(event: ApplyEvent): void;
}

export interface ImportReporter {
  emit(event: ImportEvent): void;
}
