// Compares what `almanac validate` and an editor say of one text, line by line.

import type { Code } from '../../src/model/workspace/codes.ts';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { diagnosticsOf } from './apply/loading.ts';
import type { openEditor, Shown } from './editor.ts';

/** Errors that the program alone can know: why, and where not every error of the code is meant, which ones. */
interface OnlyProgram {
  readonly why: string;
  readonly codes: readonly Code[];
  readonly where?: (text: string, { line, message }: Diagnostic) => boolean;
}

const hasDefaults = (text: string) => /^defaults:/m.test(text);

export const onlyProgram: readonly OnlyProgram[] = [
  { why: 'a table of names is asked: zones of the world', codes: ['invalid-timezone'] },
  {
    why: 'the rule is a parser: hosts, the ends of names, the length of parts, ranges of years',
    codes: [
      'invalid-url',
      'invalid-email',
      'invalid-host',
      'invalid-cron',
      'invalid-filename',
      'invalid-key-prefix',
      'invalid-slack-id',
    ],
  },
  { why: 'two texts are compared in any case', codes: ['owner-conflict'] },
  {
    why: 'other files and the environment are read',
    codes: ['unknown-variable', 'missing-variable', 'reference-outside', 'unknown-audience', 'each-outside'],
  },
  {
    why: 'it is known once references, tables and audiences are resolved',
    codes: ['for-each-missing', 'audience-incomplete', 'duplicate-address', 'secret-in-plain-text', 'secret-not-here'],
  },
  {
    why: 'null takes away what a default of another file may give',
    codes: ['filter-shape'],
    where: (text, { line = 0 }) => /: null$/.test(text.split('\n')[line - 1] ?? ''),
  },
  {
    why: 'a rule combines several fields and the file has defaults: more branches there, and hovering fails in long files',
    codes: ['condition-incomplete', 'query-required', 'test-not-supported', 'fit-page-expands', 'one-slack-channel'],
    where: hasDefaults,
  },
  { why: 'as above', codes: ['progress-needs-webhook', 'nothing-to-update', 'required-field'], where: hasDefaults },
];

export interface Verdicts {
  /** Errors of validate where the editor shows nothing, and should. */
  readonly silent: readonly string[];
  /** Problems of the editor where validate has no error. */
  readonly alarms: readonly string[];
  readonly shown: readonly Shown[];
  readonly found: readonly Diagnostic[];
}

const full = 'api: { operations: full }\n';

export async function verdicts(
  editor: ReturnType<typeof openEditor>,
  text: string,
  file = 'schedules/a.yaml',
): Promise<Verdicts> {
  const files = { 'schedules/a.yaml': '', 'almanac.yaml': full, [file]: text };
  const found = (await diagnosticsOf(files)).filter(({ severity }) => severity === 'error');
  const shown = await editor.diagnose(text);
  const [marked, wrong] = [new Set(shown.map(({ line }) => line + 1)), new Set(found.map(({ line }) => line))];
  const isKnownToProgram = (error: Diagnostic) =>
    onlyProgram.some(({ codes, where }) => codes.includes(error.code) && where?.(text, error) !== false);
  return {
    silent: found
      .filter((error) => !(error.line !== undefined && marked.has(error.line)) && !isKnownToProgram(error))
      .map(({ code, line, column, message }) => `${line}:${column} ${code} ${message}`),
    alarms: shown
      .filter((problem) => !wrong.has(problem.line + 1) && !isExplained(problem, text, found))
      .map(({ line, column, message }) => `${line + 1}:${column + 1} ${message}`),
    shown,
    found,
  };
}

/** What validate leaves out: what is missing only because its name is misspelled, and a default that no resource takes. */
function isExplained({ line, message }: Shown, text: string, found: readonly Diagnostic[]): boolean {
  const isAboutOthers = /missing|works only for a single tile|needs webhookUrl|Nothing is declared/.test(message);
  if (isAboutOthers && found.some(({ code }) => code === 'unknown-field')) return true;
  const head = text.split('\n').slice(0, line + 1);
  return head.findLast((each) => /^\S/.test(each)) === 'defaults:';
}
