// Where a resource delivers: domains, hosts, buckets, accounts, channels, and which of them are ours. Reads attributes as
// the plan shows them and as the state keeps them; of a secret it reads the text around the variables.

import { deliveryOf } from '../../model/fields/schedule-form.ts';
import { sftpPlaceOf } from '../../model/fields/sftp-address.ts';
import type { Kind } from '../../model/values/address.ts';
import { domainOf } from '../../model/values/domains.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { knownAtApply, secretKey, sensitive } from '../../model/values/secret.ts';
import { parseUrl } from '../../model/values/urls.ts';

export type PlaceKind = 'domain' | 'host' | 'bucket' | 'account' | 'channel';

export interface DestinationPlace {
  readonly kind: PlaceKind;
  readonly name: string;
  /** Who in the domain. */
  readonly recipient?: string;
  /** Of an SFTP server: another path is another place. */
  readonly path?: string;
}

export function placesOf(kind: Kind, attributes: JsonObject): readonly DestinationPlace[] {
  return [...declaredPlaces(kind, attributes), ...placesIn(attributes['extra'])];
}

/** Almanac does not know what the fields under `extra` mean, so every address and every URL in them counts. */
function placesIn(extra: Json | undefined): readonly DestinationPlace[] {
  if (Array.isArray(extra)) return extra.flatMap((each: Json) => placesIn(each));
  if (isJsonObject(extra) && textOf(extra) === undefined) return Object.entries(extra).flat().flatMap(placesIn);
  const text = textOf(extra);
  if (text === undefined) return [];
  // A URL may hold what separates words, so the whole text may be one.
  const words = text.split(/[\s,;()<>"]+/).flatMap((word) => placesInWord(word));
  return [...atUrl(text), ...words];
}

function placesInWord(word: string): readonly DestinationPlace[] {
  if (startsUrl.test(word)) return atUrl(word);
  return /^\S+@\S+$/.test(word) ? inDomain(word) : [];
}

const startsUrl = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;

function atUrl(text: string): readonly DestinationPlace[] {
  if (/^sftp:/i.test(text)) return atServer(text);
  return startsUrl.test(text) ? placed('host', hostOf(text)) : [];
}

function declaredPlaces(kind: Kind, attributes: JsonObject): readonly DestinationPlace[] {
  const delivery = deliveryOf(kind, attributes);
  switch (delivery['destinationType']) {
    case 'email':
      return listOf(delivery['recipients']).flatMap(inDomain);
    case 'slack':
      return delivery['slackRecipientType'] === 'users'
        ? []
        : listOf(delivery['recipients']).flatMap((channel) => placed('channel', channel));
    case 'webhook':
      return placed('host', hostOf(delivery['url']));
    case 'sftp':
      return atServer(delivery['address']);
    case 's3':
      return [
        ...placed('bucket', textOf(delivery['bucketName'])),
        ...placed('account', /^arn:[^:]*:iam::(\d+):/.exec(textOf(delivery['roleArn']) ?? '')?.[1]),
      ];
    default:
      return [];
  }
}

function placed(kind: PlaceKind, name: string | undefined): readonly DestinationPlace[] {
  return name === undefined ? [] : [{ kind, name }];
}

/** An address that cannot be read is a place of its own, by its whole text. */
function atServer(address: Json | undefined): readonly DestinationPlace[] {
  const text = textOf(address);
  const { host = text, path } = (text && sftpPlaceOf(text)) || {};
  return placed('host', host).map((place) => ({ ...place, path }));
}

function inDomain(recipient: string): readonly DestinationPlace[] {
  return placed('domain', domainOf(recipient)).map((place) => ({ ...place, recipient }));
}

/** The people and channels that a resource names, without those that cannot be seen. */
export function recipientsOf(kind: Kind, attributes: JsonObject): readonly string[] {
  return listOf(deliveryOf(kind, attributes)['recipients']);
}

/** A text lists recipients between commas. */
function listOf(recipients: Json = []): readonly string[] {
  const whole = textOf(recipients);
  const list: readonly Json[] = Array.isArray(recipients) ? recipients : (whole?.split(',') ?? []);
  return list.flatMap((each) => textOf(each)?.trim() || []);
}

/** Undefined for a value that is no text, or of which only a mask is known. */
export function textOf(value: Json | undefined): string | undefined {
  const text = isJsonObject(value) && Object.hasOwn(value, secretKey) ? value['text'] : value;
  return typeof text !== 'string' || text === sensitive || text === knownAtApply ? undefined : text;
}

/** Of a URL, or of an SFTP server as it is typed. */
export function hostOf(value: Json | undefined): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined || text === '') return undefined;
  const server = sftpPlaceOf(text);
  if (server !== undefined) return server.host;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text.replace(/^[^:]*/, 'https') : `https://${text}`;
  return parseUrl(url)?.hostname ?? text;
}
