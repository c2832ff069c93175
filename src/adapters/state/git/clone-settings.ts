// What git knows in the job's clone and not elsewhere: where the remote is, and the credentials, proxies and rewritten
// addresses for it. It is asked in the clone, because its configuration may include files depending on where it is, and
// handed to the runs in a repository of our own.

import { decodeLeniently } from '../../../model/values/decode-leniently.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Environment } from '../host.ts';
import type { Setting } from './git-environment.ts';
import type { GitRun, RunGit } from './git-process.ts';
import { addressOf, declaredAddress, isAddress, type RemoteAddress } from './remote-address.ts';

/** The name under which our own repository knows the place. */
export const placeRemote = 'almanac-state-place';

export interface CloneSettings {
  readonly address: RemoteAddress;
  readonly settings: readonly Setting[];
  /** What carries credentials in the environment of git. */
  readonly variables: Environment;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
  readonly objectFormat: 'sha1' | 'sha256';
}

export interface CloneOptions {
  readonly remote: string;
  /** The root of the clone; undefined outside of one. */
  readonly clone: string | undefined;
  /** A folder that is not in the clone. */
  readonly folder: string;
  readonly run: RunGit;
  readonly environment: Environment;
}

const wanted =
  '^(http|credential|url|remote)\\.|^core\\.(sshcommand|askpass)$|^ssh\\.variant$|^extensions\\.objectformat$';
const ofConnections = /^(?:http|credential|url)\.|^core\.(?:sshcommand|askpass)$|^ssh\.variant$/;

/** Throws Failure state-backend-unfit or state-unreadable. */
export async function readCloneSettings(options: CloneOptions): Promise<CloneSettings> {
  const { remote, clone, folder, run, environment } = options;
  // Before anything runs with it.
  const isUrl = isAddress(remote);
  const declared = isUrl ? declaredAddress(remote) : undefined;
  const read = async (where: readonly string[]) => {
    const args = [...where, 'config', '--includes', '--null', '--get-regexp', wanted];
    return settingsOf(await run(args, { folder, environment }));
  };
  const [everywhere, inClone] = await Promise.all([
    read([]),
    clone === undefined ? Promise.resolve(undefined) : read(['-C', clone]),
  ]);
  const all = inClone ?? everywhere;
  const address = declared ?? (await remoteAddress(all, options));
  const found = without(all, everywhere).filter(({ key }) => ofConnections.test(key) && !(isUrl && isForAnyHost(key)));
  const proxies = isUrl ? [] : valuesOf(all, `remote.${remote}.`, /^proxy(?:authmethod)?$/);
  const format = all.findLast(({ key }) => key === 'extensions.objectformat')?.value;
  const login = loginSettings(address);
  return {
    address,
    settings: [
      ...found,
      ...proxies.map(({ key, value }) => ({ key: `remote.${placeRemote}.${key}`, value })),
      { key: `remote.${placeRemote}.url`, value: address.url },
      ...login.settings,
    ],
    variables: login.variables,
    secrets: [...all, ...everywhere].flatMap(secretsOf).concat(login.secrets),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
  };
}

/** Where `git push` would write: it is read from there as well, so that what was written is seen. */
async function remoteAddress(all: readonly Setting[], options: CloneOptions): Promise<RemoteAddress> {
  const { remote, clone } = options;
  const named = valuesOf(all, `remote.${remote}.`, /^(?:push)?url$/);
  const pushed = named.filter(({ key }) => key === 'pushurl');
  const urls = (pushed.length > 0 ? pushed : named).map(({ value }) => value);
  const [url, another] = urls;
  if (url === undefined) throw await noRemote(options);
  if (another !== undefined) {
    throw new Failure(
      'state-backend-unfit',
      `The remote ${remote} has ${urls.length} addresses, and the state can only be in one.`,
      {
        hint: 'Set `state.remote` in almanac.yaml to the URL of one of them.',
      },
    );
  }
  return addressOf(url, clone ?? options.folder);
}

/** Git says nothing about a clone that it does not trust, so it is asked in a way that makes it say so. */
async function noRemote({ remote, clone, folder, run, environment }: CloneOptions): Promise<Failure> {
  if (clone === undefined) {
    return new Failure(
      'state-unreadable',
      `The state is on a branch of the remote ${remote}, and this folder is not in a clone.`,
      {
        hint: 'Run Almanac in the clone, or set `state.remote` in almanac.yaml to a URL.',
      },
    );
  }
  const { code, stderr } = await run(['-C', clone, 'rev-parse', '--git-dir'], { folder, environment });
  if (code !== 0 && stderr.includes('dubious ownership')) {
    return new Failure('state-unreadable', `Git does not read ${clone}, because it belongs to another user.`, {
      hint: `If you trust it, run \`git config --global --add safe.directory ${clone}\`.`,
    });
  }
  return new Failure('state-unreadable', `The clone ${clone} has no remote ${remote}.`, {
    hint: `Add it with \`git remote add ${remote} URL\`, or name another one with \`state.remote\` in almanac.yaml: \`git remote -v\` lists them.`,
  });
}

/** Each is its key, a line break, its value, and a zero. */
function settingsOf({ code, stdout }: GitRun): readonly Setting[] {
  // 1: nothing was found.
  if (code !== 0 && code !== 1) {
    throw new Failure('state-unreadable', 'The configuration of git cannot be read.', {
      hint: 'Run `git config --list` in the clone to see why.',
    });
  }
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((text) => text !== '')
    .map((text) => {
      const end = text.indexOf('\n');
      return end < 0 ? { key: text, value: 'true' } : { key: text.slice(0, end), value: text.slice(end + 1) };
    });
}

/** A header with a token that the clone would send to whatever host a pull request names in almanac.yaml. */
function isForAnyHost(key: string): boolean {
  return key === 'http.extraheader';
}

/** What the clone adds to what git reads everywhere: a list that is given twice would be sent twice. */
function without(all: readonly Setting[], others: readonly Setting[]): readonly Setting[] {
  const left = others.map(({ key, value }) => `${key}\n${value}`);
  return all.filter(({ key, value }) => {
    const at = left.indexOf(`${key}\n${value}`);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function valuesOf(all: readonly Setting[], prefix: string, names: RegExp): readonly Setting[] {
  return all
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key, value }) => ({ key: key.slice(prefix.length), value }))
    .filter(({ key }) => names.test(key));
}

/** The user and the password that a CI wrote into the address of its clone. Git asks for them instead of showing them to `ps`. */
function loginSettings({
  login,
  url,
  protocol,
}: RemoteAddress): Pick<CloneSettings, 'settings' | 'variables' | 'secrets'> {
  if (login === undefined || protocol === 'ssh') return { settings: [], variables: {}, secrets: [] };
  const { username, password } = login;
  const scope = `credential.${new URL(url).origin}`;
  if (password === undefined) {
    return { settings: [{ key: `${scope}.username`, value: username }], variables: {}, secrets: [username] };
  }
  const helper =
    '!f() { test "$1" = get && printf \'username=%s\\npassword=%s\\n\' "$ALMANAC_GIT_USERNAME" "$ALMANAC_GIT_PASSWORD"; }; f';
  return {
    settings: [
      { key: `${scope}.helper`, value: '' },
      { key: `${scope}.helper`, value: helper },
    ],
    variables: { ALMANAC_GIT_USERNAME: username, ALMANAC_GIT_PASSWORD: password },
    secrets: [password, `${username}:${password}`],
  };
}

/** The header of a token, the user information in an address, and what is written for a proxy. */
function secretsOf({ key, value }: Setting): readonly string[] {
  if (/\.extraheader$/.test(key)) {
    const token = value.replace(/^[^:]*:\s*/, '').replace(/^\w+\s+/, '');
    const plain = Buffer.from(token, 'base64').toString('utf8');
    return [token, plain, plain.slice(plain.indexOf(':') + 1)];
  }
  return [...`${key} ${value}`.matchAll(/:\/\/([^\s/@]+)@/g)].flatMap(([, user = '']) => {
    const password = user.slice(user.indexOf(':') + 1);
    return key.startsWith('remote.') && !user.includes(':') && value.startsWith('ssh')
      ? []
      : [user, password, decodeLeniently(password)];
  });
}
