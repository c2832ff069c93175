// The permissions that jobs need in docs/ci.md: a table generated from their rows, placed between markers.

import { jobPermissions } from '../../src/commands/doctor/job-permissions.ts';
import { kinds as kindRows } from '../../src/model/values/address.ts';

export function permissionsTable(): string {
  const rows = Object.entries(jobPermissions).map(([command, needs]) => {
    const all = needs.map(({ permission, kinds }) => {
      const declared = kinds.map((kind) => `\`${kindRows[kind].section}\``).join(', ');
      return `\`${permission}\` (${declared})`;
    });
    return `| \`almanac ${command}\` | ${all.join('; ')} |\n`;
  });
  return ['| command | permissions, where these are declared |\n', '|---|---|\n', ...rows].join('');
}
