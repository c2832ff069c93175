// What the commands take: the options that several share, and the values of options.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { GlobalOptions } from '../commands/base/options.ts';
import type { ReportFile } from '../commands/base/report-files.ts';

/** The options of a command with the global ones. */
export function optionsOf<T>(command: Command): T & GlobalOptions {
  return command.optsWithGlobals<T & GlobalOptions>();
}

export const textOrJson = () =>
  new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text');

/** `--format`, where there is more than text and JSON; the first is what comes without it. */
export function formatOption(formats: readonly [string, ...string[]]): Option {
  return new Option('--format <format>', 'how to print').choices(formats).default(formats[0]);
}

/** `--report FORMAT=FILE`, several times. */
export function reportOption<F extends string>(formats: readonly F[]): Option {
  const words = `write a report besides: ${formats.join(', ')}`;
  return new Option('--report <format=file>', words).argParser<readonly ReportFile<F>[]>((text, before = []) => {
    const at = text.indexOf('=');
    const [name, file] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    const format = formats.find((each) => each === name);
    if (format === undefined)
      throw new InvalidArgumentError(`A report is FORMAT=FILE, and FORMAT is one of ${formats.join(', ')}.`);
    if (file === '') throw new InvalidArgumentError(`It names no file. Write ${format}=FILE.`);
    return [...before, { format, file }];
  });
}

/** `--refresh`, `--refresh=deep`; a plan file after it is taken for a depth. */
export function refreshOption(): Option {
  return new Option('--refresh [depth]', 'look at what there is first; deep: at the details of all')
    .choices(['deep'])
    .argParser((text) => {
      if (text === 'deep') return text;
      throw new InvalidArgumentError(
        'It stands alone or as --refresh=deep. A saved plan is looked at as it was made, without --refresh.',
      );
    });
}

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`}.`,
    );
  };
}

const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Epoch milliseconds; a time needs its offset, a date alone begins in UTC. */
export function instant(text: string): number {
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be an instant such as 2026-11-21T09:00:00Z, or a date.');
  return at;
}

/** An option that may be given several times. */
export function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
