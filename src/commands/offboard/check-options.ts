// Whether the options of `offboard` go together, before any work.

import { emailShape } from '../../model/fields/patterns.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkEmail } from '../../validate/formats/check-email.ts';
import { noTerminal } from '../base/confirm.ts';
import type { Run } from '../base/run.ts';
import type { OffboardOptions } from './command.ts';

/** `email`: in lower case. Throws Failure usage. */
export function checkOptions(run: Run, options: OffboardOptions, email: string): void {
  requireAddresses(email, options.to);
  const { apply, offline, resume, force, to, autoApprove } = options;
  if (offline && (resume || force))
    throw new Failure('usage', '--offline reads nothing that --resume or --force is about.', {
      hint: 'Leave out --offline, or the other.',
    });
  if (!apply) return;
  if (to === undefined)
    throw new Failure('usage', '--apply needs to know who takes over.', { hint: 'Name a successor with --to.' });
  if (offline) {
    throw new Failure('usage', '--apply changes Omni, and --offline sends nothing to it.', {
      hint: 'Leave out one of them.',
    });
  }
  if (!autoApprove && run.asker() === undefined)
    throw noTerminal('nothing was sent', 'Use --auto-approve if what the person owns may be transferred.');
}

function requireAddresses(email: string, to: string | undefined): void {
  const isAddress = new RegExp(emailShape);
  const wrong = [email, ...(to === undefined ? [] : [to])].find((each) => !isAddress.test(each) || each.includes('*'));
  if (wrong !== undefined)
    throw new Failure('usage', `${wrong} is not an e-mail address.`, {
      hint:
        wrong === email
          ? 'One person leaves at a time; almanac who takes patterns.'
          : 'Name one successor by address: --to bo@example.com.',
    });
  // In a source file it would be a reference, and in a CSV file a formula.
  if (to !== undefined && (/^[=+-]/.test(to) || to.includes('${')))
    throw new Failure('usage', `${to} cannot be written into every kind of file.`, {
      hint: 'Without --to, the address is removed; add the successor yourself.',
    });
  const [problem] = to === undefined ? [] : checkEmail(to);
  if (problem !== undefined) {
    const { message, hint = 'Write an address such as `bo@example.com`.' } = problem;
    throw new Failure('usage', `--to names nobody who could receive mail. ${message}`, { hint });
  }
  if (to?.toLowerCase() === email) {
    throw new Failure('usage', `--to names the person who leaves, ${to}.`, {
      hint: 'Name another successor. Without --to, the address is removed.',
    });
  }
}
