// The findings for almanac.yaml: from its schema, and from rules for checks, sinks, `safety` and keys. The places of
// the states are in check-state-places.ts.

import { refused, skipped } from '../model/fields/config-fields.ts';
import { holdsKey } from '../model/values/credentials.ts';
import { isJsonObject, type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import { isWithin, type Pointer, parentOf, pointerTo } from '../model/values/pointer.ts';
import { canOnlyBeOff, checkableCodes, codes, isCheckable, isCode } from '../model/workspace/codes.ts';
import { type Finding, type Origin, severityOf } from '../model/workspace/diagnostic.ts';
import { checkStatePlaces } from './check-state-places.ts';
import { type OtherWords, placed, type RuleFinding } from './findings/rule.ts';
import { checkEmail } from './formats/check-email.ts';
import { checkUrl } from './formats/check-url.ts';
import { outsideTest, outsideWords } from './inside/recipients-inside.ts';
import { meantCode } from './rules/acceptance-days.ts';
import { secretPartsOf } from './rules/secrets.ts';
import { schemaFindings } from './schema-findings.ts';

/** `value` is the whole of almanac.yaml, `chosen` the environment of this run. */
export function validateConfigValue(
  value: Json,
  origin: Origin,
  chosen: string | undefined,
  words?: OtherWords,
): readonly Finding[] {
  const bySchema = schemaFindings(value, 'config', { words });
  const byRules = [
    ...checksNameWarnings(value),
    ...checkStatePlaces(value, chosen),
    ...checkSinks(value),
    ...checkInside(value),
    ...checkRows(value),
    ...checkIgnore(value),
  ];
  // The rules cannot know the meaning of an unknown name, so they skip the object that has it.
  const unknown = bySchema.filter(({ code }) => code === 'unknown-field').map(({ pointer }) => parentOf(pointer));
  const isUnsure = ({ pointer }: RuleFinding) => unknown.some((holder) => holder !== '' && isWithin(pointer, holder));
  const isMisplaced = bySchema.some(
    ({ code, pointer }) => code === 'unknown-field' && /internal_?domains$/i.test(pointer),
  );
  const isOfFaultyPlace = bySchema.some(({ pointer }) => /^(?:\/environments\/[^/]+)?\/state(?:\/|$)/.test(pointer));
  const isConsequence = (finding: RuleFinding) =>
    isUnsure(finding) ||
    (isMisplaced && finding.code === 'no-internal-domains') ||
    (isOfFaultyPlace && finding.code === 'same-state-place');
  const certain = bySchema.filter(
    ({ code, pointer }) => code !== 'field-not-for-backend' || !unknown.includes(parentOf(pointer)),
  );
  const found = [...certain, ...byRules.filter((finding) => !isConsequence(finding))];
  const faulty = new Set(found.filter((finding) => severityOf(finding) === 'error').map(({ pointer }) => pointer));
  return placed([...found, ...checkCredentials(value).filter(({ pointer }) => !faulty.has(pointer))], origin);
}

/**
 * `checks` in almanac.yaml names warnings, errors that may be lowered, or a note that may be off. A code that does not
 * exist would silently have no effect, and another error or note has no other severity.
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
    hint: 'Remove it. Only the severity of a warning, and of `filter-shape`, `rows-of-others`, `owner-unknown` and `same-state-place`, can be set.',
  };
}

function wordsAboutUnknown(name: string): Pick<RuleFinding, 'message' | 'hint'> {
  const meant = meantCode(name, checkableCodes);
  return {
    message: `There is no warning \`${name}\`, so it would have no effect.`,
    hint:
      meant === undefined
        ? 'Write the code of a warning, which is in brackets behind `warning`.'
        : `Did you mean \`${meant}\`?`,
  };
}

/** A state is read for all that it tracks, which no pattern beside it would limit. */
function checkIgnore(value: Json): readonly RuleFinding[] {
  const { ignore } = mapAt(value);
  return (Array.isArray(ignore) ? ignore : []).flatMap((entry: Json, index): readonly RuleFinding[] =>
    isJsonObject(entry) && entry['state'] !== undefined && Object.keys(entry).length > 1
      ? [
          {
            code: 'ignored-state',
            message:
              '`state` is in one entry with patterns, which cannot limit it: all that the state tracks is left out.',
            hint: 'Give the state an entry of its own.',
            pointer: pointerTo('ignore', index, 'state'),
            at: 'key',
          },
        ]
      : [],
  );
}

/** Sinks receive everything of an environment, so they are held to the rules of recipients. */
function checkSinks(value: Json): readonly RuleFinding[] {
  const environments = mapAt(value, 'environments');
  return Object.keys(environments).flatMap((name) => {
    const { email, webhook } = mapAt(environments, name, 'deliver');
    const pointer = pointerTo('environments', name, 'deliver');
    return [...emailSinkFaults(email, `${pointer}/email`), ...webhookSinkFaults(webhook, `${pointer}/webhook`)];
  });
}

function emailSinkFaults(email: Json | undefined, pointer: string): readonly RuleFinding[] {
  // The schema refuses a text without `@`, and knows the words that may stand in its place.
  if (typeof email === 'string' && email.includes('@'))
    return checkEmail(email).map((fault) => ({ ...fault, pointer }));
  if (!Array.isArray(email)) return [];
  return email.flatMap((address: Json, index) =>
    typeof address === 'string'
      ? checkEmail(address).map((fault) => ({ ...fault, pointer: pointer + pointerTo(index) }))
      : [],
  );
}

function webhookSinkFaults(url: Json | undefined, pointer: string): readonly RuleFinding[] {
  if (typeof url !== 'string' || url === refused || url === skipped) return [];
  return [
    ...checkUrl(url).map((fault) => ({ ...fault, pointer })),
    ...secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `webhook contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Use an address that may be public.',
      pointer,
      at: 'key' as const,
      // Plans and the state show a sink unmasked.
      ...(holdsKey(url) ? { severity: 'error' as const } : {}),
    })),
  ];
}

/** The check `recipient-not-inside` needs a list of domains, and the sinks of environments receive, too. */
function checkInside(value: Json): readonly RuleFinding[] {
  const severity = mapAt(value, 'checks')['recipient-not-inside'];
  if (severity !== 'warning' && severity !== 'error') return [];
  const { internalDomains = [] } = mapAt(value, 'safety');
  const domains = Array.isArray(internalDomains) ? internalDomains : undefined;
  if (domains?.length === 0)
    return [
      {
        code: 'no-internal-domains',
        message: '`safety.internalDomains` is empty, so the check would count every address as outside.',
        hint: 'List your domains: `safety: { internalDomains: [example.com] }`.',
        pointer: pointerTo('checks', 'recipient-not-inside'),
        at: 'key',
      },
    ];
  const isOutside = outsideTest(
    (domains ?? []).flatMap((each: Json) => (typeof each === 'string' ? each.toLowerCase() : [])),
  );
  return Object.keys(mapAt(value, 'environments')).flatMap((name) => {
    const deliver = mapAt(value, 'environments', name, 'deliver');
    return sinksIn(deliver).flatMap(({ address, pointer }): readonly RuleFinding[] => {
      if (!isOutside(address)) return [];
      const words = outsideWords(address, `everything that the environment ${name} sends by e-mail goes there`);
      const hint = 'Use an address of your own, or list its domain. A sink cannot be waived.';
      return [{ ...words, hint, pointer: pointerTo('environments', name, 'deliver', 'email') + pointer }];
    });
  });
}

function sinksIn({ email }: JsonObject): readonly { readonly address: string; readonly pointer: string }[] {
  if (typeof email === 'string') return [{ address: email, pointer: '' }];
  const list: readonly Json[] = Array.isArray(email) ? email : [];
  return list.flatMap((address, index) =>
    typeof address === 'string' ? [{ address, pointer: pointerTo(index) }] : [],
  );
}

/** `safety.rows`, and the check that needs it: it judges who is outside, so there must be an inside. */
function checkRows(value: Json): readonly RuleFinding[] {
  const { internalDomains = [], rows } = mapAt(value, 'safety');
  const severity = mapAt(value, 'checks')['rows-of-others'];
  if (rows === undefined)
    return severity === undefined || severity === 'off'
      ? []
      : [
          {
            code: 'required-field',
            message: '`rows` is missing in `safety`, so the check judges nothing.',
            hint: 'Write `safety: { rows: { filters: [customer], allow: tenants.csv } }`, or remove the check.',
            pointer: pointerTo('checks', 'rows-of-others'),
            at: 'key',
          },
        ];
  if (!Array.isArray(internalDomains) || internalDomains.length > 0 || severity === 'off') return [];
  return [
    {
      code: 'no-internal-domains',
      message: '`safety.internalDomains` is empty, so everybody would count as outside.',
      hint: 'List your domains: `safety: { internalDomains: [example.com] }`.',
      pointer: pointerTo('safety', 'rows'),
      at: 'key',
    },
  ];
}

/**
 * almanac.yaml has no secrets: messages and documents name its places, names and domains. So a key in it is an error,
 * which no check lowers, and little else is reported of a workspace that has one.
 */
function checkCredentials(value: Json): readonly RuleFinding[] {
  return textsIn(value, '')
    .filter(({ text, pointer }) => holdsKey(text) && !judgedElsewhere.test(pointer))
    .map(({ pointer, at }) => ({
      code: 'secret-in-plain-text',
      severity: 'error',
      message: 'A key is written here. Everyone who can read the repository can read it, now and in its history.',
      hint: 'Remove it from the file, and replace the key.',
      pointer,
      at,
    }));
}

/** Declarations decide the use of variables; base URLs and the sink of webhooks are held to rules of their own. */
const judgedElsewhere = /^(?:\/environments\/[^/]+)?\/(?:api\/baseUrl|variables|deliver\/webhook)(?:\/|$)/;

interface Text {
  readonly text: string;
  readonly pointer: Pointer;
  readonly at: 'key' | 'value';
}

function textsIn(value: Json, pointer: Pointer): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, pointer, at: 'value' }];
  if (Array.isArray(value)) return value.flatMap((each: Json, index) => textsIn(each, pointer + pointerTo(index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const below = pointer + pointerTo(key);
    return [{ text: key, pointer: below, at: 'key' } as const, ...textsIn(each, below)];
  });
}
