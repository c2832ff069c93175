// The reports of validate for other programs, read by parsers of their formats.

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { codeHelpFile, codeHelpText, diagnosticsPage } from '../../scripts/docs/code-help.ts';
import type { DiagnosticReport, ReportedDiagnostic } from '../../src/model/workspace/diagnostic.ts';
import { renderGithubAnnotations, renderGitlabCodeQuality } from '../../src/report/diagnostics/diagnostics-ci.ts';
import { renderJunit } from '../../src/report/diagnostics/diagnostics-junit.ts';
import { renderSarif } from '../../src/report/diagnostics/diagnostics-sarif.ts';
import { safeText } from '../../src/report/text/terminal-text.ts';
import { forHostileMarkup } from '../support/report/hostile-markup.ts';
import { runs } from '../support/runs/runs.ts';

const unknownField: ReportedDiagnostic = {
  severity: 'error',
  code: 'unknown-field',
  summary: 'no such field',
  message: 'There is no field `subjekt` here, so it would have no effect.',
  hint: 'Did you mean `subject`?',
  file: 'reports/schedules/sales.yaml',
  line: 20,
  column: 5,
  endLine: 20,
  endColumn: 12,
  address: 'schedules.weekly-sales',
  path: '/schedules/weekly-sales/subjekt',
  fingerprint: 'f1',
};
const overLines: ReportedDiagnostic = {
  severity: 'warning',
  code: 'cron-never-fires',
  summary: 'a schedule never runs',
  message: '100% sure: it is over, and done.',
  file: 'reports/schedules/sales, old: 1.yaml',
  line: 3,
  column: 7,
  endLine: 4,
  endColumn: 2,
  fingerprint: 'f2',
};
const ofAll: ReportedDiagnostic = {
  severity: 'note',
  code: 'stale-moved',
  summary: 'a moved entry moves nothing',
  message: 'It can go.',
  fingerprint: 'f3',
};

const report: DiagnosticReport = {
  toolVersion: '0.1.0',
  strict: false,
  diagnostics: [unknownField, overLines, ofAll],
  files: ['reports/schedules/sales.yaml', 'reports/schedules/clean.yaml'],
  home: 'reports/almanac.yaml',
};

/** A report with the given text wherever a file provides one. */
function reportWith(text: string): DiagnosticReport {
  const said = { message: text, hint: text, file: text, address: text, path: text, fingerprint: 'f' };
  return { ...report, diagnostics: [{ ...unknownField, ...said }], files: [text, 'clean.yaml'], home: text };
}

describe('GitHub annotations', () => {
  test('GitHub annotations are at the line and include the hint', () => {
    expect(renderGithubAnnotations(report)).toMatchInlineSnapshot(`
      "::error file=reports/schedules/sales.yaml,line=20,col=5,endLine=20,endColumn=12,title=unknown-field%3A no such field::There is no field \`subjekt\` here, so it would have no effect.%0A%0AHint: Did you mean \`subject\`?
      ::warning file=reports/schedules/sales%2C old%3A 1.yaml,line=3,endLine=4,title=cron-never-fires%3A a schedule never runs::100%25 sure: it is over, and done.
      ::notice title=stale-moved%3A a moved entry moves nothing::It can go.
      1 error, 1 warning, 1 note in 3 files.
      "
    `);
  });

  /** As the runner reads a line: https://github.com/actions/runner, ActionCommand.TryParseV2. */
  function commandIn(line: string) {
    const [, command = '', list = '', data = ''] = /^\s*::(\S+?)(?: (.*?))?::(.*)$/.exec(line) ?? [];
    const plain = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
    const properties = list.split(',').map((pair) => {
      const at = pair.indexOf('=');
      const value = plain(pair.slice(at + 1))
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',');
      return [pair.slice(0, at), value.replaceAll('%25', '%')] as const;
    });
    return { command, properties: Object.fromEntries(properties), message: plain(data).replaceAll('%25', '%') };
  }

  test('GitHub annotations start with a warning if GitHub will not show them all', () => {
    const many = { ...report, diagnostics: Array.from({ length: 11 }, () => unknownField) };
    expect(renderGithubAnnotations(many).split('\n')[0]).toBe(
      '::notice title=almanac validate::11 errors in 2 files. GitHub shows the first 10 of each kind; the log has all of them.',
    );
  });

  test('any diagnostic is a single command as a GitHub annotation', () => {
    forHostileMarkup((text) => {
      const lines = renderGithubAnnotations(reportWith(text)).split('\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/^::error /);
      const { properties, message } = commandIn(lines[0] ?? '');
      expect(Object.keys(properties).sort()).toEqual(['col', 'endColumn', 'endLine', 'file', 'line', 'title']);
      expect(properties).toMatchObject({ line: '20', title: 'unknown-field: no such field' });
      expect(message).toBe(safeText(`${text}\n\nHint: ${text}`, { keepNewlines: true }));
      expect(lines[1]).not.toMatch(/::|##\[/);
    });
  });
});

test.each([
  ['GitHub', renderGithubAnnotations],
  ['GitLab', renderGitlabCodeQuality],
  ['JUnit', renderJunit],
] as const)('a report for %s says the other places that a finding is about, before what to do', (_, render) => {
  const related = [{ message: 'This value is used here.', file: 'reports/schedules/a.yaml', line: 4, column: 7 }];
  const text = render({ ...report, diagnostics: [{ ...unknownField, related }] });
  expect(text).toMatch(/no effect\..*reports\/schedules\/a\.yaml:4: This value is used here\..*Hint:/s);
});

// The part of the schema of SARIF 2.1.0 (OASIS, errata 01) that a log of ours uses, with its constraints. What it allows and
// we do not write is left out, so that a new property has to be looked up there first.

const object = (properties: object, required: readonly string[] = []) => ({
  ...{ type: 'object', properties, required },
  additionalProperties: false,
});
const list = (items: object, uniqueItems = true) => ({ type: 'array', items, uniqueItems });
const map = (values: object) => ({ type: 'object', additionalProperties: values });
const string = { type: 'string' };
const atLeast = (minimum: number) => ({ type: 'integer', minimum });
const level = { enum: ['none', 'note', 'warning', 'error'] };
const message = object({ text: string }, ['text']);
const texts = object({ text: string, markdown: string }, ['text']);
const artifactLocation = object({ uri: string, uriBaseId: string, description: message });
const [startLine, startColumn, endLine, endColumn] = [atLeast(1), atLeast(1), atLeast(1), atLeast(1)];
const location = object({
  id: atLeast(-1),
  physicalLocation: object({ artifactLocation, region: object({ startLine, startColumn, endLine, endColumn }) }, [
    'artifactLocation',
  ]),
  logicalLocations: list(object({ fullyQualifiedName: string, kind: string })),
  message,
});
const result = object(
  {
    ...{ ruleId: string, ruleIndex: atLeast(-1), level, message },
    locations: list(location, false),
    relatedLocations: list(location),
    partialFingerprints: map(string),
    suppressions: list(object({ kind: { enum: ['inSource', 'external'] }, justification: string }, ['kind'])),
  },
  ['message'],
);
const rule = object(
  { id: string, shortDescription: texts, fullDescription: texts, help: texts, defaultConfiguration: object({ level }) },
  ['id'],
);
const run = object(
  {
    tool: object({ driver: object({ name: string, version: string, rules: list(rule) }, ['name']) }, ['driver']),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    originalUriBaseIds: map(artifactLocation),
    results: list(result, false),
  },
  ['tool'],
);
const sarifSchema = object({ $schema: string, version: { enum: ['2.1.0'] }, runs: list(run, false) }, [
  'version',
  'runs',
]);

describe('SARIF', () => {
  test('SARIF names the other places that a finding is about', () => {
    const related = [{ message: '`name` uses this value [1](x).', file: 'reports/a b.yaml', line: 4, column: 7 }];
    const { runs } = JSON.parse(renderSarif({ ...report, diagnostics: [{ ...unknownField, related }, ofAll] }));
    expect(runs[0].results[0].relatedLocations).toEqual([
      {
        id: 0,
        physicalLocation: {
          artifactLocation: { uri: 'reports/a%20b.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 4, startColumn: 7 },
        },
        message: { text: '`name` uses this value \\[1\\](x).' },
      },
    ]);
    expect(runs[0].results[1]).not.toHaveProperty('relatedLocations');
  });

  const validate = new Ajv({ strict: false, allErrors: true }).compile(sarifSchema);
  const expectValid = (text: string) => {
    const log: unknown = JSON.parse(text);
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
    return log as { runs: [{ results: unknown[]; tool: { driver: { rules: unknown[] } } }] };
  };

  test('SARIF is valid, with a rule for each code and a result for each diagnostic', async () => {
    const text = renderSarif({ ...report, diagnostics: [unknownField, { ...ofAll, accepted: 'Both are meant.' }] });
    expectValid(text);
    await expect(text).toMatchFileSnapshot('golden/diagnostics.sarif');
    expectValid(renderSarif({ ...report, diagnostics: [] }));
  });

  test('SARIF is valid whatever the diagnostics hold', () => {
    forHostileMarkup((text) => {
      const related = [{ message: text, file: text, line: 4, column: 7 }];
      const [diagnostic] = reportWith(text).diagnostics as [ReportedDiagnostic];
      const [{ results }] = expectValid(
        renderSarif({ ...report, diagnostics: [{ ...diagnostic, related, accepted: text }] }),
      ).runs;
      const [{ message, locations }] = results as [
        { message: { text: string }; locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] },
      ];
      expect(message.text).not.toMatch(/(?<!\\)\]\(/);
      // A relative reference, whatever the file is called.
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^[\w.!~*'()%/-]*$/);
    });
  });
});

describe('GitLab code quality', () => {
  test('GitLab code quality has the file, line and fingerprint of each diagnostic', () => {
    const issue = (
      check_name: string,
      severity: string,
      path: string,
      begin: number,
      description: string,
      fingerprint: string,
    ) => ({
      ...{ description, check_name, fingerprint, severity },
      location: { path, lines: { begin } },
    });
    expect(JSON.parse(renderGitlabCodeQuality(report))).toEqual([
      issue(
        'unknown-field',
        'major',
        'reports/schedules/sales.yaml',
        20,
        `${unknownField.message} Hint: ${unknownField.hint}`,
        'f1',
      ),
      issue('cron-never-fires', 'minor', 'reports/schedules/sales, old: 1.yaml', 3, overLines.message, 'f2'),
      issue('stale-moved', 'info', 'reports/almanac.yaml', 1, ofAll.message, 'f3'),
    ]);
  });

  test('GitLab code quality always has a path and a line', () => {
    forHostileMarkup((text) => {
      const [issue] = JSON.parse(renderGitlabCodeQuality(reportWith(text))) as [{ location: unknown }];
      expect(issue.location).toEqual({ path: JSON.parse(JSON.stringify(text)), lines: { begin: 20 } });
    });
  });
});

/** Every element in order, and all text; throws where it is not well-formed XML. */
function readXml(xml: string) {
  const elements: { readonly name: string; readonly attributes: object }[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes }));
  parser.on('text', (part) => {
    text += part;
  });
  parser.write(xml).close();
  return { names: elements.map(({ name }) => name), elements, text };
}

describe('JUnit', () => {
  test('JUnit has a failed test for each error and a passed test for each clean file', () => {
    const xml = renderJunit(report);
    expect(xml).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="almanac validate" tests="4" failures="1" errors="0">
        <testsuite name="almanac validate" tests="4" failures="1" errors="0" skipped="0">
          <testcase classname="reports/schedules/sales.yaml" name="unknown-field /schedules/weekly-sales/subjekt" file="reports/schedules/sales.yaml" line="20">
            <failure message="no such field" type="unknown-field">reports/schedules/sales.yaml:20
      There is no field \`subjekt\` here, so it would have no effect.

      Hint: Did you mean \`subject\`?</failure>
          </testcase>
          <testcase classname="reports/schedules/sales, old: 1.yaml" name="cron-never-fires" file="reports/schedules/sales, old: 1.yaml" line="3">
            <system-out>reports/schedules/sales, old: 1.yaml:3
      100% sure: it is over, and done.</system-out>
          </testcase>
          <testcase classname="reports/almanac.yaml" name="stale-moved" file="reports/almanac.yaml">
            <system-out>reports/almanac.yaml
      It can go.</system-out>
          </testcase>
          <testcase classname="reports/schedules/clean.yaml" name="no findings" file="reports/schedules/clean.yaml"/>
        </testsuite>
      </testsuites>
      "
    `);
  });

  test('JUnit fails for warnings if warnings are errors', () => {
    const { elements, names } = readXml(renderJunit({ ...report, strict: true }));
    expect(elements[0]?.attributes).toMatchObject({ tests: '4', failures: '2' });
    expect(names.filter((name) => name === 'failure')).toHaveLength(2);
  });

  const shape = ['testsuites', 'testsuite', 'testcase', 'failure', 'testcase'];
  test('no line of JUnit is a command for the runner, whatever a file is called', () => {
    const named = { ...unknownField, file: 'a\n::warning::b.yaml', message: '::add-mask::x ##[error]y ##vso[task.x]z' };
    const xml = renderJunit({ ...report, diagnostics: [named] });
    expect(xml).not.toMatch(/^\s*::|##(?:vso)?\[/m);
    expect(readXml(xml).text).toContain('::add-mask::x ##[error]y ##vso[task.x]z');
  });

  test('JUnit is well-formed whatever the diagnostics hold', () => {
    forHostileMarkup((text) => {
      const { names } = readXml(renderJunit(reportWith(text)));
      expect(names).toEqual(text === 'clean.yaml' ? shape.slice(0, 4) : shape);
    }, runs(300));
  });
});

test('the help of each code in reports is the text of docs/diagnostics.md', () => {
  expect(readFileSync(codeHelpFile, 'utf8')).toBe(codeHelpText(readFileSync(diagnosticsPage, 'utf8')));
});
