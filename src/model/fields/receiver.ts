// One receiver, made of the text that names it in any field. Each has what people call it, and what makes two of them
// the same.

import { groupWords, type RecordedGroup } from '../plan/user-groups.ts';
import { addressKey, domainKey } from '../values/domains.ts';
import { isJsonObject } from '../values/json.ts';
import { type Pointer, pointerTo } from '../values/pointer.ts';
import { isSecret, knownText, sensitive } from '../values/secret.ts';
import { parseUrl, replaceUrls } from '../values/urls.ts';
import { trimEndOf } from '../values/words.ts';
import { groupById, groupIdIn } from './ids.ts';
import { sftpAddress } from './patterns.ts';

/** The kinds of receivers: an e-mail address, a user group of Omni, an id in Slack, a host, or a bucket. */
export const receiverKinds = ['email', 'group', 'slack', 'webhook', 'sftp', 's3'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/** One of those who receive something: a person, a group, a channel, a host, a bucket. */
export interface Receiver {
  readonly kind: ReceiverKind;
  /** The receiver as people see it: an address, a name or an id as it is written, a host, a bucket. */
  readonly shown: string;
  /** The same for two that are one: addresses and hosts in lower case and ASCII; a group's id, if it is known. */
  readonly compared: string;
  /** The part of the attributes that names it. */
  readonly at: Pointer;
  /** The key in the attributes names it, and not the value there. */
  readonly isKey?: true;
  /** It is behind a secret, and nothing else is known of it. */
  readonly isHidden?: true;
  readonly group?: RecordedGroup | undefined;
  /** It is a person in Slack, and not a channel. */
  readonly isPerson?: boolean;
  /** The part of its URL or address after the host, or the folder in the bucket. */
  readonly path?: string;
  /** The name of the file there, which may include folders. */
  readonly file?: string | undefined;
  /** The login to the server, which decides where a path begins. */
  readonly user?: string | undefined;
  /** The AWS account whose role writes into the bucket. */
  readonly account?: string | undefined;
}

export function hidden(kind: ReceiverKind, at: Pointer): Receiver {
  return { kind, shown: sensitive, compared: sensitive, at, isHidden: true };
}

export function mailed(text: string, at: Pointer): Receiver {
  const shown = text.trim();
  return { kind: 'email', shown, compared: addressKey(shown), at };
}

export function posted(text: string, at: Pointer): Receiver {
  const shown = hostOf(text) ?? text;
  const [, path = ''] = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/?#\\]*(.*)$/is.exec(text.trim()) ?? [];
  return { kind: 'webhook', shown, compared: shown.toLowerCase(), at, path };
}

export function inGroup(text: string, at: Pointer, group: RecordedGroup | undefined): Receiver {
  const id = group?.id ?? groupIdIn(text);
  return { kind: 'group', shown: text, compared: id === undefined ? text : groupById(id), at, group };
}

export function inSlack(text: string, at: Pointer, isPerson: boolean): Receiver {
  const id = text.trim();
  return { kind: 'slack', shown: id, compared: id, at, isPerson };
}

/** An address that cannot be read is a server of its own, by its whole text. */
export function onServer(text: string, at: Pointer): Receiver {
  const { host, path } = sftpPlaceOf(text) ?? { host: text, path: '' };
  return { kind: 'sftp', shown: host, compared: domainKey(host), at, path };
}

/** Makes the receiver from the name of a bucket and the fields beside it. */
export function inBucket(
  text: string,
  at: Pointer,
  { roleArn, keyPrefix, filename }: Readonly<Record<string, unknown>>,
): Receiver {
  // A role that cannot be read is an account of its own, by its whole text.
  const role = knownText(roleArn);
  const account = /^arn:[^:]*:iam::(\d+):/.exec(role ?? '')?.[1] ?? role;
  const [path = '', file] = [knownText(keyPrefix), knownText(filename)];
  return { kind: 's3', shown: text, compared: text, at, path, file, account };
}

/** A key that two receivers share if they are the same. */
export function receiverKey({ kind, compared }: Receiver): string {
  return `${kind} ${compared}`;
}

/** The receiver as lists of people have it: a group is known by its id, and called by its name. */
export function recipientOf({ kind, shown, compared }: Receiver): string {
  return kind === 'group' ? shown : compared;
}

/** The host of a URL, or of an SFTP server as it is typed. */
export function hostOf(value: unknown): string | undefined {
  const typed = knownText(value)?.trim();
  if (typed === undefined || typed === '') return undefined;
  const server = sftpPlaceOf(typed);
  if (server !== undefined) return server.host;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed.replace(/^[^:]*/, 'https') : `https://${typed}`;
  return parseUrl(url)?.hostname ?? typed;
}

/** Every address and URL in a value of which nobody knows what it means. A key may be an address as well. */
export function receiversUnder(value: unknown, at: Pointer): readonly Receiver[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => receiversUnder(item, at + pointerTo(index)));
  const text = knownText(value);
  if (text !== undefined) return receiversInText(text, at);
  if (!isJsonObject(value) || isSecret(value)) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const inside = at + pointerTo(key);
    const inKey = receiversInText(key, inside).map((receiver) => ({ ...receiver, isKey: true as const }));
    return [...inKey, ...receiversUnder(below, inside)];
  });
}

const startsUrl = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;

/** A URL may hold what separates words, so the whole text may be one; a sentence may name an address at its end. */
function receiversInText(text: string, at: Pointer): readonly Receiver[] {
  const words = text.split(/[\s,;()<>"]+/);
  const whole = startsUrl.test(text) && words[0] !== text ? [text] : [];
  return [...whole, ...words].flatMap((word) => {
    if (startsUrl.test(word)) return atUrl(word, at);
    const addresses = addressesIn(trimEndOf(word, /[.:!?@]/)).map((address) => mailed(address, at));
    return [...urlsIn(word).map((url) => atUrl(url, at)), ...addresses];
  });
}

function atUrl(url: string, at: Pointer): Receiver {
  return /^sftp:/i.test(url) ? onServer(url, at) : posted(url, at);
}

/** Behind other letters, such as a name and `=`, or a quote. */
function urlsIn(word: string): readonly string[] {
  const urls: string[] = [];
  replaceUrls(word, (url) => {
    urls.push(url);
    return url;
  });
  return urls;
}

/** Nobody knows what else separates addresses, so each `@` is one: `eve@evil.example|ana@acme.com` may go to both. */
function addressesIn(word: string): readonly string[] {
  const [first = '', ...others] = word.split('@').filter((part) => part !== '');
  let before = first;
  return others.map((part) => {
    const address = `${before}@${part}`;
    before = part;
    return address;
  });
}

/** Names for reports: `Board (a group of 12 people)`, or a bucket and its account; none if it is hidden. */
export function shownNames(receiver: Receiver): readonly string[] {
  const { kind, shown, group } = receiver;
  return kind === 'group' && !receiver.isHidden ? [groupWords(shown, group)] : plainNames(receiver);
}

/** The names that people use; none for a receiver that is hidden. */
export function plainNames({ isHidden, shown, account }: Receiver): readonly string[] {
  return isHidden ? [] : account === undefined ? [shown] : [shown, account];
}

// Parses the address of an SFTP server: a host, or sftp://HOST/PATH. The service's pages have both forms, so a bare
// host and sftp://HOST/ are the same place, and another path is another one.

interface SftpPlace {
  /** The host in lower case, and an IPv6 address without brackets. */
  readonly host: string;
  /** The path; empty for `/` as well. */
  readonly path: string;
}

const readable = new RegExp(sftpAddress);

/** Returns undefined if the address cannot be read, such as one with a port or a user. */
export function sftpPlaceOf(address: string): SftpPlace | undefined {
  if (!readable.test(address)) return undefined;
  const [, host = '', path = ''] = /^(?:sftp:\/\/)?([^/]*)(.*)$/is.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), path: path === '/' ? '' : path };
}

/** The form that all addresses of one place have. One that cannot be read is equal to itself alone. */
export function canonicalServer(address: string): string {
  const place = sftpPlaceOf(address);
  return place === undefined ? address : `sftp://${place.host}${place.path}`;
}
