// The width and the colours of a stream, and whether -v asks for everything. A log or a pipe has no edge, so nothing is
// cut there; prose is wrapped all the same.

import type { Page } from '../../render/text/field-lines.ts';
import { colourTheme, plainTheme } from '../../render/text/theme.ts';
import type { GlobalOptions } from './command.ts';
import type { Output, World } from './world.ts';

/** NO_COLOR and --no-color remove colours; FORCE_COLOR adds them without a terminal (https://no-color.org). */
export function pageOf(
  output: Output,
  world: World,
  { color, verbose }: Pick<GlobalOptions, 'color' | 'verbose'>,
): Page {
  const theme = isColoured(output, world, color) ? colourTheme : plainTheme;
  const { isTerminal, width } = output;
  return { theme, width, room: isTerminal ? width : Number.POSITIVE_INFINITY, showsAll: verbose === true };
}

function isColoured(output: Output, { environment }: World, color: boolean): boolean {
  const forced = environment('FORCE_COLOR');
  if (!color || environment('NO_COLOR')) return false;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return output.isTerminal && environment('TERM') !== 'dumb';
}
