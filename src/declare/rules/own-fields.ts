// Almanac's own fields: extra must not contain known fields, and ignoreChanges has a list of its own.

import type { ResourceFields } from '../../model/fields/field.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Rule } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';

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

/** A name that is no field of the kind is misspelled. */
function hintAbout(name: string, kind: Kind, names: readonly string[]): string {
  const isField = Object.hasOwn(fieldsOf[kind], name);
  return (isField ? undefined : didYouMean(name, names)) ?? ignoring[kind].instead;
}

/** The names that `lifecycle.ignoreChanges` takes. */
function ignorableIn(fields: ResourceFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { ignorable }]) => (ignorable ? [name] : []));
}
