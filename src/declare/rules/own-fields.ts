// Rules for Almanac's own fields, the addresses that Omni calls, and dashboards. `extra` must not contain known fields,
// and `ignoreChanges` has a list of its own.

import type { ResourceFields } from '../../model/fields/field.ts';
import { fieldsOf, urlFieldsOf } from '../../model/fields/fields.ts';
import { sftpPlaceOf } from '../../model/fields/receiver.ts';
import type { Kind } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import { fieldText, type Rule, textFindings } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';
import { checkUrl } from '../formats/check-url.ts';

export const extraHoldsNoKnownField: Rule = ({ kind, value }) => {
  const extra = value['extra'];
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra)
    .filter((name) => Object.hasOwn(fieldsOf[kind], name))
    .map((name) => ({
      code: 'extra-known-field',
      message: `\`${name}\` is a field of its own; inside extra it would not be checked.`,
      hint: `Move ${name} out of extra.`,
      pointer: pointerTo('extra', name),
      at: 'key',
    }));
};

export const onlyIgnorableIsIgnored: Rule = ({ kind, value }) => {
  const lifecycle = value['lifecycle'];
  const ignored = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  if (!Array.isArray(ignored)) return [];
  const names = ignorableIn(fieldsOf[kind]);
  return ignored.flatMap((name: unknown, index) =>
    typeof name !== 'string' || names.includes(name)
      ? []
      : [
          {
            code: 'not-ignorable',
            message: `\`${name}\` cannot be ignored. ${ignoring[kind].canBe}`,
            hint: hintAbout(name, kind, names),
            pointer: pointerTo('lifecycle', 'ignoreChanges', index),
          },
        ],
  );
};

interface IgnoreAdvice {
  /** A whole sentence. */
  readonly canBe: string;
  /** How people can keep changing it in Omni. */
  readonly instead: string;
}

const ofReport: IgnoreAdvice = {
  canBe:
    'Only names, texts, the layout and when it runs can: everything else decides who receives a report, which rows it shows, with whose rights, or what the rows mean.',
  instead: `Remove it from ignoreChanges. \`${command('drift', '--deep', '--write')}\` writes into the files what people have changed in Omni, as far as Omni shows it.`,
};

const ignoring: Readonly<Record<Kind, IgnoreAdvice>> = {
  dashboard: {
    canBe: 'Nothing of a dashboard can: it decides which rows reports show.',
    instead:
      'Remove it from ignoreChanges. What people change on the dashboard in Omni need not be declared: leave that filter or control out.',
  },
  schedule: ofReport,
  routine: ofReport,
  aiJob: {
    canBe: 'Nothing of an AI job can: it runs once, as it is declared.',
    instead: 'Remove it from ignoreChanges.',
  },
};

function hintAbout(name: string, kind: Kind, names: readonly string[]): string {
  const isField = Object.hasOwn(fieldsOf[kind], name);
  return (isField ? undefined : didYouMean(name, names)) ?? ignoring[kind].instead;
}

/** The names that `lifecycle.ignoreChanges` takes. */
function ignorableIn(fields: ResourceFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { ignorable }]) => (ignorable ? [name] : []));
}

// The addresses that the service itself calls. For an SFTP server it only documents that the address has no port and no
// user, so any other unreadable address is a warning; a plan then takes the whole text as the receiver's place.

export const webAddresses: Rule = ({ kind, value }) =>
  urlFieldsOf[kind].flatMap((field) => textFindings(value, field, checkUrl));

export const serverIsReadable: Rule = ({ value }) => {
  const address = fieldText(value, 'address');
  if (fieldText(value, 'destinationType') !== 'sftp' || address === undefined || sftpPlaceOf(address) !== undefined)
    return [];
  return [
    {
      code: 'odd-host',
      message: `${quote(address)} is not a host that every program reads alike, so it is not known where the file goes.`,
      hint: 'Write a host name or an IP address such as `sftp.example.com`, or a URL such as `sftp://sftp.example.com/incoming`. Other letters are written in their `xn--` form.',
      pointer: '/address',
    },
  ];
};

// The dashboard that a resource names. The most likely mistake is to paste the whole URL, whose last
// part is the identifier.

export const identifierIsShort: Rule = ({ value }) => {
  const identifier = fieldText(value, 'identifier');
  if (identifier === undefined || !/[/:]/.test(identifier)) return [];
  const last = identifier.includes('/') ? lastPart(identifier) : '';
  return [
    {
      code: 'identifier-is-url',
      message: `An identifier contains neither \`/\` nor \`:\`${identifier.includes('/') ? '; this is an address' : ''}.`,
      hint: last === '' ? 'Write only the last part of the URL of the dashboard.' : `Write \`${last}\`.`,
      pointer: '/identifier',
    },
  ];
};

/** Uses the path: neither the host nor anything after `?` or `#`. */
function lastPart(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const parts = path.split(/[/:]/).filter((part) => part !== '');
  const afterKind = parts[parts.lastIndexOf('dashboards') + 1];
  return (parts.includes('dashboards') ? afterKind : parts.at(-1)) ?? '';
}
