// The places of the states in almanac.yaml: rules beyond its schema, for all environments. No text repeats a URL: it
// may contain a password.

import { configFields, stateFields } from '../model/fields/config-fields.ts';
import type { Field } from '../model/fields/field.ts';
import { type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { isLoopback, parseUrl } from '../model/values/urls.ts';
import type { FindingWords } from '../model/workspace/diagnostic.ts';
import { minLease, ownLine, placeName, type StatePlace } from '../model/workspace/state-place.ts';
import type { RuleFinding } from './findings/rule.ts';
import { mergedState, normaliseBaseUrl, statePlace } from './parse-config.ts';

const faults: Readonly<Record<string, (value: string) => PlaceFault | undefined>> = {
  remote: remoteFault,
  branch: branchFault,
  endpoint: endpointFault,
};

const fields: Readonly<Record<string, Field>> = stateFields;
const { shape: api } = configFields.api;
const defaultTimeout = api.type === 'object' ? Number(api.fields?.['timeout']?.default) : Number.NaN;

/** The subject of one run: the file without an environment, or with one. */
interface StateTarget {
  /** Undefined for the file without an environment. */
  readonly name: string | undefined;
  /** The place of its own settings. */
  readonly pointer: Pointer;
  readonly own: JsonObject;
  readonly settings: JsonObject;
  readonly timeout: number;
  readonly baseUrl: string | undefined;
}

/** `chosen` is the environment of this run. */
export function checkStatePlaces(value: Json, chosen: string | undefined): readonly RuleFinding[] {
  const config = mapAt(value);
  const base = targetOf(config, undefined);
  const environments = Object.keys(mapAt(config, 'environments')).map((name) => targetOf(config, name));
  const all = [base, ...environments];
  const named = ignoredIn(config, base);
  return once([
    ...[...all, ...named].flatMap(ownFaults),
    ...named.flatMap(strayFields),
    ...named.flatMap(missingBucket),
    ...environments.flatMap(strayFields),
    ...(chosen === undefined ? all : environments).flatMap(missingBucket),
    ...all.flatMap((target) => shortLease(target, base)),
    ...samePlaces(base, environments),
  ]);
}

function targetOf(config: JsonObject, name: string | undefined): StateTarget {
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

/** The places of other states that `ignore` names by their settings. */
function ignoredIn({ ignore, state }: JsonObject, base: StateTarget): readonly StateTarget[] {
  return (Array.isArray(ignore) ? ignore : []).flatMap((entry: Json, index): readonly StateTarget[] => {
    const own = mapAt(entry, 'state');
    if (Object.keys(own).length === 0) return [];
    const pointer = pointerTo('ignore', index, 'state');
    return [{ ...base, own, settings: mergedState(state, own), pointer }];
  });
}

function ownFaults({ own, pointer }: StateTarget): readonly RuleFinding[] {
  return Object.entries(faults).flatMap(([name, faultOf]): RuleFinding[] => {
    const value = own[name];
    const fault = typeof value === 'string' && value !== '' ? faultOf(value) : undefined;
    if (fault === undefined) return [];
    const message = `\`state.${name}\` ${fault.message}`;
    return [{ code: 'invalid-state-place', message, hint: fault.hint, pointer: pointer + pointerTo(name) }];
  });
}

/** If an environment leaves the backend to the shared part, its schema accepts the fields of every backend. */
function strayFields({ own, settings, pointer }: StateTarget): readonly RuleFinding[] {
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

function missingBucket({ settings, pointer, own, name }: StateTarget): readonly RuleFinding[] {
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

function shortLease({ settings, timeout, own, pointer }: StateTarget, base: StateTarget): readonly RuleFinding[] {
  const lease = settings['lease'];
  const least = minLease(timeout);
  if (typeof lease !== 'number' || lease >= least || lease < 1) return [];
  return [
    {
      code: 'short-lease',
      message: `A lease of ${lease} s is over before every request of a dead run has ended: with \`api.timeout\` ${timeout} it must be at least ${least} s.`,
      hint: `Write ${least} or more, or remove the lease.`,
      pointer: `${own['lease'] === undefined ? base.pointer : pointer}${pointerTo('lease')}`,
    },
  ];
}

/** A state belongs to one environment; runs without one may work on that of an environment of the same organization. */
function samePlaces(base: StateTarget, environments: readonly StateTarget[]): readonly RuleFinding[] {
  const first = new Map<string, StateTarget>();
  const baseKey = placeKey(statePlace(base.settings, undefined, base.timeout));
  return environments.flatMap((target): RuleFinding[] => {
    const place = statePlace(target.settings, target.name, target.timeout);
    const key = placeKey(place);
    const other = first.get(key) ?? (key === baseKey && isElsewhere(target, base) ? base : undefined);
    if (!first.has(key)) first.set(key, target);
    // A file outside of this folder is refused, whatever else would be in it.
    const isOutside = place.backend === 'local' && /^[/\\]|(?:^|\/)\.\.(?:\/|$)/.test(place.path);
    if (other === undefined || isOutside) return [];
    const { own, pointer, name = '' } = target;
    const otherWords = other.name === undefined ? 'this file without an environment' : `the environment ${other.name}`;
    const why = isElsewhere(target, other)
      ? 'and the two belong to different organizations'
      : 'so each would delete what only the other declares';
    return [
      {
        code: 'same-state-place',
        // `checks` lowers it for two workspaces alone.
        severity: 'error',
        message: `The environment ${name} keeps its state in the same place as ${otherWords}, ${why}.`,
        hint: `Write \`${ownLine(place, name)}\` in \`state\` of \`environments.${name}\`.`,
        pointer: Object.keys(own).length > 0 ? pointer : pointerTo('environments', name),
        at: 'key',
      },
    ];
  });
}

function placeKey(place: StatePlace): string {
  if (place.backend !== 'local') return placeName(place);
  const parts = place.path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}

/** True if the two certainly belong to different organizations. */
function isElsewhere(target: StateTarget, other: StateTarget): boolean {
  const [url, otherUrl] = [target.baseUrl, other.baseUrl];
  return url !== undefined && otherUrl !== undefined && url !== otherUrl;
}

/** One finding for each fault, although each environment shows those of the shared part again. */
function once(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const byFault = new Map<string, RuleFinding>();
  for (const finding of findings) {
    const fault = `${finding.code} ${finding.pointer}`;
    if (!byFault.has(fault)) byFault.set(fault, finding);
  }
  return [...byFault.values()];
}

/** The message is the end of a sentence whose subject is the value. */
type PlaceFault = Pick<FindingWords, 'message' | 'hint'>;

const addRemote =
  'Add the repository to the clone with `git remote add state URL`, and write the name of that remote: `remote: state`.';
const noCredentials =
  'Remove the secret. Git finds the credentials of this clone, and the AWS variables hold those of a bucket. If the secret was committed, replace it: others may have read it.';

/** The name of a remote of the clone: a commit must not be able to change where git connects. */
function remoteFault(remote: string): PlaceFault | undefined {
  if (/:\/\/[^/@:]*:[^/@]*@|^https?:\/\/[^/]*@/i.test(remote))
    return { message: 'contains a user name or a password.', hint: `${noCredentials} ${addRemote}` };
  if (remote.includes(':') || /^[./~]/.test(remote))
    return { message: 'is an address and not the name of a remote.', hint: addRemote };
  if (/^[A-Za-z0-9_][A-Za-z0-9._/+-]*$/.test(remote) && !remote.includes('..')) return undefined;
  return { message: 'is not the name of a remote.', hint: addRemote };
}

/** The URL of a server that is compatible with S3. */
function endpointFault(endpoint: string): PlaceFault | undefined {
  const url = parseUrl(endpoint);
  const hint = 'Write the URL of a server, such as https://s3.example.com.';
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    return { message: 'is not a URL that begins with https://.', hint };
  if (url.username !== '' || url.password !== '')
    return { message: 'contains a user name or a password.', hint: noCredentials };
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return { message: 'is not encrypted.', hint: 'Write it with https://.' };
  if (!/[?#]/.test(endpoint)) return undefined;
  return { message: 'contains a query or a fragment.', hint: 'Remove what begins with ? or #.' };
}

const plainBranch = /^[A-Za-z0-9_][A-Za-z0-9._+@-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+@-]*)*$/;
const maxBranchLength = 200;

/** It becomes part of a refspec, so only plain names are allowed. https://git-scm.com/docs/git-check-ref-format */
function branchFault(branch: string): PlaceFault | undefined {
  const why = branchWords(branch);
  return why === undefined ? undefined : { message: why, hint: 'Write a name such as almanac-state.' };
}

function branchWords(branch: string): string | undefined {
  if (branch.length > maxBranchLength) return `has more than ${maxBranchLength} characters.`;
  if (/^refs(?:\/|$)/.test(branch)) return 'is a whole reference; a branch is named without `refs/heads/`.';
  if (!plainBranch.test(branch) || /\.\.|@\{|\.(?:$|\/)|\.lock(?:$|\/)/.test(branch))
    return 'is not a name that a state branch can have: letters, digits and `-`, `_`, `.` and `/` between them.';
  if (branch === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch))
    return 'has a name that git would take for something else.';
  return undefined;
}
