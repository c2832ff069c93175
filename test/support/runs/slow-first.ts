// The order in which test files start: those that take long first. So no worker waits at the end for one that started last.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts programs, what tries many values, and everything else. */
const groups = [/\.slow\.test\.ts$/, /\/test\/property\//, /./];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => groups.findIndex((group) => group.test(moduleId));
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
