// The order in which test files start: the slow ones first, so that no worker waits at the end for one that started last.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.endsWith('.slow.test.ts') ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
