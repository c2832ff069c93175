// The formats of printed results; the first of each list is the default.

export const textOrJsonFormats = ['text', 'json'] as const;

/** Formats for `plan` and `show` on stdout. */
export const planFormats = ['text', 'json', 'markdown', 'html'] as const;

/** Formats for files of `plan`; gitlab is the widget of a merge request. */
export const planReportFormats = [...planFormats, 'gitlab'] as const;
export type PlanReportFormat = (typeof planReportFormats)[number];

/** Formats for `drift`, on stdout and in files. */
export const driftFormats = ['text', 'json', 'markdown'] as const;

export const validateFormats = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'] as const;
export type ValidateFormat = (typeof validateFormats)[number];

export const statusFormats = ['text', 'json', 'markdown'] as const;

export const proveFormats = ['text', 'markdown', 'json'] as const;
