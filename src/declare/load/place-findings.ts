// Turns findings into diagnostics: adds line and column, hides secrets, removes duplicates, and sorts them. The order
// is by file and line. Every printed finding comes from here, whatever the format.

import { type Address, groupOf, itemOf } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { inDoubleQuotes } from '../../model/values/unseen.ts';
import { grouped, nameSome } from '../../model/values/words.ts';
import { type Code, codes, type Severity } from '../../model/workspace/codes.ts';
import {
  byPlace,
  type Diagnostic,
  type Finding,
  type Place,
  type RelatedDiagnostic,
  type RelatedPlace,
  severityOf,
} from '../../model/workspace/diagnostic.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import type { Loop } from '../../model/workspace/resource.ts';
import type { Locator } from '../../yaml/locate.ts';
import { type ShownSources, shownSources } from './shown-sources.ts';

export async function placeFindings(
  findings: readonly Finding[],
  source: FindingSource,
): Promise<readonly Diagnostic[]> {
  const { desired, fileNamed } = source;
  const reported = foldInstances(findings, desired.loops).filter((finding) => severityOf(finding) !== 'off');
  const ordered = reported.sort((a, b) => rank(a) - rank(b) || byCodeUnit(a.place?.file ?? '', b.place?.file ?? ''));
  if (ordered.length === 0) return [];
  const { makeLocator } = await import('../../yaml/locate.ts');
  const locator = makeLocator(fileNamed);
  const { wordsOf } = shownSources(source);
  const distinct = new Map<string, DistinctFinding>();
  for (const [index, finding] of ordered.entries()) {
    if (distinct.size === maxDiagnostics)
      return sorted([...[...distinct.values()].map(withConcerns), tooMany(ordered.slice(index))]);
    const diagnostic = shownDiagnostic(diagnosticOf(finding, locator), wordsOf);
    // An anchor or a default can bring the same mistake into several resources.
    const fault = JSON.stringify([diagnostic.code, spotOf(diagnostic), diagnostic.message, diagnostic.hint]);
    const found = distinct.get(fault) ?? { diagnostic, concerns: [] };
    if (finding.concerns !== undefined) found.concerns.push(finding.concerns);
    distinct.set(fault, found);
  }
  return sorted([...distinct.values()].map(withConcerns));
}

interface DistinctFinding {
  readonly diagnostic: Diagnostic;
  /** The resources of each finding that it combines. */
  readonly concerns: (readonly Address[])[];
}

function withConcerns({ diagnostic, concerns: [first, ...others] }: DistinctFinding): Diagnostic {
  if (first === undefined) return diagnostic;
  // Thousands of findings about the same thousand resources share one list of them.
  return { ...diagnostic, concerns: others.length === 0 ? first : [...new Set([first, ...others].flat())] };
}

/** A longer report is slow to make, and nobody reads it. */
const maxDiagnostics = 10_000;

/** Errors are left out last. A warning that one resource accepts in a default is still reported for another. */
function rank(finding: Finding): number {
  return ['error', 'warning', 'note'].indexOf(severityOf(finding)) + (finding.accepted === undefined ? 0 : 0.5);
}

function sorted(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return withoutConsequences(diagnostics).sort(byPlace);
}

function tooMany(rest: readonly Finding[]): Diagnostic {
  const count = new Set(rest.map(({ code, place, message }) => JSON.stringify([code, place, message]))).size;
  const { severity, summary } = codes['too-many-findings'];
  return {
    severity,
    code: 'too-many-findings',
    summary,
    message: `${grouped(count)} more ${count === 1 ? 'finding was' : 'findings were'} left out.`,
    hint: 'Fix those that are listed, and run again.',
  };
}

/** Codes that explain a wrong value. They silence the findings about the value itself; a warning silences no error. */
const causes: readonly (readonly [cause: Code, silences: (code: Code) => boolean])[] = [
  ['not-a-number', () => true],
  ['unknown-anchor', () => true],
  ['wrong-type', (code) => code === 'inexact-number'],
  ['inexact-number', (code) => code.startsWith('filter-') || code === 'not-a-value'],
  ['not-a-value', (code) => formCodes.has(code)],
];

/** Other faults of a text that is not a value: its form, or the person it names. */
const formCodes: ReadonlySet<Code> = new Set<Code>([
  'identifier-is-url',
  'invalid-email',
  'invalid-slack-id',
  'slack-id-kind',
  'filter-value',
  'rows-of-others',
  'odd-text',
  'for-each-same-name',
  'not-a-template',
]);

function withoutConsequences(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const severitiesAt = new Map<string, Map<Code, Severity>>();
  for (const diagnostic of diagnostics) {
    const spot = spotOf(diagnostic);
    severitiesAt.set(spot, (severitiesAt.get(spot) ?? new Map()).set(diagnostic.code, diagnostic.severity));
  }
  return diagnostics.filter(({ code, severity, ...diagnostic }) => {
    const here = severitiesAt.get(spotOf(diagnostic));
    return !causes.some(([cause, silences]) => {
      const because = code === cause ? undefined : here?.get(cause);
      return because !== undefined && (because === 'error' || severity !== 'error') && silences(code);
    });
  });
}

function spotOf({ file, line, column, endLine, endColumn, path }: Partial<RelatedDiagnostic>): string {
  return JSON.stringify(line === undefined ? [file, path] : [file, line, column, endLine, endColumn]);
}

function diagnosticOf(finding: Finding, locator: Locator): Diagnostic {
  const { place } = finding;
  const hint = finding.quote && place ? quoteHint(locator.sourceAt(place), finding.hint) : finding.hint;
  const severity = severityOf(finding) as Severity;
  const { path, ...at } = placed(place, locator);
  return {
    severity,
    code: finding.code,
    summary: codes[finding.code].summary,
    message: finding.message,
    ...at,
    address: finding.address,
    path,
    hint,
    related: finding.related?.map((each) => relatedOf(each, locator)),
    seen: finding.seen,
    accepted: severity === 'warning' ? finding.accepted : undefined,
  };
}

/** Texts that are hidden in its lines are hidden in all of its words. */
function shownDiagnostic(diagnostic: Diagnostic, wordsOf: ShownSources['wordsOf']): Diagnostic {
  const { file, message, hint, path, related, accepted } = diagnostic;
  const files = [...new Set([file, ...(related ?? []).map((each) => each.file)])].filter((each) => each !== undefined);
  const shown = (words: string) => wordsOf(words, files);
  const shownPath = (pointer: string) => pointerTo(...pointerSegments(pointer).map(shown));
  return {
    ...diagnostic,
    message: shown(message),
    hint: hint && shown(hint),
    path: path && shownPath(path),
    accepted: accepted && shown(accepted),
    related: related?.map((each) => ({
      ...each,
      message: shown(each.message),
      path: each.path && shownPath(each.path),
    })),
  };
}

function relatedOf({ place, message }: RelatedPlace, locator: Locator): RelatedDiagnostic {
  return { message, ...placed(place, locator), file: place.file };
}

/** The beginning and end of a place, without its other facts. */
function placed(place: Place | undefined, locator: Locator): Partial<RelatedDiagnostic> {
  if (place === undefined) return {};
  const path = 'pointer' in place ? place.pointer : undefined;
  const position = 'line' in place ? oneCharacter(place) : locator.locate(place);
  if (position === undefined) return { file: place.file, path };
  const { line, column, endLine, endColumn } = position;
  return { file: place.file, line, column, endLine, endColumn, path };
}

function oneCharacter({ line, column }: { readonly line: number; readonly column: number }) {
  return { line, column, endLine: line, endColumn: column + 1 };
}

/** `empty` is the advice about a missing value. */
function quoteHint(source: string | undefined, empty: string | undefined): string {
  if (source?.startsWith('#'))
    return `\`#\` begins a comment. To make it the value, quote it: ${inDoubleQuotes(source)}.`;
  if (empty !== undefined && /^(?:~|null)?$/i.test(source ?? '')) return empty;
  if (source?.includes('${'))
    return empty === undefined ? 'Quote it where the variable is set.' : 'Give the variable a value where it is set.';
  return source === undefined ? 'Quote it.' : `Quote it: ${inDoubleQuotes(source)}.`;
}

/**
 * Folds a mistake of a loop's declaration, however many instances it has, into one finding with their number. The same
 * findings if there is no loop.
 */
function foldInstances(findings: readonly Finding[], loops: readonly Loop[] = []): readonly Finding[] {
  if (loops.length === 0) return findings;
  const byAddress = new Map(loops.map((loop) => [loop.address, loop]));
  const isOfInstance = ({ address = '' }: Finding) => byAddress.has(groupOf(address)) && itemOf(address) !== undefined;
  const groups = groupBy(findings, (finding) => (isOfInstance(finding) ? faultOf(finding) : finding));
  return [...groups.values()].flatMap((group) => foldedGroup(group, byAddress.get(groupOf(group[0].address ?? ''))));
}

/** Everything but the instance. A value that an audience lacks is one fault, however many items name the audience. */
function faultOf({ address = '', concerns: _, ...rest }: Finding): string {
  if (rest.isPart) return JSON.stringify([groupOf(address), rest.code, rest.related]);
  if (rest.ofLoop !== undefined) return JSON.stringify([groupOf(address), rest.code, rest.place, rest.ofLoop.message]);
  if (isOfColumn(rest)) return JSON.stringify([groupOf(address), rest.code, rest.message]);
  if (isOfAudience(rest)) return JSON.stringify([groupOf(address), rest.code, rest.message, rest.hint]);
  return JSON.stringify([groupOf(address), rest]);
}

function foldedGroup(group: readonly [Finding, ...Finding[]], loop: Loop | undefined): readonly Finding[] {
  const [first] = group;
  const keys = [...new Set(group.map(({ address = '' }) => itemOf(address) ?? ''))];
  const count = loop?.keys.length;
  if (first.isPart) return loop !== undefined && count !== 1 && keys.length === count ? [inText(first, loop)] : group;
  const found = isOfColumn(first) ? { ...first, related: elsewhere(group) } : first;
  if (loop === undefined || keys.length < 2) return [found];
  if (isInItem(first, loop) && !isOfAudience(first) && first.ofLoop === undefined) return [first];
  const words = keys.length === count ? allWords(count) : `${keys.length} of ${count} instances: ${nameSome(keys)}.`;
  const said = first.ofLoop === undefined ? found : { ...first, related: undefined, ...first.ofLoop };
  return [{ ...said, address: loop.address, message: `${said.message} This affects ${words}` }];
}

function allWords(count: number): string {
  return count === 2 ? 'both instances.' : `all ${count} instances.`;
}

/** A text that is wrong whatever the item: the mistake is in the declaration's text around the value. */
function inText({ related, isPart: _, ...finding }: Finding, { address, keys }: Loop): Finding {
  const [{ place } = {}] = related ?? [];
  const item = `The value comes from the item \`${itemOf(finding.address ?? '')}\`.`;
  const message = `${finding.message} ${item} This affects ${allWords(keys.length)}`;
  return { ...finding, ...(place && { place }), address, message };
}

/** A value that several items share, such as a variable: the place says enough. */
function isInItem({ related = [] }: Finding, { origin }: Loop): boolean {
  return related.some(({ place }) => 'pointer' in place && place.pointer.startsWith(origin.pointer));
}

/** True for a column that the table lacks, or a value that no item has. A value that one item lacks is in the item. */
function isOfColumn({ code, place, related }: Pick<Finding, 'code' | 'place' | 'related'>): boolean {
  return code === 'for-each-missing' && related === undefined && place !== undefined;
}

function elsewhere(group: readonly Finding[]): readonly RelatedPlace[] | undefined {
  const places = [...new Map(group.map(({ place }) => [JSON.stringify(place), place])).values()].slice(1);
  const related = places.flatMap((place) =>
    place === undefined ? [] : { place, message: 'The value is used here as well.' },
  );
  return related.length === 0 ? undefined : related;
}

function isOfAudience({ code }: Pick<Finding, 'code'>): boolean {
  return code === 'audience-incomplete';
}
