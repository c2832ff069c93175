// Starts, and small plans without changes, beside a Node that does nothing.

import type { Figure } from '../figure.ts';
import { bareNode, emptyPlan, type Lab, temperatures } from '../lab.ts';
import { compare } from '../measure.ts';

interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly mustPrint: string;
  readonly cwd: string;
  readonly target?: number;
}

const rounds = 25;
const plans: readonly (readonly [count: number, target?: number])[] = [[10, 2], [100, 3], [500]];

export async function measureStart(lab: Lab): Promise<readonly Figure[]> {
  const cwd = await lab.makeFolder('empty');
  const starts: Start[] = [
    { name: 'almanac --version', args: ['--version'], mustPrint: '.', cwd, target: 1.2 },
    { name: 'almanac --help', args: ['--help'], mustPrint: 'Usage: almanac', cwd, target: 1.2 },
  ];
  for (const [count, target] of plans) {
    const plan = { name: `plan of ${count}`, args: ['plan'], mustPrint: emptyPlan, cwd: await lab.applied(count) };
    starts.push({ ...plan, ...(target === undefined ? {} : { target }) });
  }
  const bare = await bareNode(lab);
  const figures: Figure[] = [];
  for (const { name, target, ...run } of starts) {
    const compared = await compare(rounds, bare, await lab.coldAndWarm(run));
    const limit = target === undefined ? {} : { target };
    compared.forEach((each, index) => {
      figures.push({ name: `${name}, ${temperatures[index]}`, unit: '×', to: 'node -e 0', ...limit, ...each });
    });
  }
  return figures;
}
