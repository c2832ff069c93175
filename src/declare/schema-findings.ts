// Turns the errors of the compiled schemas into findings: a code, a message and a hint, at most one finding per fault.

import { configFields } from '../model/fields/config-fields.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import { resourceKey } from '../model/fields/patterns.ts';
import { sections } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { withCommands } from '../model/values/command.ts';
import type { Json } from '../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../model/values/pointer.ts';
import { codeList, kebabOf, missingWords, quote } from '../model/values/words.ts';
import { type Code, isCode } from '../model/workspace/codes.ts';
import { accepts, type SchemaName } from './accepts.js';
import { errorsOf, notesOf } from './compiled.js';
import {
  fieldName,
  type Meaning,
  type OtherWords,
  type ReferredAt,
  type RuleFinding,
  type SchemaError,
  type SchemaNote,
} from './findings/rule.ts';
import { bareReferenceHint, didYouMean, nearest } from './findings/suggest.ts';
import { boundWords, cellHint, wrongType } from './unfit-values.ts';

type Notes = Readonly<Record<string, SchemaNote>>;

interface Around {
  readonly words?: OtherWords | undefined;
  readonly referredAt?: ReferredAt;
  /** True for a value that no hint may repeat. */
  readonly isSecret?: (pointer: Pointer) => boolean;
}

/** True if the table of the words of other tools may have more to say about one of these findings. */
export function asksForWords(findings: readonly { readonly code: Code }[]): boolean {
  return findings.some(({ code }) => codesOfWords.has(code));
}

const codesOfWords: ReadonlySet<Code> = new Set([
  'unknown-field',
  'unknown-value',
  'wrong-type',
  'field-not-for-destination',
  'invalid-cron',
]);

/** The findings for a value by the schema of that name; empty if it is valid. */
export function schemaFindings(
  value: Json,
  name: SchemaName,
  { words, referredAt = () => undefined, isSecret = () => false }: Around = {},
): readonly RuleFinding[] {
  if (accepts[name](value)) return [];
  const notes = notesOf(name);
  const errors = errorsOf(name, value);
  const shown = (pointer: Pointer) => (isSecret(pointer) ? undefined : valueAt(value, pointer));
  const meantNames = meantFields(errors, notes, { words, shown });
  const foundFaults = new Set<string>();
  const findings = errors.flatMap((error) => {
    if (error.keyword === 'if' || error.keyword === 'anyOf' || error.keyword === 'not') return [];
    if (isMisspelt(error, meantNames.get(error.instancePath), notes)) return [];
    const finding = findingOf(error, value, notes, meantNames);
    const hint =
      cellHint(error, finding.pointer, valueAt(value, finding.pointer), referredAt) ??
      referenceHint(finding, value) ??
      (words && wordHint(error, finding.pointer, words, shown));
    const fault = `${finding.pointer} ${missingOf(error)}`;
    if (foundFaults.has(fault)) return [];
    foundFaults.add(fault);
    return [hint === undefined ? finding : { ...finding, hint }];
  });
  return withMissingTogether(findings);
}

/** The missing fields of a map are one finding, in the first one's place: each would show the same source lines. */
function withMissingTogether(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const placeOfMissing = ({ code, pointer }: RuleFinding, index: number) =>
    code === 'required-field' ? pointer : `${index} apart`;
  const entries = findings.map((finding, index) => ({ finding, place: placeOfMissing(finding, index) }));
  return [...groupBy(entries, ({ place }) => place).values()].flatMap((group) => {
    const all = group.map(({ finding }) => finding);
    const [first, ...others] = all;
    if (first === undefined || others.length === 0) return all;
    const byReason = groupBy(all, ({ message }) => message.slice(missingIn(message)?.length ?? 0));
    const messages = [...byReason].map(([reason, lacking]) => {
      const names = lacking.flatMap(({ message }) => /^`(.*)`/.exec(missingIn(message) ?? '')?.[1] ?? []);
      return names.length < 2
        ? (lacking[0]?.message ?? '')
        : `${codeList(names, 'and')} are missing${reason.replace(/requires it\.$/, 'requires them.')}`;
    });
    const hints = all.map(({ hint = '' }) => /^Add `([^`]*)`\.$/.exec(hint)?.[1]);
    const hint = hints.includes(undefined)
      ? [...new Set(all.flatMap((each) => each.hint ?? []))].join(' ')
      : `Add ${codeList(hints as readonly string[], 'and')}.`;
    return [{ ...first, message: messages.join(' '), hint }];
  });
}

/** The beginning of a message about one missing field, before its reason. */
function missingIn(message: string): string | undefined {
  return /^`[^`]+` is missing/.exec(message)?.[0];
}

/** A reference in another tool's form is a text of the wrong kind here. */
function referenceHint({ pointer, at }: RuleFinding, root: Json): string | undefined {
  const value = at === 'key' ? undefined : valueAt(root, pointer);
  return typeof value === 'string' ? bareReferenceHint(value) : undefined;
}

type Shown = (pointer: Pointer) => Json | undefined;

/** The advice of the table of words about a value that a field of ours cannot have. */
function wordHint({ keyword, params }: SchemaError, pointer: Pointer, words: OtherWords, shown: Shown) {
  if (!['enum', 'type', 'false schema'].includes(keyword)) return undefined;
  const value = shown(pointer);
  const name = pointerSegments(pointer).findLast((segment) => !/^\d+$/.test(segment)) ?? '';
  const allowed = [params['allowedValues'] ?? []].flat().map(String);
  return value === undefined ? undefined : words.valueHint(name, value, allowed);
}

/** The meaning that an unknown name most likely has, keyed by the place of its object and the name. */
type MeantFields = ReadonlyMap<Pointer, ReadonlyMap<string, Meaning>>;

function meantFields(
  errors: readonly SchemaError[],
  notes: Notes,
  { words, shown }: { readonly words: OtherWords | undefined; readonly shown: Shown },
): MeantFields {
  const meantNames = new Map<Pointer, Map<string, Meaning>>();
  const missingAt = groupBy(errors.filter(missingOf), ({ instancePath }) => instancePath);
  for (const error of errors.filter(({ keyword }) => keyword === 'additionalProperties')) {
    const { instancePath, params } = error;
    const name = String(params['additionalProperty']);
    const missing = (missingAt.get(instancePath) ?? []).flatMap((other) => missingOf(other) ?? []);
    const fits = (field: string) => isForDestination(field, shown(`${instancePath}/destinationType`));
    const names = noteOf(error, notes)?.names ?? [];
    const byWords = words?.meaningOf(name, shown(instancePath + pointerTo(name)), names);
    const field = byWords === undefined ? nearestOf(name, missing, names.filter(fits)) : byWords.field;
    const meaning = byWords?.hint === undefined ? field && meaningOfField(field, fits(field)) : byWords;
    if (meaning) meantNames.set(instancePath, (meantNames.get(instancePath) ?? new Map()).set(name, meaning));
  }
  return meantNames;
}

/** The name among these that is near by its letters; preferably one that is missing. */
function nearestOf(name: string, missing: readonly string[], names: readonly string[]): string | undefined {
  return nearest(name, missing) ?? nearest(name, names);
}

function isForDestination(field: string, destination: Json | undefined): boolean {
  const { destinations } = Object.hasOwn(fieldsOf.schedule, field) ? (fieldsOf.schedule[field] ?? {}) : {};
  const all: readonly Json[] = destinations ?? [];
  return all.length === 0 || typeof destination !== 'string' || all.includes(destination);
}

function meaningOfField(field: string, fits: boolean): Meaning {
  const places = fieldsOf.schedule[field]?.destinations ?? [];
  return fits
    ? { field, hint: undefined }
    : { field: undefined, hint: `\`${field}\` has this meaning, and only ${codeList(places, 'and')} has it.` };
}

/** A field that is missing only because its name is misspelled is the same fault; so is one of alternatives. */
function isMisspelt(error: SchemaError, meantNames: ReadonlyMap<string, Meaning> | undefined, notes: Notes): boolean {
  const missing = missingOf(error);
  if (meantNames === undefined || missing === undefined) return false;
  const fields = [...meantNames.values()].flatMap(({ field }) => field ?? []);
  return (
    fields.includes(missing) ||
    (fields.length > 0 && (noteOf(error, notes)?.code ?? 'required-field') !== 'required-field')
  );
}

const missingOf = ({ keyword, params }: SchemaError) =>
  keyword === 'required' ? String(params['missingProperty']) : undefined;

interface SchemaFault {
  readonly error: SchemaError;
  readonly pointer: Pointer;
  readonly value: Json | undefined;
  /** The message that the schema has next to the failed keyword. */
  readonly note: SchemaNote | undefined;
}

function findingOf(error: SchemaError, root: Json, notes: Notes, meantNames: MeantFields): RuleFinding {
  const pointer = error.instancePath;
  const note = noteOf(error, notes);
  const message = note?.message && withCommands(note.message);
  const fault: SchemaFault = { error, pointer, value: valueAt(root, pointer), note: note && { ...note, message } };
  switch (error.keyword) {
    case 'additionalProperties':
      return fault.note?.code === 'invalid-key' ? invalidKey(fault) : unknownField(fault, meantNames);
    case 'required':
      return missingField(fault);
    case 'false schema': {
      const { message: said = '', hint = 'Remove it.' } = fault.note ?? {};
      return { code: codeOf(fault, 'unknown-field'), message: said, hint, pointer, at: 'key' };
    }
    case 'enum':
      return unknownValue(fault);
    case 'type':
      return withNote(wrongType(error, pointer, fault.value), fault);
    default:
      return unfitValue(fault);
  }
}

/** Names the fields of a value that should be a map, or the form of a text: quotes alone make no address of `false`. */
function withNote(finding: RuleFinding, { pointer, value, note }: SchemaFault): RuleFinding {
  const { names = [], message } = note ?? {};
  const { hint = '' } = finding;
  if (/^Write it(?:s entries| as `\{)/.test(hint) && pointer !== '' && names.length > 0 && names.length <= 12)
    return { ...finding, hint: `${hint} Its fields are ${codeList(names)}.` };
  if (typeof value !== 'boolean' || message === undefined || finding.quote !== true) return finding;
  const { quote: _, ...unquoted } = finding;
  return { ...unquoted, hint: `Write ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
}

function codeOf({ note }: SchemaFault, fallback: Code): Code {
  return note?.code !== undefined && isCode(note.code) ? note.code : fallback;
}

function invalidKey({ error, pointer, note }: SchemaFault): RuleFinding {
  const name = String(error.params['additionalProperty']);
  return {
    code: 'invalid-key',
    message: note?.message ?? '',
    hint: suggestedKey(name),
    pointer: pointer + pointerTo(name),
    at: 'key',
  };
}

function unknownField({ error, pointer, note }: SchemaFault, meantNames: MeantFields): RuleFinding {
  const name = String(error.params['additionalProperty']);
  const meaning = meantNames.get(pointer)?.get(name);
  return {
    code: 'unknown-field',
    message: `There is no field \`${name}\` ${pointer === '' ? 'here' : `in \`${fieldName(pointer)}\``}, so it would have no effect.`,
    hint:
      meaning?.hint ?? (meaning === undefined ? otherFields(name, note?.names) : `Did you mean \`${meaning.field}\`?`),
    pointer: pointer + pointerTo(name),
    at: 'key',
  };
}

function missingField(fault: SchemaFault): RuleFinding {
  const { error, pointer, note } = fault;
  const name = String(error.params['missingProperty']);
  const { message = missingWords(name), hint = `Add \`${name}\`.` } = note ?? {};
  return { code: codeOf(fault, 'required-field'), message, hint, pointer, at: 'key' };
}

function unknownValue({ error, pointer, value }: SchemaFault): RuleFinding {
  const allowed = (error.params['allowedValues'] as readonly Json[]).map(String);
  const [only] = allowed.length === 1 ? allowed : [];
  return {
    code: 'unknown-value',
    message: `\`${fieldName(pointer)}\` can ${only === undefined ? '' : 'only '}be ${codeList(allowed, 'or')}.`,
    hint:
      (typeof value === 'string' ? didYouMean(value, allowed) : undefined) ??
      (only === undefined ? 'Choose one of these.' : `Write \`${only}\`.`),
    pointer,
  };
}

const emptySaysNothing: ReadonlySet<string> = new Set(['identifier-is-url', 'invalid-host']);

/** A value of the right type that a rule, a pattern or a bound excludes. */
function unfitValue(fault: SchemaFault): RuleFinding {
  const { error, pointer, value, note } = fault;
  // An empty identifier is not a URL, and an empty address has no port.
  const isEmpty = error.keyword === 'minLength' && emptySaysNothing.has(note?.code ?? '');
  const code = isEmpty ? 'wrong-type' : codeOf(fault, 'wrong-type');
  const { message: words, hint } = note ?? {};
  if (words !== undefined && hint !== undefined) return { code, message: words, hint, pointer };
  if (words === undefined || error.keyword !== 'pattern') return { code, ...boundWords(error, pointer), pointer };
  // A user name before a host may be followed by a password.
  const shown = String(value).includes('@') ? 'The value' : quote(String(value));
  const field = `\`${fieldName(pointer)}\``;
  return {
    code,
    message: value === '' ? `${field} is empty.` : `${shown} is not valid for ${field}.`,
    hint: `Write ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
    pointer,
  };
}

/** A valid key of the same words. */
function suggestedKey(name: string): string {
  const suggested = kebabOf(name);
  return new RegExp(resourceKey).test(suggested) ? `Write \`${suggested}\`, for example.` : 'Start it with a letter.';
}

/** Begins the hint for an unknown field that resembles none of the allowed ones. */
const fieldsHere = 'The fields here are';

export const isLikeNone = ({ code, hint }: RuleFinding): boolean =>
  code === 'unknown-field' && hint?.startsWith(fieldsHere) === true;

function otherFields(name: string, names: readonly string[] | undefined): string {
  const elsewhere = names && homeOf(name, names);
  if (elsewhere !== undefined) return elsewhere;
  return names === undefined || names.length > 12
    ? 'Remove it, or look up its name in the documentation (fields).'
    : `${fieldsHere} ${codeList(names)}.`;
}

/** The parts of almanac.yaml whose fields people write beside the part instead of inside it. */
const parts = ['api', 'state', 'safety'] as const;

const fieldsOfPart = (part: (typeof parts)[number]) => {
  const { shape } = configFields[part];
  return shape.type === 'object' ? (shape.fields ?? {}) : {};
};

/** A hint about where a known field belongs, told by the fields beside it; undefined if unclear. */
function homeOf(written: string, names: readonly string[]): string | undefined {
  const name = written.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
  const ofSchedules = Object.hasOwn(fieldsOf.schedule, name);
  // In the defaults of each section, a schedule's field belongs below it, even if another object has a field of that
  // name.
  if (names.includes('schedules') && ofSchedules) return 'Write it below `schedules`.';
  if (names.includes('audiences')) return Object.hasOwn(configFields, name) ? 'Write it in almanac.yaml.' : undefined;
  const isShared = names.includes('environments');
  const isOfEnvironment = names.includes('deliver');
  if (isShared && name === 'deliver')
    return 'Write it in an environment, as in `environments: { staging: { deliver: … } }`.';
  if (isOfEnvironment && Object.hasOwn(configFields, name))
    return 'It is the same in every environment: write it at the top of almanac.yaml.';
  if (isShared && [...sections, 'audiences', 'moved', 'adopt', 'removed'].includes(name))
    return 'Write it in a source file, such as schedules/reports.yaml.';
  const homes: string[] = parts.filter((part) => Object.hasOwn(fieldsOfPart(part), name));
  if (ofSchedules) homes.push('defaults');
  if (homes.length !== 1 || !(isShared || isOfEnvironment || names.includes('internalDomains'))) return undefined;
  const [home] = homes;
  return home === 'defaults'
    ? `It is a field of a declaration. For all schedules, write \`defaults: { schedules: { ${name}: … } }\`.`
    : `Write it below \`${home}\`, as in \`${home}: { ${name}: … }\`.`;
}

/** The schema's note about the keyword. `false` has none, so it takes that of the schema around its properties. */
function noteOf({ schemaPath, keyword }: SchemaError, notes: Notes): SchemaNote | undefined {
  const above = keyword === 'false schema' ? 3 : 1;
  // The names of patterns are percent-encoded in the path of an error.
  return notes[decodeURIComponent(schemaPath).split('/').slice(0, -above).join('/')];
}
