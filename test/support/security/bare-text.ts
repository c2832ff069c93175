// A text without what the formats of reports add. A report may break lines, escape or cut.

/** What stays of a text where a report breaks lines, escapes for its format, or cuts. */
export const bareText = (text: string) => text.replace(/[\s\\|│]+/g, '').toLowerCase();
