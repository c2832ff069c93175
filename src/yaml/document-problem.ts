// What is wrong with a document that a program wrote, in words: where, and what was expected there.

import { pointerTo } from '../model/values/pointer.ts';
import type { SchemaError, SchemaErrors } from './schema-error.ts';
import { formWords } from './text-forms.ts';

/** A clause about the first error, such as `/serial is not a whole number`. */
export function documentProblem(errors: SchemaErrors): string {
  const [error] = errors ?? [];
  if (error === undefined) throw new Error('documentProblem was called for a document without errors');
  const { instancePath: pointer, keyword, params, propertyName } = error;
  switch (keyword) {
    case 'required':
      return `${pointer}${pointerTo(String(params['missingProperty']))} is missing`;
    case 'additionalProperties':
      return `${pointer}${pointerTo(String(params['additionalProperty']))} is not known to this version`;
    default:
      return `${(propertyName === undefined ? pointer : pointer + pointerTo(propertyName)) || 'it'} ${fault(error)}`;
  }
}

/** A longer list of allowed values would hide the message. */
const mostListed = 12;

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function fault({ keyword, params }: SchemaError): string {
  switch (keyword) {
    case 'type':
      return `is not ${alternatives([params['type']].flat().map((type) => typeWords[String(type)] ?? String(type)))}`;
    case 'const':
      return `is not ${JSON.stringify(params['allowedValue'])}`;
    case 'enum':
      return notAmong([params['allowedValues']].flat());
    case 'pattern':
      return `is not ${formWords(String(params['pattern'])) ?? `of the form ${params['pattern']}`}`;
    case 'minLength':
      return 'is empty';
    case 'minimum':
      return `is less than ${params['limit']}`;
    case 'maximum':
      return `is greater than ${params['limit']}`;
    default:
      return 'does not have the expected form';
  }
}

function notAmong(values: readonly unknown[]): string {
  return values.length > mostListed
    ? 'is not a value that this version knows'
    : `is not ${alternatives(values.map((value) => JSON.stringify(value)))}`;
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
