// The findings for almanac.yaml: first its schema, then what the schema cannot tell.

import { configFields, refused, skipped, stateFields } from '../model/fields/config-fields.ts';
import type { Field } from '../model/fields/field.ts';
import { type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import { isWithin, type Pointer, parentOf, pointerTo } from '../model/values/pointer.ts';
import { canOnlyBeOff, checkableCodes, codes, isCheckable, isCode } from '../model/workspace/codes.ts';
import type { Finding, Origin } from '../model/workspace/diagnostic.ts';
import {
  branchFault,
  endpointFault,
  leastLease,
  mergedState,
  type PlaceFault,
  placeName,
  remoteFault,
  statePlace,
} from '../model/workspace/state-place.ts';
import { notes, validateConfig } from './compiled.js';
import { placed, type RuleFinding } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
import { checkEmail } from './formats/check-email.ts';
import { checkUrl } from './formats/check-url.ts';
import { normaliseBaseUrl } from './parse-config.ts';
import { secretPartsOf } from './rules.ts';
import { schemaFindings } from './schema-findings.ts';

/** `chosen`: the environment of this run. */
export function validateConfigValue(value: Json, origin: Origin, chosen: string | undefined): readonly Finding[] {
  const bySchema = schemaFindings(value, validateConfig, notes.config);
  const byRules = [...checksNameWarnings(value), ...checkStatePlaces(value, chosen), ...checkSinks(value)];
  // The rules cannot know what an unknown name stands for, so they skip the object that holds it.
  const unknown = bySchema.filter(({ code }) => code === 'unknown-field').map(({ pointer }) => parentOf(pointer));
  const isUnsure = ({ pointer }: RuleFinding) => unknown.some((holder) => holder !== '' && isWithin(pointer, holder));
  return placed([...bySchema, ...byRules.filter((finding) => !isUnsure(finding))], origin);
}

/**
 * `checks` in almanac.yaml names warnings, an error that may be lowered, or a note that may be off. A code that does not exist
 * would silently have no effect, and another error or note has no other severity. `value`: the whole of almanac.yaml.
 */
function checksNameWarnings(value: Json): readonly RuleFinding[] {
  return Object.entries(mapAt(value, 'checks')).flatMap(([name, severity]): readonly RuleFinding[] => {
    const words = checkFault(name, severity);
    return words === undefined
      ? []
      : [{ code: 'unknown-check', ...words, pointer: pointerTo('checks', name), at: 'key' }];
  });
}

function checkFault(name: string, severity: Json): Pick<RuleFinding, 'message' | 'hint'> | undefined {
  if (!isCode(name)) return wordsAboutUnknown(name);
  if (!isCheckable(name)) return wordsAboutFixed(codes[name].severity, name);
  if (!canOnlyBeOff(name) || severity === 'off') return undefined;
  return { message: `\`${name}\` is a note, which a check can only turn off.`, hint: `Write \`${name}: off\`.` };
}

function wordsAboutFixed(severity: 'error' | 'warning' | 'note', name: string): Pick<RuleFinding, 'message' | 'hint'> {
  const what =
    severity === 'error'
      ? 'is an error, which stops plan and apply. No check can change that.'
      : 'is a note, which never fails. No check can change that.';
  return {
    message: `\`${name}\` ${what}`,
    hint: 'Remove it. Only the severity of a warning, and of `filter-shape`, can be set.',
  };
}

function wordsAboutUnknown(name: string): Pick<RuleFinding, 'message' | 'hint'> {
  return {
    message: `There is no warning \`${name}\`, so it would have no effect.`,
    hint: didYouMean(name, checkableCodes) ?? 'Write the code of a warning, which is in brackets behind `warning`.',
  };
}

// The sinks in almanac.yaml: what its schema cannot tell. They receive everything of an environment, so they are held to
// the rules of recipients.

/** `value`: the whole of almanac.yaml. */
function checkSinks(value: Json): readonly RuleFinding[] {
  const environments = mapAt(value, 'environments');
  return Object.keys(environments).flatMap((name) => {
    const { email, webhook } = mapAt(environments, name, 'deliver');
    const pointer = pointerTo('environments', name, 'deliver');
    return [...emailFaults(email, `${pointer}/email`), ...webhookFaults(webhook, `${pointer}/webhook`)];
  });
}

function emailFaults(email: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof email === 'string' && email !== refused && email !== skipped)
    return checkEmail(email).map((fault) => ({ ...fault, pointer }));
  if (!Array.isArray(email)) return [];
  return email.flatMap((address: Json, index) =>
    typeof address === 'string'
      ? checkEmail(address).map((fault) => ({ ...fault, pointer: pointer + pointerTo(index) }))
      : [],
  );
}

function webhookFaults(url: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof url !== 'string' || url === refused || url === skipped) return [];
  return [
    ...checkUrl(url).map((fault) => ({ ...fault, pointer })),
    ...secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `webhook contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Use an address that may be public.',
      pointer,
      at: 'key' as const,
    })),
  ];
}

// The places of the states in almanac.yaml: what its schema cannot tell, for the shared part and for every environment.

const faults: Readonly<Record<string, (value: string) => PlaceFault | undefined>> = {
  remote: remoteFault,
  branch: branchFault,
  endpoint: endpointFault,
};

const fields: Readonly<Record<string, Field>> = stateFields;
const { shape: api } = configFields.api;
const defaultTimeout = api.type === 'object' ? Number(api.fields?.['timeout']?.default) : Number.NaN;

/** What one run of Almanac works on: the file without an environment, or with one. */
interface Target {
  /** Undefined for the file without an environment. */
  readonly name: string | undefined;
  /** Where its own settings are. */
  readonly pointer: Pointer;
  readonly own: JsonObject;
  readonly settings: JsonObject;
  readonly timeout: number;
  readonly baseUrl: string | undefined;
}

/** `chosen`: the environment of this run. */
function checkStatePlaces(value: Json, chosen: string | undefined): readonly RuleFinding[] {
  const config = mapAt(value);
  const base = targetOf(config, undefined);
  const environments = Object.keys(mapAt(config, 'environments')).map((name) => targetOf(config, name));
  const all = [base, ...environments];
  return once([
    ...all.flatMap(ownFaults),
    ...environments.flatMap(strayFields),
    ...(chosen === undefined ? all : environments).flatMap(missingBucket),
    ...all.flatMap((target) => shortLease(target, base)),
    ...samePlaces(all),
  ]);
}

function targetOf(config: JsonObject, name: string | undefined): Target {
  const over = name === undefined ? {} : mapAt(config, 'environments', name);
  const { timeout, baseUrl } = { ...mapAt(config, 'api'), ...mapAt(over, 'api') };
  return {
    name,
    pointer: name === undefined ? pointerTo('state') : pointerTo('environments', name, 'state'),
    own: mapAt(name === undefined ? config : over, 'state'),
    settings: mergedState(config['state'], over['state']),
    timeout: typeof timeout === 'number' ? timeout : defaultTimeout,
    baseUrl: typeof baseUrl === 'string' ? normaliseBaseUrl(baseUrl) : undefined,
  };
}

function ownFaults({ own, pointer }: Target): readonly RuleFinding[] {
  return Object.entries(faults).flatMap(([name, faultOf]): RuleFinding[] => {
    const value = own[name];
    const fault = typeof value === 'string' && value !== '' ? faultOf(value) : undefined;
    if (fault === undefined) return [];
    const message = `\`state.${name}\` ${fault.message}`;
    return [{ code: 'invalid-state-place', message, hint: fault.hint, pointer: pointer + pointerTo(name) }];
  });
}

/** Where an environment leaves the backend to the shared part, its schema accepts the fields of every backend. */
function strayFields({ own, settings, pointer }: Target): readonly RuleFinding[] {
  if (own['backend'] !== undefined) return [];
  const backend = settings['backend'] ?? 'local';
  return Object.keys(own).flatMap((name): RuleFinding[] => {
    const backends: readonly Json[] = fields[name]?.backends ?? [backend];
    if (backends.includes(backend)) return [];
    return [
      {
        code: 'field-not-for-backend',
        message: `\`${name}\` applies only to backend ${backends.map((each) => `\`${each}\``).join(' or ')}, and the backend here is \`${backend}\`.`,
        hint: 'Remove it, or name the backend beside it.',
        pointer: pointer + pointerTo(name),
        at: 'key',
      },
    ];
  });
}

function missingBucket({ settings, pointer, own, name }: Target): readonly RuleFinding[] {
  if (settings['backend'] !== 's3' || settings['bucket'] !== undefined) return [];
  const isWritten = Object.keys(own).length > 0;
  return [
    {
      code: 'required-field',
      message: `\`bucket\` is missing in \`state\`${name === undefined ? '' : ` of the environment ${name}`}.`,
      hint: 'Add `bucket`.',
      pointer: isWritten ? pointer : pointerTo('state'),
      at: 'key',
    },
  ];
}

function shortLease({ settings, timeout, own, pointer }: Target, base: Target): readonly RuleFinding[] {
  const lease = settings['lease'];
  const least = leastLease(timeout);
  if (typeof lease !== 'number' || lease >= least || lease < 1) return [];
  return [
    {
      code: 'short-lease',
      message: `A lease of ${lease} s is over before every request of a dead run has ended: with \`api.timeout\` ${timeout} it must be at least ${least} s.`,
      hint: `Write ${least} or more, or remove it.`,
      pointer: `${own['lease'] === undefined ? base.pointer : pointer}${pointerTo('lease')}`,
    },
  ];
}

/** A state belongs to one organization. */
function samePlaces(targets: readonly Target[]): readonly RuleFinding[] {
  const first = new Map<string, Target>();
  return targets.flatMap((target): RuleFinding[] => {
    const { settings, name, timeout, baseUrl, own, pointer } = target;
    const place = statePlace(settings, name, timeout);
    if (place.backend === 'local' || baseUrl === undefined) return [];
    const other = first.get(placeName(place));
    if (other === undefined) first.set(placeName(place), target);
    if (other === undefined || other.baseUrl === baseUrl) return [];
    const others = other.name === undefined ? 'this file without an environment' : `the environment ${other.name}`;
    const way = { git: 'branch', s3: 'prefix', postgres: 'name' }[place.backend];
    return [
      {
        code: 'same-state-place',
        message: `The environment ${name} keeps its state in the same place as ${others}, and the two are different organizations.`,
        hint: `Give \`state\` of the environment a \`${way}\` of its own.`,
        pointer: Object.keys(own).length > 0 ? pointer : pointerTo('environments', name ?? ''),
        at: 'key',
      },
    ];
  });
}

/** One finding for each fault, although each environment shows those of the shared part again. */
function once(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const seen = new Map<string, RuleFinding>();
  for (const finding of findings) {
    const fault = `${finding.code} ${finding.pointer}`;
    if (!seen.has(fault)) seen.set(fault, finding);
  }
  return [...seen.values()];
}
