// Which filters of defaults a resource is sent with. One that is lost shows the rows of others, and Omni refuses one that
// the dashboard does not have.

import { describe, expect, test } from 'vitest';
import { placeFindings } from '../../src/declare/load/place-findings.ts';
import { loadFiles } from '../support/apply/loading.ts';

type Files = Readonly<Record<string, string>>;

const email =
  'schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: Sales';
const filter = (value: string) => `{ type: string, kind: EQUALS, values: [${value}] }`;
const customer = `filterConfig: { customer: ${filter('North')} }`;
const region = `filterConfig: { region: ${filter('Europe')} }`;
const one = 'identifier: 12db1a0a';
const two = 'identifier: 7ae01c55';

/** `a` is the resource in question. */
const filesOf = (config: string, schedules: string, ofFile = ''): Files => ({
  'almanac.yaml': `environments: { prod: { defaults: { schedules: { paperFormat: a4 } } } }\ndefaults: { schedules: { ${email}${config} } }\n`,
  'schedules/a.yaml': `${ofFile}schedules:\n${schedules}`,
});

/** The ids that `a` is sent with, or `dropped` and the place of the finding. */
async function sentOf(files: Files, environmentName?: string): Promise<string> {
  const loaded = await loadFiles(files, undefined, { environmentName });
  const found = await placeFindings(loaded.findings, loaded);
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return errors
      .map(({ code, file = '', line = 0, column = 0, endColumn = 0 }) =>
        [code, file, files[file]?.split('\n')[line - 1]?.slice(column - 1, endColumn - 1)].join(' '),
      )
      .join(', ');
  const resource = loaded.desired.resources.find(({ address }) => /^schedules\.a\b/.test(address));
  return Object.keys(resource?.attributes['filterConfig'] ?? {})
    .sort()
    .join(' ');
}

const dropped = 'filter-dropped schedules/a.yaml filterConfig';

test.each<[title: string, files: Files, sent: string]>([
  ['no map takes the default over', filesOf(`, ${one}, ${customer}`, '  a: { name: A }\n'), 'customer'],
  [
    'the default names the dashboard',
    filesOf(`, ${one}, ${customer}`, `  a: { name: A, ${region} }\n`),
    'customer region',
  ],
  [
    'the resource repeats the dashboard',
    filesOf(`, ${one}, ${customer}`, `  a: { name: A, ${one}, ${region} }\n`),
    'customer region',
  ],
  [
    'the resource has another dashboard',
    filesOf(`, ${one}, ${customer}`, `  a: { name: A, ${two}, ${region} }\n`),
    dropped,
  ],
  [
    'another dashboard, and null',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { name: A, ${two}, filterConfig: { customer: null, region: ${filter('Europe')} } }\n`,
    ),
    'region',
  ],
  [
    'its dashboard is no text',
    filesOf(`, ${customer}`, `  a: { name: A, identifier: 12, ${region} }\n`),
    `wrong-type schedules/a.yaml 12, ${dropped}`,
  ],
  ['no default names a dashboard', filesOf(`, ${customer}`, `  a: { name: A, ${one}, ${region} }\n`), dropped],
  [
    'another declaration writes the filter',
    filesOf(
      `, ${customer}`,
      `  a: { name: A, ${one}, ${region} }\n  b: { name: B, ${one}, filterConfig: { customer: ${filter('South')} } }\n`,
    ),
    'customer region',
  ],
  [
    'another declaration only inherits the filter',
    filesOf(`, ${customer}`, `  a: { name: A, ${one}, ${region} }\n  b: { name: B, ${one} }\n`),
    dropped,
  ],
  [
    'another declaration inherits the filter with its dashboard',
    {
      ...filesOf(`, ${customer}`, `  a: { name: A, ${one}, ${region} }\n`),
      'schedules/b.yaml': `defaults: { schedules: { ${one}, ${customer} } }\nschedules: { b: { name: B } }\n`,
    },
    'customer region',
  ],
  [
    'a declaration of another dashboard uses the filter',
    filesOf(`, ${customer}`, `  a: { name: A, ${one}, ${region} }\n  b: { name: B, ${two} }\n`),
    dropped,
  ],
  [
    'the dashboard itself is declared with the filter',
    {
      ...filesOf(
        `, ${customer}`,
        `  a: { name: A, ${one}, ${region} }\ndashboards: { d: { ${one}, filters: { customer: { values: ["North"] } } } }\n`,
      ),
    },
    'customer region',
  ],
  [
    'the same id is written again',
    filesOf(`, ${one}, ${customer}`, `  a: { name: A, filterConfig: { customer: ${filter('South')} } }\n`),
    'customer',
  ],
  [
    'null takes the filter away',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { name: A, filterConfig: { customer: null, region: ${filter('Europe')} } }\n`,
    ),
    'region',
  ],
  [
    'null for what nothing gives',
    filesOf(`, ${one}, ${customer}`, '  a: { name: A, filterConfig: { region: null } }\n'),
    'filter-shape schedules/a.yaml null',
  ],
  ['an empty map', filesOf(`, ${one}, ${customer}`, '  a: { name: A, filterConfig: {} }\n'), 'customer'],
  [
    'an empty map of another dashboard',
    filesOf(`, ${one}, ${customer}`, `  a: { name: A, ${two}, filterConfig: {} }\n`),
    dropped,
  ],
  [
    'a default of the file over one that names the dashboard',
    filesOf(`, ${one}, ${customer}`, '  a: { name: A }\n', `defaults: { schedules: { ${region} } }\n`),
    'customer region',
  ],
  [
    'a default of the file over one that names no dashboard',
    filesOf(`, ${customer}`, `  a: { name: A, ${one} }\n`, `defaults: { schedules: { ${region} } }\n`),
    dropped,
  ],
  [
    'a default of the file with a dashboard of its own',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { name: A, filterConfig: { status: ${filter('Late')} } }\n`,
      `defaults: { schedules: { ${two}, filterConfig: { customer: null, region: ${filter('Europe')} } } }\n`,
    ),
    'region status',
  ],
  [
    'three maps, and null in the middle',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { name: A, filterConfig: { status: ${filter('Late')} } }\n`,
      `defaults: { schedules: { filterConfig: { customer: null } } }\n`,
    ),
    'status',
  ],
  [
    'a loop',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { forEach: { x: { r: Europe } }, name: A, filterConfig: { region: ${filter('"${each.r}"')} } }\n`,
    ),
    'customer region',
  ],
  [
    'a loop that takes the dashboard from its items',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { forEach: { x: { d: 7ae01c55 } }, name: A, identifier: "\${each.d}", ${region} }\n`,
    ),
    dropped,
  ],
  [
    'a loop that takes the map from its items',
    filesOf(
      `, ${one}, ${customer}`,
      `  a: { forEach: { x: { f: { region: ${filter('Europe')} } } }, name: A, filterConfig: "\${each.f}" }\n`,
    ),
    'customer region',
  ],
  [
    'a merge of YAML that loses a filter',
    filesOf(`, ${one}`, `  b: &b { name: B, ${customer} }\n  a: { <<: *b, name: A, ${region} }\n`),
    dropped,
  ],
  [
    'a merge of YAML, and null',
    filesOf(
      `, ${one}`,
      `  b: &b { name: B, ${customer} }\n  a: { <<: *b, name: A, filterConfig: { customer: null, region: ${filter('Europe')} } }\n`,
    ),
    'region',
  ],
  [
    'null against a merge and a default that names the dashboard',
    filesOf(
      `, ${one}, ${customer}`,
      `  b: &b { name: B, ${customer} }\n  a: { <<: *b, name: A, filterConfig: { customer: null, region: ${filter('Europe')} } }\n`,
    ),
    'region',
  ],
  [
    'null against a merge and a default that names no dashboard',
    filesOf(
      `, ${customer}`,
      `  b: &b { name: B, ${two}, ${customer} }\n  a: { <<: *b, name: A, ${one}, filterConfig: { customer: null, region: ${filter('Europe')} } }\n`,
    ),
    'region',
  ],
  [
    'null against a merge within the map',
    filesOf(
      `, ${one}`,
      `  a: { name: A, filterConfig: { <<: *f, customer: null, region: ${filter('Europe')} } }\n`,
      `x-f: &f { customer: ${filter('North')} }\n`,
    ),
    'region',
  ],
  [
    'null against a merge in a default of the file, and a default of almanac.yaml',
    filesOf(
      `, ${one}, ${customer}`,
      '  a: { name: A }\n',
      `x-f: &f { ${customer} }\ndefaults: { schedules: { <<: *f, filterConfig: { customer: null, region: ${filter('Europe')} } } }\n`,
    ),
    'region',
  ],
  [
    'null in a loop against a merge and a default',
    filesOf(
      `, ${one}, ${customer}`,
      `  b: &b { name: B, ${customer} }\n  a: { <<: *b, forEach: { x: { r: Europe } }, name: A, filterConfig: { customer: null, region: ${filter('"${each.r}"')} } }\n`,
    ),
    'region',
  ],
  [
    'null for what a merge does not give',
    filesOf(
      `, ${one}`,
      `  b: &b { name: B, ${customer} }\n  a: { <<: *b, name: A, filterConfig: { customer: null, region: null } }\n`,
    ),
    'filter-shape schedules/a.yaml null',
  ],
  [
    'two merges of YAML, of which one loses a filter of the other',
    filesOf(
      `, ${one}`,
      `  b: &b { name: B, ${customer} }\n  c: &c { name: C, ${region} }\n  a: { <<: [*b, *c], name: A }\n`,
    ),
    'filter-dropped schedules/a.yaml <<',
  ],
])('%s', async (_, files, sent) => {
  expect(await sentOf(files)).toBe(sent);
});

test('a default of an environment is joined with what lies below it as any other', async () => {
  const config = (ofProd: string) => ({
    'almanac.yaml': `environments: { prod: { defaults: { schedules: { ${ofProd} } } } }\ndefaults: { schedules: { ${email}, ${one}, ${customer} } }\n`,
    'schedules/a.yaml': 'schedules: { a: { name: A } }\n',
  });
  expect(await sentOf(config(region), 'prod')).toBe('customer region');
  expect(await sentOf(config(`${two}, ${region}`), 'prod')).toBe('filter-dropped almanac.yaml filterConfig');
  expect(await sentOf(config('filterConfig: { customer: null }'), 'prod')).toBe('');
});

describe('two dashboards with customer and customer_2 for one field', () => {
  const second = `customer_2: ${filter('North')}`;
  const audience = 'audiences: { all: { emails: [ana@example.com] } }\n';
  const others = [
    '',
    `  b: { name: B, ${one} }\n`,
    `  b: { name: B, ${two} }\n`,
    `  b: { name: B, ${one}, filterConfig: { customer: ${filter('South')} } }\n`,
    `  b: { name: B, ${two}, filterConfig: { customer: null, ${second} } }\n`,
    `  b: { name: B, in: [staging], ${two} }\n`,
  ];
  const defaults: Readonly<Record<string, (own: string, more: string) => Files>> = {
    'without a dashboard': (own, more) => filesOf(`, ${customer}`, own + more),
    'with its dashboard': (own, more) => filesOf(`, ${one}, ${customer}`, own + more),
    'of a file': (own, more) => filesOf('', own + more, `defaults: { schedules: { ${customer} } }\n`),
    'of a file over the dashboard of almanac.yaml': (own, more) =>
      filesOf(`, ${one}`, own + more, `defaults: { schedules: { ${customer} } }\n`),
    'of an environment': (own, more) => ofProd(customer, own + more),
    'of an environment with its dashboard': (own, more) => ofProd(`${one}, ${customer}`, own + more),
  };
  const ofProd = (given: string, schedules: string): Files => ({
    'almanac.yaml': `environments: { staging: {}, prod: { defaults: { schedules: { ${given} } } } }\ndefaults: { schedules: { ${email} } }\n`,
    'schedules/a.yaml': `schedules:\n${schedules}`,
  });
  const forms: Readonly<Record<string, (filters: string) => string>> = {
    'a declaration': (filters) => `  a: { name: A, ${two}, filterConfig: ${filters} }\n`,
    'a loop': (filters) => `  a: { name: A, forEach: { x: {} }, ${two}, filterConfig: ${filters} }\n`,
    'a loop over dashboards': (filters) =>
      `  a: { name: A, forEach: { x: { d: 7ae01c55 } }, identifier: "\${each.d}", filterConfig: ${filters} }\n`,
    'a loop over maps': (filters) =>
      `  a: { name: A, forEach: { x: { f: ${filters} } }, ${two}, filterConfig: "\${each.f}" }\n`,
    'a report for an audience': (filters) =>
      `  a: { name: A, ${two}, recipients: ["\${audience.all}"], filterConfig: ${filters} }\n`,
  };
  const cases = Object.keys(defaults).flatMap((given) => Object.keys(forms).map((form) => [given, form] as const));

  test.each(cases)('a default %s never gives both to %s', async (given, form) => {
    for (const other of others) {
      const filesWith = (filters: string): Files => {
        const files = defaults[given]?.(forms[form]?.(filters) ?? '', other) ?? {};
        return {
          ...files,
          'schedules/people.yaml': audience,
          'almanac.yaml':
            files['almanac.yaml']?.replace('environments: { prod', 'environments: { staging: {}, prod') ?? '',
        };
      };
      expect(await sentOf(filesWith(`{ ${second} }`), 'prod'), other).toBe(dropped);
      expect(await sentOf(filesWith(`{ customer: null, ${second} }`), 'prod'), other).toBe('customer_2');
    }
  });
});
