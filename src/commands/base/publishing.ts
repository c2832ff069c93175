// How a command prints its result: on stdout, as text or as a document, and into the files of --report.

import type { Workspace } from '../../declare/workspace.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { colourTheme, type Page, plainTheme } from '../../report/text/theme.ts';
import type { GlobalOptions } from './command.ts';
import type { ReportFile } from './option-values.ts';
import type { Output, World } from './world.ts';

export interface Publishes {
  /** Before the work. Throws Failure usage if two results go to one file, or if a file cannot be written. */
  checkFiles(files: readonly string[]): Promise<void>;
  /** Of stdout, or another. */
  page(output?: Output): Page;
  /** A document for programs with `--format json`; otherwise its text. */
  print(format: string, document: object, text: (page: Page) => string): void;
  /**
   * The result on stdout, and in the file of each `--report`, where nothing is cut. `render` ends each with a newline; as
   * text it is for people.
   */
  publish<F extends string>(asked: Published<F>, render: Renderer<F>): Promise<void>;
  /** Those of `publish` that go into files. */
  writeReports<F extends string>(asked: Pick<Published<F>, 'report'>, render: Renderer<F>): Promise<void>;
}

interface Published<F extends string> {
  readonly format: F;
  readonly report?: readonly ReportFile<F>[] | undefined;
}

type Renderer<F> = (format: F, page: Page, isFile: boolean) => string | Promise<string>;

export function makePublishing(world: World, options: GlobalOptions, workspace: () => Promise<Workspace>): Publishes {
  const publishes: Publishes = {
    checkFiles: async (files) => {
      const named = new Map<string, string>();
      for (const file of files) {
        const target = await (await workspace()).findWritable(file);
        const other = named.get(target);
        if (other !== undefined) throw writtenTwice(other, file);
        named.set(target, file);
      }
    },
    page: (output = world.stdout) => pageOf(output, world, options),
    print: (format, document, text) => {
      if (format === 'json') world.stdout.data(renderJson(document));
      else world.stdout.write(text(publishes.page()));
    },
    writeReports: async ({ report = [] }, render) => {
      const page = { theme: plainTheme, width: 80 };
      for (const { format, file } of report)
        await (await workspace()).writeOutside(file, await render(format, page, true));
    },
    publish: async ({ format, report }, render) => {
      await publishes.writeReports({ report }, render);
      const text = await render(format, publishes.page(), false);
      if (format === 'text') world.stdout.write(text);
      else world.stdout.data(text);
    },
  };
  return publishes;
}

function writtenTwice(first: string, second: string): Failure {
  const to = first === second ? first : `one file: ${first} and ${second}`;
  return new Failure('usage', `Two results would be written to ${to}.`, { hint: 'Give each result its own file.' });
}

/**
 * A log or a pipe has no edge, so nothing is cut there; prose is wrapped all the same. NO_COLOR and --no-color remove colours; FORCE_COLOR adds them without a terminal (https://no-color.org).
 */
export function pageOf(output: Output, world: World, { color = true, verbose }: Partial<GlobalOptions>): Page {
  const theme = isColoured(output, world, color) ? colourTheme : plainTheme;
  const { isTerminal, width } = output;
  return { theme, width, room: isTerminal ? width : Number.POSITIVE_INFINITY, showsAll: verbose === true };
}

/** Whether a line can be drawn over again. Where it cannot, what happens is said in lines of its own. */
export function redraws({ isTerminal }: Output, { environment }: World): boolean {
  return isTerminal && environment('TERM') !== 'dumb';
}

function isColoured(output: Output, world: World, color: boolean): boolean {
  const forced = world.environment('FORCE_COLOR');
  if (!color || world.environment('NO_COLOR')) return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return redraws(output, world);
}
