// The order in which test files start: those that take longest first, so that no worker waits at the end for one that
// started last.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'test/cli/shared-killed.test.ts',
  'test/adapters/git-log.scale.test.ts',
  'test/cli/killed.test.ts',
  'test/docs/pages.test.ts',
  'test/action/scaffolds-run.test.ts',
  'test/action/weeks.test.ts',
  'test/gitlab/apply-pipeline.test.ts',
  'test/property/killed-worlds.test.ts',
  'test/adapters/git-log-race.scale.test.ts',
  'test/cli/commands.test.ts',
  'test/property/killed.test.ts',
  'test/adapters/git-log-faults.test.ts',
  'test/cli/migrate-killed.test.ts',
  'test/engine/load.scale.test.ts',
  'test/cli/import-large.test.ts',
  'test/gitlab/review-note.test.ts',
  'test/action/reviewed.test.ts',
  'test/cli/completion.test.ts',
  'test/adapters/git-log-attacks.test.ts',
  'test/property/agreement.test.ts',
  'test/adapters/s3-log-conformance.test.ts',
  'test/property/reviewed-is-applied.test.ts',
  'test/cli/three-hundred.test.ts',
  'test/gitlab/state-credential.test.ts',
  'test/gitlab/several-workspaces.test.ts',
  'test/adapters/git-log-branch.test.ts',
  'test/action/base-branch.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((path) => moduleId.endsWith(path));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
