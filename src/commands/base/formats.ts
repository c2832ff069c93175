// The formats that a result is printed in. The first of each list is what comes without --format.

export const textOrJsonFormats = ['text', 'json'] as const;

/** Of plan and show, on stdout. */
export const planFormats = ['text', 'json', 'markdown', 'html'] as const;
export type PlanFormat = (typeof planFormats)[number];

/** Of plan, in a file; gitlab is the widget of a merge request. */
export const planReportFormats = [...planFormats, 'gitlab'] as const;
export type PlanReportFormat = (typeof planReportFormats)[number];

export const validateFormats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'] as const;
export type ValidateFormat = (typeof validateFormats)[number];
