// The source files of the tests of `almanac drift --write`: schedules that have most fields from the defaults of their file.

/** A schedule as YAML, below `schedules:`. */
export const mail = (key: string, ...lines: readonly string[]) =>
  [`  ${key}:`, `    name: ${key.toUpperCase()}`, '    subject: Hello', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );

export const base = `defaults: # for all of this file
  schedules:
    identifier: 12db1a0a
    schedule: 0 9 ? * MON *
    timezone: Europe/London # where we are
    format: pdf
    destinationType: email
    recipients: [ana@example.com, bo@example.com] # the team
`;
