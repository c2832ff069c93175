import { expect, test } from 'vitest';
import { scheduleBody, startEmulator } from '../support/emulator/start-emulator.ts';

const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'];

const options: [string, unknown, string[]][] = [
  ['hideTitle', false, ['pdf', 'png']],
  ['hideHiddenFields', false, ['csv', 'xlsx']],
  ['enableFormatting', false, ['csv', 'xlsx', 'json']],
  ['overrideRowLimit', false, ['csv', 'json', 'xlsx']],
  ['maxRowLimit', 1, ['csv', 'json', 'xlsx']],
  ['showContentLink', true, ['csv', 'json', 'pdf', 'png', 'xlsx']],
  ['showFilters', true, ['json', 'pdf', 'png', 'xlsx']],
  ['expandTablesToShowAllRows', false, ['pdf', 'png']],
  ['singleColumnLayout', false, ['pdf', 'png']],
  ['paperFormat', 'a4', ['pdf']],
  ['paperOrientation', 'landscape', ['pdf']],
];

test.each(options)(
  'the field %s is accepted only with its formats, whatever its value',
  async (name, value, allowed) => {
    const { send } = await startEmulator();
    for (const format of formats) {
      const { status } = await send('POST', '/v1/schedules', scheduleBody('email', { format, [name]: value }));
      expect([format, status]).toEqual([format, allowed.includes(format) ? 200 : 400]);
    }
  },
);

test.each<[object, string]>([
  [{ format: 'csv', hideTitle: true }, 'hideTitle can only be used with PDF or PNG formats'],
  [{ format: 'csv', paperFormat: 'a4' }, 'Print options are not supported for this format'],
  [
    { format: 'pdf', paperFormat: 'fit_page', expandTablesToShowAllRows: true },
    'Single column layout and table expansion options are not supported for FIT_PAGE format.',
  ],
  [
    { format: 'pdf', paperFormat: 'fit_page', singleColumnLayout: true },
    'Single column layout and table expansion options are not supported for FIT_PAGE format.',
  ],
  [{ format: 'json', enableFormatting: true }, 'queryIdentifierMapKey: Required for json with enableFormatting'],
  [{ format: 'json', overrideRowLimit: true }, 'queryIdentifierMapKey: Required for json with overrideRowLimit'],
  [{ format: 'xlsx', overrideRowLimit: true }, 'queryIdentifierMapKey: Required for xlsx with overrideRowLimit'],
  [{ format: 'csv', maxRowLimit: 0 }, 'maxRowLimit: Number must be greater than or equal to 1'],
  [{ format: 'csv', maxRowLimit: 1.5 }, 'maxRowLimit: Expected integer, received float'],
  [{ format: 'csv', maxRowLimit: '10' }, 'maxRowLimit: Expected number, received string'],
  [{ format: 'csv', enableFormatting: 'true' }, 'enableFormatting: Expected boolean, received string'],
])('a schedule is answered with 400 for the format fields %j', async (changes, detail) => {
  const { send } = await startEmulator();
  expect((await send('POST', '/v1/schedules', scheduleBody('email', changes))).body).toEqual({ detail, status: 400 });
});

test.each<[object]>([
  [{ format: 'pdf', paperFormat: 'fit_page', expandTablesToShowAllRows: false, singleColumnLayout: false }],
  [
    {
      format: 'pdf',
      paperFormat: 'tabloid',
      paperOrientation: 'portrait',
      expandTablesToShowAllRows: true,
      singleColumnLayout: true,
    },
  ],
  [{ format: 'json', enableFormatting: true, overrideRowLimit: true, maxRowLimit: 5000, queryIdentifierMapKey: '1' }],
  [{ format: 'xlsx', enableFormatting: true }],
  [{ format: 'xlsx', overrideRowLimit: true, queryIdentifierMapKey: '1' }],
  [{ format: 'csv', enableFormatting: true, overrideRowLimit: true, maxRowLimit: 10, hideHiddenFields: true }],
])('a schedule accepts the format fields %j', async (changes) => {
  const { send } = await startEmulator();
  expect((await send('POST', '/v1/schedules', scheduleBody('email', changes))).body).toHaveProperty('id');
});
