// Finds the lines of the table of permissions that nothing uses. Nobody gets rows by them, and a report that is added
// later needs no review of the table.

import { deliveryOf } from '../../model/fields/delivery.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { type Desired, declaredAttributes } from '../../model/workspace/resource.ts';
import { quote } from '../formats/quote.ts';
import { isShared, judgedReceivers, type RowRules, shownRows } from './judge-rows.ts';
import { everyRow, type Permission } from './permissions.ts';
import type { JudgedRows } from './rows-of-others.ts';

interface UsedPermissions {
  readonly config?: Pick<Config, 'environments'> | undefined;
  readonly desired: Pick<Desired, 'resources' | 'absent'>;
  readonly rows?: JudgedRows | undefined;
  readonly findings: readonly Finding[];
}

/** Enough to begin with. */
const maxNamed = 5;

/** Empty if other environments may use them, or if an error may be why nothing does. */
export function unusedLines({ config, desired, rows, findings }: UsedPermissions): readonly Finding[] {
  if (rows === undefined || desired.absent !== undefined || hasErrors(findings)) return [];
  const { permissions } = rows.rules;
  const used = usedLines(desired.resources, rows.rules);
  // The sinks of other environments need lines with `*`.
  const hasSinks = (config?.environments ?? []).length > 0;
  const unused = permissions.permissions().filter((each) => !used.has(each) && !(hasSinks && each.shows === everyRow));
  const [first] = unused;
  if (first === undefined) return [];
  const names = unused.map(({ text, row }) => `${quote(text)} (line ${row.line})`);
  const are = countOf(unused.length, 'line is', 'lines are');
  return [
    {
      code: 'rows-unused',
      message: `${are} used by no report: ${nameSome(names, names.length, maxNamed)}.`,
      hint: 'Remove the lines that are no longer agreed: they would allow a report that is added later without another review.',
      place: { file: permissions.file, line: first.row.line, column: 1 },
    },
  ];
}

function usedLines(resources: Desired['resources'], rules: RowRules): ReadonlySet<Permission> {
  const used = new Set<Permission>();
  for (const resource of resources) {
    const { kind } = resource;
    const delivery = deliveryOf(kind, declaredAttributes(resource));
    const judged = new Set(judgedReceivers(kind, delivery, rules).flatMap(({ allowed }) => allowed ?? []));
    if (judged.size === 0) continue;
    const rows = isShared(delivery, rules) ? undefined : shownRows(kind, delivery, rules);
    // If no filter limits them, any value may be shown.
    const values = rows !== undefined && 'shown' in rows ? new Set(rows.shown.map(({ value }) => value)) : undefined;
    for (const { lines } of judged)
      for (const line of lines)
        if (values === undefined || line.shows === everyRow || values.has(line.shows)) used.add(line);
  }
  return used;
}
