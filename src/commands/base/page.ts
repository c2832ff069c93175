// The width and the colours of a stream, and whether -v asks for everything. A log or a pipe has no edge, so nothing is
// cut there; prose is wrapped all the same.

import type { Page } from '../../render/text/field-lines.ts';
import { colourTheme, plainTheme } from '../../render/text/theme.ts';
import type { GlobalOptions } from './command.ts';
import type { Output, World } from './world.ts';

/** NO_COLOR and --no-color remove colours; FORCE_COLOR adds them without a terminal (https://no-color.org). */
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
