// The snippets that editors offer: for a new schedule one per destination with all required fields, for loops over items and
// over a table, and for the other sections. Placeholders use the snippet syntax (`${1:text}`), so a literal `${` is written `\${`.

import { exampleSchedules } from '../../src/model/fields/example-schedules.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';

/** `defaultSnippets` of the schedules section. They are text, because editors indent a map twice. */
export function scheduleSnippets(): readonly Json[] {
  const ofDestinations = Object.entries(exampleSchedules).map(([destination, { key, words, fields }]) => ({
    label: `new ${destination} schedule`,
    description: words,
    body: bodyOf(key, withPlaceholders(fields)),
  }));
  return [...ofDestinations, loopSnippet, tableSnippet];
}

/** A place to fill in for each text, in their order; the format and the destination are what was chosen. */
function withPlaceholders(fields: JsonObject): JsonObject {
  let count = 1;
  const place = (name: string, text: string): string => {
    count += 1;
    const { shape } = fieldsOf.schedule[name] ?? {};
    if (shape?.type === 'choice') return `\${${count}|${Object.keys(shape.choices).join()}|}`;
    const [, variable] = /^\$\{env\.(.+)\}$/.exec(text) ?? [];
    return variable === undefined ? `\${${count}:${text}}` : `\\\${env.\${${count}:${variable}}}`;
  };
  const filled = (name: string, value: Json): Json => {
    if (Array.isArray(value)) return value.map((each) => filled(name, each));
    const isChosen = name === 'format' || name === 'destinationType';
    return typeof value === 'string' && !isChosen ? place(name, value) : value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(name, value)]));
}

/** The references are the user's, so their dollar sign is escaped. */
const loopSnippet: Json = {
  label: 'new schedule for each item',
  description: 'One schedule for each team, region or customer, with its own recipients.',
  body: bodyOf(
    'weekly-report',
    {
      identifier: '${2:12db1a0a}',
      schedule: '${4:0 9 ? * MON *}',
      timezone: '${5:Europe/London}',
      name: '${3:Weekly report}, \\${each.key}',
      format: 'pdf',
      destinationType: 'email',
      recipients: '\\${each.to}',
      subject: '${3:Weekly report}, \\${each.key}',
    },
    ['  forEach:', '    ${6:emea}: { to: [${7:ana@example.com}] }', '    ${8:apac}: { to: [${9:bo@example.com}] }'],
  ),
};

const tableSnippet: Json = {
  label: 'new schedule for each line of a table',
  description:
    'One schedule for each line of a CSV file, such as one for each customer, with its own recipient and rows.',
  body: bodyOf(
    'weekly-report',
    {
      identifier: '${2:12db1a0a}',
      schedule: '${4:0 9 ? * MON *}',
      timezone: '${5:Europe/London}',
      name: '${3:Weekly report}, \\${each.key}',
      format: 'pdf',
      destinationType: 'email',
      recipients: ['"\\${each.${8:to}}"'],
      subject: '${3:Weekly report}, \\${each.key}',
    },
    ['  forEachRow: { file: ${6:customers.csv}, key: ${7:code} }'],
  ),
};

/** `defaultSnippets` of the dashboards section. */
export function dashboardSnippets(): readonly Json[] {
  return [
    {
      label: 'new dashboard',
      description: 'The values that a filter of a dashboard has for everybody who opens it.',
      body: [
        '${1:sales}:',
        '  identifier: ${2:12db1a0a}',
        '  filters:',
        '    ${3:region}: { values: [${4:Europe}] }',
      ].join('\n'),
    },
  ];
}

/** `defaultSnippets` of the AI jobs section. */
export function aiJobSnippets(): readonly Json[] {
  return [
    {
      label: 'new AI job',
      description: 'A question that the AI of Omni answers once.',
      body: [
        '${1:growth}:',
        '  modelId: ${2:987fcdeb-51a2-43d7-9b56-254415f67890}',
        '  prompt: ${3:Which regions grew fastest last week?}',
      ].join('\n'),
    },
  ];
}

/** `defaultSnippets` of the routines section. */
export function routineSnippets(): readonly Json[] {
  const bodyWith = (destination: readonly string[]) =>
    [
      '${1:weekly-summary}:',
      '  modelId: ${2:987fcdeb-51a2-43d7-9b56-254415f67890}',
      '  name: ${3:Weekly summary}',
      '  prompt: ${4:Which regions grew fastest last week?}',
      '  schedule: ${5:0 9 ? * MON *}',
      '  timezone: ${6:Europe/London}',
      '  destination:',
      ...destination.map((line) => `    ${line}`),
    ].join('\n');
  return [
    {
      label: 'new email routine',
      description: 'Every Monday at nine, by e-mail.',
      body: bodyWith(['type: email', 'recipientEmails: [${7:ana@example.com}]']),
    },
    {
      label: 'new slack routine',
      description: 'Every Monday at nine, in a Slack channel.',
      body: bodyWith(['type: slack', 'recipientId: ${7:C0123456789}', 'slackRecipientType: channel']),
    },
  ];
}

/** `defaultSnippets` of the audiences. */
export const audienceSnippets: readonly Json[] = [
  {
    label: 'new audience',
    description: 'People who receive reports together, named by schedules as `${audience.NAME}`.',
    body: ['${1:finance}:', '  emails:', '    - ${2:ana@example.com}'].join('\n'),
  },
];

function bodyOf(key: string, fields: JsonObject, before: readonly string[] = []): string {
  const names = Object.keys(fieldsOf.schedule);
  const lines = Object.entries(fields)
    .sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))
    .map(([name, value]) => `  ${name}: ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`);
  return [`\${1:${key}}:`, ...before, ...lines].join('\n');
}
