// The validators that scripts/generate.ts compiles from scripts/schemas/kept-schemas.ts, one for each type of line.

import type { DocumentValidator } from '../../../yaml/schema-error.ts';
import type { AnswerLine, ProgressHeader } from './answers.ts';

export const validateHeader: DocumentValidator<ProgressHeader>;
export const validateListed: DocumentValidator<AnswerLine<'listed'>>;
export const validateDashboards: DocumentValidator<AnswerLine<'dashboards'>>;
export const validateSchedule: DocumentValidator<AnswerLine<'schedule'>>;
export const validateRecipients: DocumentValidator<AnswerLine<'recipients'>>;
export const validateFilters: DocumentValidator<AnswerLine<'filters'>>;
export const validateRefusal: DocumentValidator<AnswerLine<'refusal'>>;
