// Parses a fault from one line of text: its name, then `key=value` settings, separated by commas, such as
// `drop-after,on=POST /v1/schedules,at=3`.

import { BadFault, checkFault, type Fault, type FaultName } from './fault.ts';

const keys = ['on', 'at', 'every', 'p', 'seed', 'ms', 'retry-after'];

/** Throws a BadFault. */
export function parseFault(text: string): Fault {
  const [name = '', ...settings] = text.split(',').map((part) => part.trim());
  const fault: Record<string, string | number> = { fault: name };
  for (const setting of settings) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/.exec(setting) ?? [];
    if (!keys.includes(key))
      throw new BadFault(`"${setting}" is not a setting. The settings are ${keys.join('=, ')}=.`);
    const field = key === 'retry-after' ? 'retryAfter' : key;
    if (Object.hasOwn(fault, field)) throw new BadFault(`"${key}" appears twice.`);
    fault[field] = key === 'on' ? value : readNumber(value);
  }
  const read = fault as unknown as Fault & { readonly fault: FaultName };
  checkFault(read);
  return read;
}

/** Anything but a number becomes a value that no setting allows. */
function readNumber(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
