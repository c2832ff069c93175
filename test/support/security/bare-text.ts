/** What stays of a text where a report breaks lines, escapes for its format, or cuts. */
export const bareText = (text: string) => text.replace(/[\s\\|│]+/g, '').toLowerCase();
