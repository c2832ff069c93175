// Reads what only git in the job's clone knows: the address of the remote, and the credentials and proxies for it. Git is
// asked in the clone because its configuration may include files by where it is. The settings go to the runs in a
// repository of our own.

import { resolve } from 'node:path';
import type { Git, GitRun, GitSetting } from '../../files/git.ts';
import type { Variables } from '../../model/outside.ts';
import { decodeLeniently, isLoopback, parseUrl } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { maskLogin } from './git-failure.ts';

/** The name under which our own repository knows the place. */
export const placeRemote = 'almanac-state-place';

export interface CloneSettings {
  readonly address: RemoteAddress;
  /** The object format of the clone, and so of its remotes: git fetches nothing from one with the other format. */
  readonly objectFormat: 'sha1' | 'sha256';
  readonly settings: readonly GitSetting[];
  /** Variables that carry credentials in the environment of git. */
  readonly variables: Variables;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
}

export interface CloneOptions {
  readonly remote: string;
  /** The root of the clone; undefined outside of one. */
  readonly clone: string | undefined;
  /** Git in a folder that is not in the clone. */
  readonly git: Git;
}

const formatKey = 'extensions.objectformat';
/** Keys for the settings of connections, for foreign repositories that may be read, and for the format of the clone. */
const wanted = `^(http|credential|remote)\\.|^core\\.(sshcommand|askpass)$|^ssh\\.variant$|^safe\\.directory$|^${formatKey}$`;

/** Throws Failure state-backend-unfit or state-unreadable. */
export async function readCloneSettings({ remote, clone, git }: CloneOptions): Promise<CloneSettings> {
  if (clone === undefined) {
    throw new Failure(
      'state-unreadable',
      `The state is on a branch of the remote ${remote}, and this folder is not in a clone.`,
      { hint: 'Run Almanac in the clone.' },
    );
  }
  const all = gitSettingsOf(await git(['-C', clone, 'config', '--includes', '--null', '--get-regexp', wanted]));
  const address = await remoteAddress(remote, clone, git);
  const ofRemote = `remote.${remote}.`;
  const proxies = all.filter(({ key }) => key.startsWith(ofRemote) && /\.proxy(?:authmethod)?$/.test(key));
  const login = loginSettings(address);
  return {
    address,
    objectFormat: all.some(({ key, value }) => key === formatKey && value === 'sha256') ? 'sha256' : 'sha1',
    settings: [
      ...all.filter(({ key }) => !key.startsWith('remote.') && key !== formatKey),
      ...proxies.map(({ key, value }) => ({ key: `remote.${placeRemote}.${key.slice(ofRemote.length)}`, value })),
      { key: `remote.${placeRemote}.url`, value: address.url },
      ...login.settings,
    ],
    variables: login.variables,
    secrets: all.flatMap(secretsOf).concat(login.secrets),
  };
}

/**
 * The address to which `git push` would write, as rewritten by `insteadOf` of the clone. Reading uses it as well, so that
 * every write is seen.
 */
async function remoteAddress(remote: string, clone: string, git: Git): Promise<RemoteAddress> {
  const { code, stdout, stderr } = await git(['-C', clone, 'remote', 'get-url', '--push', '--all', remote]);
  if (code !== 0) throw noRemote(remote, clone, stderr);
  const urls = stdout.toString('utf8').trimEnd().split('\n');
  const [url = '', another] = urls;
  if (another !== undefined) {
    throw new Failure(
      'state-backend-unfit',
      `The remote ${remote} has ${urls.length} addresses, and the state can only be in one.`,
      {
        hint: 'Add a remote with one address, such as `git remote add state URL`, and name it `state.remote` in almanac.yaml.',
      },
    );
  }
  return addressOf(url, clone);
}

function noRemote(remote: string, clone: string, stderr: string): Failure {
  if (stderr.includes('dubious ownership')) {
    return new Failure('state-unreadable', `Git does not read ${clone}, because it belongs to another user.`, {
      hint: `If you trust it, run \`git config --global --add safe.directory ${clone}\`.`,
    });
  }
  return new Failure('state-unreadable', `The clone ${clone} has no remote ${remote}.`, {
    hint: `Add it with \`git remote add ${remote} URL\`, or name another one with \`state.remote\` in almanac.yaml: \`git remote -v\` lists them.`,
  });
}

/** The settings that git printed: each is its key, a line break, its value, and a zero. */
function gitSettingsOf({ code, stdout }: GitRun): readonly GitSetting[] {
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

/** The user and the password that a CI wrote into the address of its clone. Git asks for them instead of showing them to `ps`. */
function loginSettings({ login, url }: RemoteAddress): Pick<CloneSettings, 'settings' | 'variables' | 'secrets'> {
  if (login === undefined) return { settings: [], variables: {}, secrets: [] };
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
function secretsOf({ key, value }: GitSetting): readonly string[] {
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

interface RemoteAddress {
  /** The address for git, without a password. */
  readonly url: string;
  /** Undefined for files. */
  readonly host: string | undefined;
  readonly isLocal: boolean;
  /** True if unencrypted: allowed only on this machine. */
  readonly isHttp: boolean;
  /** The login in the URL, except for ssh, whose user name is not a secret. */
  readonly login?: { readonly username: string; readonly password?: string };
}

/** The address in a clone's configuration, which may also be a path or have the short form of ssh. */
function addressOf(remote: string, clone: string): RemoteAddress {
  const shown = maskLogin(remote.slice(0, 200));
  if (/^-|^[A-Za-z0-9]*::|\p{Cc}/u.test(remote))
    throw unfitAddress(`The remote has an address that git would not take for a place: ${JSON.stringify(shown)}.`);
  if (!remote.includes('://')) {
    const [, place] = /^((?:[^/:[]*@)?\[[^\]/]+\]|[^/:]{2,}):/.exec(remote) ?? [];
    const host = place?.slice(place.lastIndexOf('@') + 1);
    // Git refuses it as well: ssh would take it for an option.
    if (host?.startsWith('-')) throw unfitAddress(`The remote ${shown} has a host that begins with a dash.`);
    if (host !== undefined) return { url: remote, host, isLocal: isLoopback(host), isHttp: false };
    return { url: resolve(clone, remote), host: undefined, isLocal: true, isHttp: false };
  }
  const url = parseUrl(remote);
  if (url === undefined) throw unfitAddress(`The remote has the address ${shown}, which is not a URL.`);
  const { protocol, hostname } = url;
  // Git ignores the host of a file URL, and URL parsers leave out localhost.
  if (protocol === 'file:' && !/^file:\/\/\//i.test(remote))
    throw unfitAddress(`The remote ${shown} names a host; a file URL has three slashes.`);
  if (!/^(?:https?|ssh|file):$/.test(protocol))
    throw unfitAddress(`The remote ${shown} is not an https, ssh or file URL.`);
  if (/^[^:]*:\/\/(?:[^/@]*@)?-/.test(remote))
    throw unfitAddress(`The remote ${shown} has a host that begins with a dash.`);
  const isLocal = protocol === 'file:' || isLoopback(hostname);
  const isHttp = protocol === 'http:';
  if (isHttp && !isLocal)
    throw unfitAddress(`The remote ${shown} uses http: the state and the credentials would travel unencrypted.`);
  const host = protocol === 'file:' ? undefined : hostname;
  if (!/^https?:$/.test(protocol))
    return { url: remote.replace(/^(ssh:\/\/[^/@:]*):[^/@]*@/i, '$1@'), host, isLocal, isHttp };
  const username = decodeLeniently(url.username);
  const password = decodeLeniently(url.password);
  return {
    url: remote.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1'),
    host,
    isLocal,
    isHttp,
    login: username === '' ? undefined : { username, password: password || undefined },
  };
}

/** GitHub recommends at most six pushes a minute to one repository. */
const githubPaceMs = 10_000;
const otherPaceMs = 1000;

/** The least milliseconds between two pushes when many follow each other. */
export function paceOf({ host, isLocal }: RemoteAddress): number {
  if (host === undefined || isLocal) return 0;
  const isGithub = /(?:^|[.-])(?:github|ghe)(?:[.-]|$)/i.test(host);
  return isGithub ? githubPaceMs : otherPaceMs;
}

function unfitAddress(message: string): Failure {
  return new Failure('state-backend-unfit', message, {
    hint: 'Correct the address with `git remote set-url`, or name another remote with `state.remote` in almanac.yaml.',
  });
}
