// Prints a command's result, and decides the exit code of one that looks. The result goes to stdout, as text or
// document, and to --report files.

import type { KeptFiles, Workspace } from '../../declare/workspace.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { colourTheme, type Page, plainTheme } from '../../report/text/theme.ts';
import { withoutWorkflowCommands } from '../../report/text/visible-values.ts';
import { type Wording, wordingFor } from '../../report/wording.ts';
import type { GlobalOptions } from './command.ts';
import type { ReportFile } from './option-values.ts';
import type { Output, World } from './world.ts';

interface OutputOptions<F extends string> {
  readonly format: F;
  readonly report?: readonly ReportFile<F>[] | undefined;
}

/** Prints each format with a newline at its end; for JSON, gives the document. */
type Printers<F extends string> = {
  readonly [Format in F]: Format extends 'json' ? object : (page: Page, isFile: boolean) => string | Promise<string>;
};

function printed<F extends string>(printers: Printers<F>, format: F, page: Page, isFile: boolean) {
  const printer: object | ((page: Page, isFile: boolean) => string | Promise<string>) = printers[format];
  return typeof printer === 'function' ? printer(page, isFile) : renderJson(printer);
}

export type Publishes = ReturnType<typeof makePublishing>;

export function makePublishing(
  world: World,
  options: GlobalOptions,
  workspace: () => Promise<Workspace>,
  keptFiles: () => Promise<KeptFiles>,
) {
  /** Checks before the work. Throws Failure usage if results share a file, or a file cannot or must not be written. */
  const checkFiles = async (files: readonly string[]): Promise<void> => {
    const named = new Map<string, string>();
    for (const file of files) {
      const target = await (await workspace()).findWritable(file, await keptFiles());
      const other = named.get(target);
      if (other !== undefined) throw writtenTwice(other, file);
      named.set(target, file);
    }
  };
  const page = (output: Output = world.stdout): Page => pageOf(output, world, options);
  /** Prints a sentence. It may quote any text, so control characters in it are made harmless. */
  const say = (words: string, output: Output = world.stdout): void =>
    output.write(`${safeText(wordingIn(world, options)(words))}\n`);
  /** Prints a document for programs with `--format json`, and its text otherwise. */
  const print = (format: string, document: object, text: (page: Page) => string): void => {
    if (format === 'json') world.stdout.data(renderJson(document));
    else world.stdout.write(text(page()));
  };
  const writeReports = async <F extends string>(
    { report = [] }: Pick<OutputOptions<F>, 'report'>,
    printers: Printers<F>,
  ): Promise<void> => {
    for (const { format, file } of report) {
      const plain = { theme: plainTheme, width: 80, wording: wordingIn(world, options) };
      const text = await printed(printers, format, plain, true);
      // A job may print the file to its log.
      await (await workspace()).writeOutside(file, isForPeople(format) ? withoutWorkflowCommands(text) : text);
    }
  };
  /** Prints the result to stdout, and uncut to the file of each `--report`. */
  const publish = async <F extends string>(outputOptions: OutputOptions<F>, printers: Printers<F>): Promise<void> => {
    await writeReports(outputOptions, printers);
    const text = await printed(printers, outputOptions.format, page(), false);
    if (isForPeople(outputOptions.format)) world.stdout.write(text);
    else world.stdout.data(text);
  };
  return { checkFiles, page, say, print, writeReports, publish };
}

/** The other formats are for programs, and leave byte for byte. */
const isForPeople = (format: string) => format === 'text' || format === 'markdown';

function writtenTwice(first: string, second: string): Failure {
  const to = first === second ? first : `one file: ${first} and ${second}`;
  return new Failure('usage', `Two results would be written to ${to}.`, { hint: 'Give each result its own file.' });
}

/**
 * A log or a pipe has no edge, so nothing is cut there; prose is wrapped all the same. NO_COLOR and --no-color remove colours; FORCE_COLOR adds them without a terminal (https://no-color.org).
 */
export function pageOf(output: Output, world: World, options: Partial<GlobalOptions>): Page {
  const { color = true, verbose } = options;
  const theme = isColoured(output, world, color) ? colourTheme : plainTheme;
  const { isTerminal, width } = output;
  const room = isTerminal ? width : Number.POSITIVE_INFINITY;
  return { theme, width, room, showsAll: verbose === true, wording: wordingIn(world, options) };
}

export function wordingIn({ advisable }: World, options: Partial<GlobalOptions>): Wording {
  return wordingFor(advisable(), options);
}

/** True if a line can be redrawn. Otherwise each step is printed on its own line. */
export function redraws({ isTerminal }: Output, { environment }: World): boolean {
  return isTerminal && environment('TERM') !== 'dumb';
}

function isColoured(output: Output, world: World, color: boolean): boolean {
  const forced = world.environment('FORCE_COLOR');
  if (!color || world.environment('NO_COLOR')) return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return redraws(output, world);
}

// The exit code of a command that looks: a finding outranks what could not be read.

/** `isWrong` if somebody must look at what was found, `isOpen` if something was not read, not judged or not done. */
export function exitCodeOf({ isWrong, isOpen }: { readonly isWrong: boolean; readonly isOpen: boolean }): 0 | 1 | 2 {
  if (isWrong) return 2;
  return isOpen ? 1 : 0;
}
