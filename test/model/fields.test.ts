// The columns of the tables of fields, and the lists outside of these.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldsInside, fieldsOf } from '../../src/model/fields/fields.ts';
import { kindsInOrder } from '../../src/model/values/address.ts';

const rows = kindsInOrder.flatMap((kind) =>
  Object.entries(fieldsOf[kind]).map(([name, field]) => ({ name: `${kind}.${name}`, ...field })),
);
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

test('every field of every kind says what it decides and where it is read', () => {
  const decided = ['when', 'who', 'rows', 'columns', 'rights', 'file', 'text', 'nothing'];
  const places = ['list', 'details', 'metadata', 'never'];
  expect(namesOf(rows.filter(({ decides, read }) => !decided.includes(decides) || !places.includes(read)))).toEqual([]);
});

test('a field that ignoreChanges may name decides neither who receives a report, nor its rows, columns or rights', () => {
  const guarded = rows.filter(({ decides }) => ['who', 'rows', 'columns', 'rights'].includes(decides));
  expect(namesOf(guarded.filter(({ ignorable }) => ignorable))).toEqual([]);
});

test('Omni shows no field that is secret', () => {
  expect(namesOf(rows.filter(({ secret, read }) => secret && read !== 'never'))).toEqual([]);
});

/** Lists that answer other questions: what identifies a resource, goes together, is a map, or stands in a PATCH. */
const otherQuestions = [
  // Texts in which a value of an item may be a part: also of a path, a prefix and a prompt.
  'commands/fold/make-template.ts: name subject textBody filename keyPrefix prompt',
  // An import writes the owner itself, and what Omni does not store.
  'commands/import/declare-schedule.ts: userId owner extra',
  // The prompt, which people edit, tells two apart only where these do not.
  'commands/import/pair-declared.ts: modelId branchId topicName name schedule timezone',
  // What a download takes beside the options of its format.
  'omni/operations.ts: format filterConfig queryIdentifierMapKey',
  'commands/drift/prove-edits.ts: conditionType conditionQueryMapKey',
  'commands/drift/prove-edits.ts: slackRecipientType recipients',
  'commands/fold/choose-groups.ts: format destinationType',
  'commands/import/import.ts: lifecycle accept meta extra',
  'commands/fold/choose-groups.ts: in lifecycle accept extra',
  'commands/fold/choose-groups.ts: name identifier schedule',
  'commands/fold/choose-groups.ts: name modelId schedule',
  'commands/fold/fold-loops.ts: identifier modelId userId',
  'declare/comparable.ts: extra filterConfig',
  'declare/kinds-of-declaration.ts: modelId owner userId',
  'declare/parse-resources.ts: in testNow',
  'declare/workspace-schema.ts: filters controls filterOrder',
  'model/service/recognise-rows.ts: identifier name destinationType',
  'observe/observed.ts: filters controls',
  'observe/routine.ts: recipientEmails userGroupIds',
  'omni/read-answers.ts: branchId topicName description',
  'plan/drift.ts: filters controls filterConfig',
  'plan/planned-as.ts: filters controls',
  'plan/planned-as.ts: modelId branchId topicName owner',
  'plan/planned-as.ts: name description prompt schedule timezone destination',
  'plan/requests.ts: owner paused userGroups',
  'report/listed-facts.ts: identifier name',
  'report/listed-facts.ts: modelId name',
];

/** `file: names` of each list outside of the tables in which every text is the name of a field. */
function listsOutside(): readonly string[] {
  const inRecords = rows.flatMap(({ shape }) => Object.keys(fieldsInside(shape) ?? {}));
  const fields = new Set([...kindsInOrder.flatMap((kind) => Object.keys(fieldsOf[kind])), ...inRecords]);
  // The names of two answers of Omni, which are fields as well.
  const answers = 'schedule recipients';
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => file.endsWith('.ts') && !/^(?:model\/fields|emulator)\//.test(file))
    .flatMap((file) =>
      [...readFileSync(`src/${file}`, 'utf8').matchAll(/\[(?:\s*(?:'\w+'|\.\.\.\w+),?)+\s*\]/g)].flatMap(([list]) => {
        const names = [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
        const isList = names.length > 1 && names.every((name) => fields.has(name)) && names.join(' ') !== answers;
        return isList ? [`${file}: ${names.join(' ')}`] : [];
      }),
    )
    .sort();
}

test('no code outside of the tables has a list of field names but these', () => {
  expect(
    listsOutside(),
    'A new list of names most often asks what `decides` or `read` says of a field: ask that. Take out what is gone.',
  ).toEqual(otherQuestions.toSorted());
});
