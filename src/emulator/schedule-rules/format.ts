// The options of each output format, and which options need or exclude each other. An option of another format is
// refused whatever its value.

import { Rejection } from '../pipeline/answer.ts';
import type { Format, ScheduleBody } from './body.ts';

const printFormats: readonly Format[] = ['pdf', 'png'];
const rowFormats: readonly Format[] = ['csv', 'json', 'xlsx'];

const printOptions = {
  expandTablesToShowAllRows: printFormats,
  singleColumnLayout: printFormats,
  paperFormat: ['pdf'],
  paperOrientation: ['pdf'],
} satisfies Partial<Record<keyof ScheduleBody, readonly Format[]>>;

const otherOptions = {
  hideTitle: printFormats,
  hideHiddenFields: ['csv', 'xlsx'],
  enableFormatting: rowFormats,
  overrideRowLimit: rowFormats,
  maxRowLimit: rowFormats,
  showContentLink: ['csv', 'json', 'pdf', 'png', 'xlsx'],
  showFilters: ['json', 'pdf', 'png', 'xlsx'],
} satisfies Partial<Record<keyof ScheduleBody, readonly Format[]>>;

/** Also true for a name that is not a format option at all. */
export function belongsToFormat(name: string, format: Format): boolean {
  const options: Readonly<Record<string, readonly Format[]>> = { ...printOptions, ...otherOptions };
  return !Object.hasOwn(options, name) || options[name]?.includes(format) === true;
}

export function checkFormat(body: ScheduleBody): void {
  const wrong = findMisplaced(body, otherOptions);
  if (wrong !== undefined) {
    const names = wrong.formats.map((format) => format.toUpperCase()).join(' or ');
    throw new Rejection(400, `${wrong.option} can only be used with ${names} formats`);
  }
  if (findMisplaced(body, printOptions) !== undefined) {
    throw new Rejection(400, 'Print options are not supported for this format');
  }
  if (
    body.paperFormat === 'fit_page' &&
    (body.singleColumnLayout === true || body.expandTablesToShowAllRows === true)
  ) {
    throw new Rejection(400, 'Single column layout and table expansion options are not supported for FIT_PAGE format.');
  }
  checkSingleQuery(body);
}

function checkSingleQuery({ format, enableFormatting, overrideRowLimit, queryIdentifierMapKey }: ScheduleBody): void {
  if (queryIdentifierMapKey !== undefined) return;
  if (format === 'json' && enableFormatting === true) refuseWithoutQuery('enableFormatting', format);
  if ((format === 'json' || format === 'xlsx') && overrideRowLimit === true) {
    refuseWithoutQuery('overrideRowLimit', format);
  }
}

function refuseWithoutQuery(option: string, format: Format): never {
  throw new Rejection(400, `queryIdentifierMapKey: Required for ${format} with ${option}`);
}

function findMisplaced(body: ScheduleBody, options: Readonly<Record<string, readonly Format[]>>) {
  for (const [option, formats] of Object.entries(options)) {
    if (Object.hasOwn(body, option) && !formats.includes(body.format)) return { option, formats };
  }
  return undefined;
}
