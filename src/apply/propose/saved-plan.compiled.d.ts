// The validator that scripts/generate.ts compiles from the published schema of plans.

import type { PlanDocument, SavedPlan } from '../../model/plan/plan.ts';
import type { DocumentValidator } from '../../yaml/schema-error.ts';

export const validatePlan: DocumentValidator<PlanDocument & Partial<SavedPlan>>;
