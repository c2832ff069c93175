// Turns almanac.yaml and the environment into the configuration of this run.

import { notInterpolatedWords } from '../../model/fields/config-fields.ts';
import { pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo, valueAt } from '../../model/values/pointer.ts';
import { referenceTokens } from '../../model/values/references.ts';
import { baseUrlFault, isLoopback, parseUrl } from '../../model/values/urls.ts';
import type { Config } from '../../model/workspace/config.ts';
import {
  type Finding,
  hasErrors,
  type Origin,
  placeOf,
  type SourceFile,
  type WithFindings,
} from '../../model/workspace/diagnostic.ts';
import { mapLeaves } from '../../model/workspace/map-leaves.ts';
import { emulatorState, placeName } from '../../model/workspace/state-place.ts';
import { readSource } from '../../yaml/read-source.ts';
import type { OtherWords } from '../findings/rule.ts';
import { environmentHint } from '../findings/suggest.ts';
import { environmentsOf, makeConfig, normaliseBaseUrl } from '../parse-config.ts';
import { asksForWords } from '../schema-findings.ts';
import { validateConfigValue } from '../validate-config.ts';
import type { Workspace } from '../workspace.ts';

export type Environment = (name: string) => string | undefined;

export interface LoadedConfig {
  /** Undefined if almanac.yaml has errors. */
  readonly config?: Config;
  /** The configuration without its erroneous parts, so that the sources can still be checked. */
  readonly usable: Config;
  readonly file?: SourceFile;
  /** True if the file has a number that is not kept as written. */
  readonly isInexact?: true | undefined;
  readonly findings: readonly Finding[];
  /** Undefined if there is no base URL, or if almanac.yaml has errors. */
  readonly baseUrlFrom?: BaseUrlSource;
}

/** The shared part of almanac.yaml, the chosen environment in it, or the environment variable. */
export type BaseUrlSource = 'file' | 'environment' | 'variable';

/** The environment variable that the vendor's command line uses for the base URL. */
export const baseUrlVariable = 'OMNI_BASE_URL';

/** The environment variable that pins the place of the state, as users name it. */
export const statePlaceVariable = 'ALMANAC_STATE_PLACE';

export async function loadConfig(
  workspace: Pick<Workspace, 'configFile' | 'parse' | 'read'>,
  environment: Environment,
  chosen: string | undefined,
): Promise<LoadedConfig> {
  const { configFile, parse = readSource } = workspace;
  if (configFile === undefined) {
    if (chosen === undefined) return withBaseUrl(makeConfig(null, undefined, undefined), undefined, environment, []);
    return { findings: [unknownEnvironment(chosen, [])], usable: makeConfig(null, undefined, undefined) };
  }
  const read = workspace.read(configFile);
  if ('finding' in read) return { findings: [read.finding], usable: makeConfig(null, undefined, undefined) };
  const file: SourceFile = { path: configFile, text: read.text };
  const { value: documents, findings: syntax } = await parse(file);
  const [document, ...others] = documents;
  const second = others.find((other) => other.value !== null);
  const origin: Origin = document?.origin ?? { file: configFile, document: 0, pointer: '' };
  const value: Json = document?.value ?? null;
  const { value: unescaped, findings: references } = findInterpolation(value, origin);
  // A reference is one mistake, which includes all others that its text causes.
  const unread = new Set(references.map(pointerOf));
  const judge = (words?: OtherWords) => validateConfigValue(value, origin, chosen, words);
  const judged = judge();
  const worded = asksForWords(judged) ? judge((await import('../words/other-words.ts')).otherWords) : judged;
  // In an unknown field, such as one for a token, any text would be wrong, so only the field is reported.
  const unknown = new Set(worded.filter(({ code }) => code === 'unknown-field').map(pointerOf));
  const invalid = worded.filter((finding) => unknown.has(pointerOf(finding)) || !unread.has(pointerOf(finding)));
  const findings = [...syntax, ...invalid, ...references.filter((finding) => !unknown.has(pointerOf(finding)))];
  if (second !== undefined) findings.push(severalDocuments(second.origin));
  if (chosen !== undefined && !environmentsOf(value).includes(chosen))
    findings.push(unknownEnvironment(chosen, environmentsOf(value), origin));
  const { isInexact } = document ?? {};
  if (hasErrors(findings))
    return { file, isInexact, findings, usable: makeConfig(withoutFaults(unescaped, findings), origin, chosen) };
  const path = chosen === undefined ? ['api', 'baseUrl'] : ['environments', chosen, 'api', 'baseUrl'];
  const config = makeConfig(unescaped, origin, chosen);
  const isShared = makeConfig(unescaped, origin, undefined).api.baseUrl === config.api.baseUrl;
  return {
    file,
    isInexact,
    ...withBaseUrl(
      config,
      { origin, path, from: isShared ? 'file' : 'environment', state: stateIn(unescaped, chosen) },
      environment,
      findings,
    ),
  };
}

/**
 * Every reference in a value, and the value with its escapes resolved. almanac.yaml is not interpolated: a ${…} in it
 * would reach the service literally, so it is an error. `$${` is a literal `${`, as in source files.
 */
function findInterpolation(value: Json, origin: Origin): WithFindings<Json> {
  const findings: Finding[] = [];
  const unescaped = mapLeaves(value, (leaf, pointer) => {
    if (typeof leaf !== 'string' || !leaf.includes('${')) return leaf;
    pushAll(findings, notInterpolated(leaf, { ...origin, pointer: origin.pointer + pointer() }));
    return leaf.replaceAll(literal, '${');
  });
  return { value: unescaped as Json, findings };
}

const literal = '$${';

function notInterpolated(text: string, { file, document, pointer }: Origin): readonly Finding[] {
  const references = referenceTokens(text).filter(({ inner }) => inner !== undefined);
  return references.map(({ start, end }) => ({
    code: 'not-interpolated',
    message: notInterpolatedWords,
    hint: 'Write the value itself, or put the reference into a source file. For a literal ${ write $${.',
    place: {
      file,
      document,
      pointer,
      at: 'value',
      within: { start, end },
    },
  }));
}

/** The path of the `state` that takes effect: that of the environment, or else of the shared part. */
function stateIn(value: Json, chosen: string | undefined): readonly string[] {
  const ways = [...(chosen === undefined ? [] : [['environments', chosen, 'state']]), ['state']];
  return ways.find((way) => isJsonObject(valueAt(value, pointerTo(...way)))) ?? [];
}

/** The place of a setting in the file that an environment variable may also set. */
interface InFile {
  readonly origin: Origin;
  readonly path: readonly string[];
  readonly from: BaseUrlSource;
  /** The path of `state`, if the file has it. */
  readonly state: readonly string[];
}

/**
 * Takes the base URL from the file, or else from the environment. Different URLs and unusable URLs are errors, except
 * that an emulator on this machine replaces the service of the file: a token that only emulators accept goes there.
 */
function withBaseUrl(
  config: Config,
  at: InFile | undefined,
  environment: Environment,
  before: readonly Finding[],
): LoadedConfig {
  const findings = [...before];
  const place = at && placeOf(at.origin, 'value', ...at.path);
  const outside = environment(baseUrlVariable)?.trim() || undefined;
  const fromOutside = outside === undefined ? undefined : normaliseBaseUrl(outside);
  const { baseUrl } = config.api;
  const isDifferent = baseUrl !== undefined && fromOutside !== undefined && baseUrl !== fromOutside;
  if (isDifferent && isOfThisMachine(fromOutside) && hasEmulatorToken(config, environment))
    return withEmulator(config, fromOutside, [...findings, ...otherPlace(config, at, environment)]);
  if (isDifferent && isOfThisMachine(fromOutside)) {
    const [variable = ''] = tokenVariables(config);
    const held = tokenIn(config, environment) === '' ? 'is not set' : 'holds none of them';
    findings.push({
      code: 'emulator-token',
      message: `${baseUrlVariable} says ${fromOutside}, which is this machine, in place of ${baseUrl}. An emulator there takes only the tokens of its demo organization, and ${variable} ${held}.`,
      hint: `Set ${variable} to the token that \`${command('emulator')}\` prints: no other token is sent there. To reach ${baseUrl}, unset ${baseUrlVariable}.`,
      place,
    });
  } else if (isDifferent) {
    findings.push({
      code: 'base-url-conflict',
      message: `${at?.origin.file} says ${baseUrl}, and the environment variable ${baseUrlVariable} says ${baseUrlFault(fromOutside) ? 'something else' : fromOutside}. One of the two is the wrong organization.`,
      hint: `Unset ${baseUrlVariable}, or correct the file.`,
      place,
    });
  }
  const chosen = baseUrl ?? fromOutside;
  const wrong = chosen === undefined ? undefined : baseUrlFault(chosen);
  if (wrong !== undefined) {
    findings.push({
      code: 'invalid-base-url',
      message: baseUrl === undefined ? `The environment variable ${baseUrlVariable} ${wrong}` : `The base URL ${wrong}`,
      hint: 'Write the address of your Omni instance, such as https://acme.omniapp.co/api.',
      place: baseUrl === undefined ? undefined : place,
    });
  }
  pushAll(findings, otherPlace(config, at, environment));
  if (hasErrors(findings)) return { findings, usable: config };
  const api = chosen === undefined ? config.api : { ...config.api, baseUrl: chosen };
  const usable = { ...config, api };
  const from = baseUrl === undefined ? 'variable' : at?.from;
  return { config: usable, usable, findings, baseUrlFrom: chosen === undefined ? undefined : from };
}

function isOfThisMachine(baseUrl: string): boolean {
  const url = baseUrlFault(baseUrl) === undefined ? parseUrl(baseUrl) : undefined;
  return url !== undefined && isLoopback(url.hostname);
}

/** The environment variables that may hold the token, the first that is set counts. */
export function tokenVariables({ api: { tokenEnv } }: Pick<Config, 'api'>): readonly string[] {
  return tokenEnv === undefined ? ['OMNI_API_TOKEN', 'OMNI_API_KEY'] : [tokenEnv];
}

/** True if the token is one of the emulator's demo organization, which Omni never gave to anybody. */
function hasEmulatorToken(config: Config, environment: Environment): boolean {
  return /^omni_(?:osk|pat)_demo_[a-z_]+$/.test(tokenIn(config, environment));
}

/** The token of the first variable that is set; empty if none is. */
function tokenIn(config: Config, environment: Environment): string {
  const tokens = tokenVariables(config).map((name) => environment(name)?.trim() ?? '');
  return tokens.find((token) => token !== '') ?? '';
}

/** Answers of the emulator are recorded apart, so that the state of the organization never names its ids. */
function withEmulator(config: Config, emulator: string, findings: readonly Finding[]): LoadedConfig {
  const { environment, api, stateFiles } = config;
  const path = emulatorState(environment);
  const usable: Config = {
    ...config,
    emulates: api.baseUrl,
    api: { ...api, baseUrl: emulator },
    state: { backend: 'local', path },
    stateFiles: [...stateFiles, { environment, path }],
  };
  return hasErrors(findings) ? { findings, usable } : { config: usable, usable, findings, baseUrlFrom: 'variable' };
}

/** Whoever sets the variable decides the place of the state, and not whoever changes the file. */
function otherPlace(config: Config, at: InFile | undefined, environment: Environment): readonly Finding[] {
  const pinned = pinnedPlace(environment);
  const place = placeName(config.state);
  if (pinned === undefined || pinned === place) return [];
  return [
    {
      code: 'state-place-conflict',
      message: `The state is in ${place}, and the environment variable ${statePlaceVariable} says ${pinned}.`,
      hint: `Correct the file, or set ${statePlaceVariable} to ${place}.`,
      place: at && placeOf(at.origin, 'key', ...at.state),
    },
  ];
}

/** The pinned place without credentials, so safe to show: it comes from outside. */
export function pinnedPlace(environment: Environment): string | undefined {
  const pinned = environment(statePlaceVariable)
    ?.trim()
    .replaceAll(/:\/\/[^/\s]*@/g, '://•••@');
  return pinned || undefined;
}

const pointerOf = ({ place }: Finding): Pointer | undefined =>
  place && 'pointer' in place ? place.pointer : undefined;

function withoutFaults(value: Json, findings: readonly Finding[]): Json {
  const faults = new Set(findings.map(pointerOf));
  const faultless = (part: Json, pointer: Pointer): Json | undefined => {
    if (faults.has(pointer)) return undefined;
    if (Array.isArray(part))
      return part.flatMap((entry: Json, index) => faultless(entry, pointer + pointerTo(index)) ?? []);
    if (!isJsonObject(part)) return part;
    const object: Record<string, Json> = {};
    for (const [key, entry] of Object.entries(part)) {
      const faultlessEntry = faultless(entry, pointer + pointerTo(key));
      if (faultlessEntry !== undefined) define(object, key, faultlessEntry);
    }
    return object;
  };
  return faultless(value, '') ?? null;
}

function severalDocuments(origin: Origin): Finding {
  return {
    code: 'several-configurations',
    message: 'The configuration is one document; a second one would be ignored.',
    hint: 'Move everything into one document and remove the line ---.',
    place: placeOf(origin),
  };
}

function unknownEnvironment(name: string, known: readonly string[], origin?: Origin): Finding {
  return {
    code: 'unknown-environment',
    message:
      name === ''
        ? '`--env` names nothing, as where the variable after it is not set.'
        : `No environment \`${name}\` is declared${origin === undefined ? ': there is no almanac.yaml' : ''}.`,
    hint: environmentHint(name, known),
    place: origin && { file: origin.file },
  };
}
