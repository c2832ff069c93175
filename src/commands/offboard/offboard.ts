// `almanac offboard EMAIL`: what leaves with a person. With --write it takes their address out of the source files, if
// nothing changes but recipients. What they own is known to Omni only; transferring it is not a part of this file.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import { parseOnce } from '../../engine/load/parse-once.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { offboard } from '../../engine/people/offboard.ts';
import { emailShape } from '../../model/fields/patterns.ts';
import { type OffboardDocument, offboardFormatVersion } from '../../model/people/offboard-document.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderOffboard } from '../../render/people/offboard-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { pageOf } from '../base/page.ts';
import { loadWorkspace, openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { everyEnvironment, inEnvironment } from '../files/every-environment.ts';
import { writeFiles } from '../files/write-files.ts';
import type { OffboardOptions } from './command.ts';

export async function offboardPerson(world: World, options: OffboardOptions, name: string): Promise<number> {
  const { to, write, env } = options;
  const email = name.toLowerCase();
  requireAddresses(email, to);
  const { workspace, loaded } = await openSession(world, options);
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const parse = parseOnce();
  const { sides, unread } = await everyEnvironment(world, options, workspace, parse);
  for (const words of unread) world.stderr.write(`warning: ${safeText(words)}\n`);
  const side: LoadedSide = sides.find((each) => each.side.name === env) ?? { side: { name: env }, loaded };
  const { files, ...found } = await offboard({
    ...{ workspace, sides, side, email, to, randomness: world.randomness },
    load: async (edited, { name: environment }) => {
      const here = inEnvironment(world, options, environment);
      return loadWorkspace(here.world, here.options, edited, undefined, parse);
    },
  });
  if (write) await writeFiles(world, workspace, files, { meanwhile: 'offboard checked the result', isOneChange: true });
  const document: OffboardDocument = {
    formatVersion: offboardFormatVersion,
    email,
    ...(to === undefined ? {} : { to }),
    owns: [],
    ...found,
  };
  if (options.format === 'json') world.stdout.data(renderJson(document));
  else world.stdout.write(renderOffboard(document, write === true, pageOf(world.stdout, world, options)));
  return document.blocked.length > 0 ? 1 : 0;
}

/** Throws Failure usage. */
function requireAddresses(email: string, to: string | undefined): void {
  const isAddress = new RegExp(emailShape);
  const wrong = [email, ...(to === undefined ? [] : [to])].find((each) => !isAddress.test(each) || each.includes('*'));
  if (wrong !== undefined)
    throw new Failure('usage', `${wrong} is not an e-mail address.`, {
      hint: 'One person leaves at a time; almanac who takes patterns.',
    });
  // In a source file it would be a reference, and in a CSV file a formula.
  if (to !== undefined && (/^[=+-]/.test(to) || to.includes('${')))
    throw new Failure('usage', `${to} cannot be written into every kind of file.`, {
      hint: 'Without --to, the address is removed; add the successor yourself.',
    });
  if (to?.toLowerCase() === email) throw new Failure('usage', `--to names the person who leaves, ${to}.`);
}
