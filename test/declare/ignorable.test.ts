// The closed list of what `lifecycle.ignoreChanges` takes. This page holds the list a second time: a field that joins
// it decides that something is sent which no file declares.

import { expect, it } from 'vitest';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, type Section, sections } from '../../src/model/values/address.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { aiJob, dashboard, mail, routine } from '../support/vocabulary.ts';

const ignorable: Readonly<Record<Section, readonly string[]>> = {
  dashboards: [],
  schedules: [
    'name',
    'schedule',
    'timezone',
    'subject',
    'textBody',
    'hideTitle',
    'singleColumnLayout',
    'paperFormat',
    'paperOrientation',
    'paused',
  ],
  routines: ['name', 'description', 'schedule', 'timezone'],
  aiJobs: [],
};

const otherList =
  'The fields with `ignorable` are not those of the list above. Who adds one decides that what people changed in Omni is sent.';

const two = (one: object) => ({ a: { ...one, name: 'A' }, b: { ...one, name: 'B' } });
const declared: Readonly<Record<Section, object>> = {
  dashboards: { a: dashboard(), b: dashboard({ identifier: '3f9c2b71' }) },
  schedules: two(mail()),
  routines: two(routine({ owner: 'bo@example.com' })),
  aiJobs: { a: aiJob(), b: aiJob({ prompt: 'Summarise stock.' }) },
};

const config = 'api: { operations: full }\n';

/** The names that are refused, in the order of their places, and how many findings there are in all. */
async function refusedIn(files: Readonly<Record<string, string>>) {
  const found = await diagnosticsOf(files);
  const refused = found.filter(({ code }) => code === 'not-ignorable');
  return {
    names: refused.map(({ message }) => /^`([^`]+)` cannot be ignored/.exec(message)?.[1]),
    files: [...new Set(refused.map(({ file }) => file))],
    others: found.filter(({ code }) => code !== 'not-ignorable').map(({ code }) => code),
  };
}

const withIgnored = (resources: object, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(resources).map(([key, fields]) => [key, { ...fields, lifecycle: { ignoreChanges: names } }]),
  );

it.each(sections)('of all fields of %s, ignoreChanges refuses all but those of the closed list', async (section) => {
  const names = Object.keys(fieldsOf[kindOfSection[section]]);
  const [[key, one] = ['', {}]] = Object.entries(declared[section]);
  const source = { [section]: withIgnored({ [key]: one }, names) };
  expect(await refusedIn({ 'almanac.yaml': config, 'schedules/a.yaml': JSON.stringify(source) }), otherList).toEqual({
    names: names.filter((name) => !ignorable[section].includes(name)),
    files: ['schedules/a.yaml'],
    others: [],
  });
});

it.each(sections)(
  'ignoreChanges of a default of %s is refused once for each name, however many take it over',
  async (section) => {
    const names = Object.keys(fieldsOf[kindOfSection[section]]);
    const defaults = JSON.stringify({ [section]: { lifecycle: { ignoreChanges: names } } });
    const resources = JSON.stringify(declared[section]);
    const refused = names.filter((name) => !ignorable[section].includes(name));
    const inFile = {
      'almanac.yaml': config,
      'schedules/a.yaml': `{ "defaults": ${defaults}, "${section}": ${resources} }`,
    };
    expect(await refusedIn(inFile)).toEqual({ names: refused, files: ['schedules/a.yaml'], others: [] });
    const inConfig = {
      'almanac.yaml': `${config}defaults: ${defaults}\n`,
      'schedules/a.yaml': `{ "${section}": ${resources} }`,
    };
    expect(await refusedIn(inConfig)).toEqual({ names: refused, files: ['almanac.yaml'], others: [] });
  },
);
