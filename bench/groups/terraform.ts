// Terraform with as many resources, beside plans of the same size. Its built-in resource holds the same values and asks
// no service, and its state is a file, so it has as little to do as we have.

import type { Figure, Row } from '../figure.ts';
import { emptyPlan, type Lab, temperatures } from '../lab.ts';
import { type Compared, compare } from '../measure.ts';
import { findPeer, type Peer } from '../peers.ts';
import { openTerraform } from '../terraform-workspace.ts';
import { serveApply } from './apply.ts';

const rounds = 3;
/** Of the largest, Terraform takes a quarter of a minute. */
const sizes = [
  { count: 2000, rounds },
  { count: 5000, rounds: 1 },
];
const applied = 2000;

export async function measureTerraform(lab: Lab): Promise<readonly Row[]> {
  const peer = await findTerraform();
  if (peer === undefined) return sizes.map(({ count }) => leftOut(`plan of ${named(count)}`));
  const rows: Row[] = [];
  for (const { count, rounds } of sizes) {
    const cwd = await lab.applied(count);
    const terraform = await openTerraform(lab, peer.path, cwd, true);
    const theirs = terraform(['plan', '-input=false'], 'No changes.');
    const ours = await lab.coldAndWarm({ args: ['plan'], cwd, mustPrint: emptyPlan });
    const compared = await compare(rounds, theirs, ours);
    const name = `plan of ${named(count)}`;
    rows.push(...compared.map((times, index) => figureOf(`${name}, ${temperatures[index]}`, peer, times)));
  }
  return rows;
}

/** What takes it long: everything is new. */
export async function measureTerraformCreates(lab: Lab): Promise<readonly Row[]> {
  const peer = await findTerraform();
  const names = ['validate', 'plan', 'apply'].map((command) => `${command} of ${named(applied)} new, cold`);
  if (peer === undefined) return names.map(leftOut);
  const terraform = await openTerraform(lab, peer.path, await lab.applied(applied), false);
  const served = await serveApply(lab, applied);
  try {
    const { cwd, env } = served;
    const almanac = (args: readonly string[], mustPrint: string) => lab.almanac('cold', { args, cwd, env, mustPrint });
    const compared = [
      ...(await compare(rounds, terraform(['validate'], 'is valid'), [await almanac(['validate'], 'No errors')])),
      ...(await compare(rounds, terraform(['plan', '-input=false'], `Plan: ${applied} to add`), [
        await almanac(['plan'], `Plan: ${applied} to create.`),
      ])),
      ...(await compare(1, terraform(['apply', '-input=false', '-auto-approve'], `${applied} added`), [
        await almanac(['apply', '--auto-approve'], `Applied ${applied} changes.`),
      ])),
    ];
    return compared.map((each, index) => figureOf(names[index] ?? '', peer, each));
  } finally {
    await served.end();
  }
}

function findTerraform(): Promise<Peer | undefined> {
  return findPeer('terraform', 'TERRAFORM');
}

/** The target is to be quicker. */
function figureOf(name: string, { version }: Peer, compared: Compared): Figure {
  return { name, unit: '×', to: 'Terraform', toVersion: version, target: 1, ...compared };
}

function leftOut(name: string): Row {
  return { name: `${name} / Terraform`, leftOut: 'terraform is not installed' };
}

function named(count: number): string {
  return count.toLocaleString('en');
}
