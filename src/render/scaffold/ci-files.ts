// The workflow of a CI system: what would change is shown on every merge request, and applied on the default branch by
// one job at a time, which commits the state. That job is never cancelled: it could be in the middle of a request.

export type CiSystem = 'github' | 'gitlab';

const github = `name: almanac

on:
  pull_request:
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read

jobs:
  plan:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npx almanac fmt --check
      - run: npx almanac validate
      # Sends no request and needs no secret, so it runs for forks as well.
      - name: Plan
        shell: bash
        run: |
          set -o pipefail
          echo '\`\`\`' >> "$GITHUB_STEP_SUMMARY"
          npx almanac plan | tee -a "$GITHUB_STEP_SUMMARY"
          echo '\`\`\`' >> "$GITHUB_STEP_SUMMARY"

  apply:
    if: github.event_name != 'pull_request'
    runs-on: ubuntu-latest
    # Protect this environment: its secrets reach your organization.
    environment: omni
    permissions:
      contents: write
    concurrency:
      group: almanac-apply
      cancel-in-progress: false
    steps:
      # The branch as it is now, with the state that the run before this one committed.
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.ref_name }}
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npx almanac apply --auto-approve
        # The token, and every \${env.NAME} of the source files.
        env:
          OMNI_API_TOKEN: \${{ secrets.OMNI_API_TOKEN }}
      - name: Commit the state
        if: always()
        shell: bash
        run: |
          test -f almanac.state.json || exit 0
          git config user.name almanac
          git config user.email almanac@users.noreply.github.com
          git add almanac.state.json
          git diff --cached --quiet && exit 0
          git commit -m "Record what was applied [skip ci]"
          for attempt in 1 2 3; do
            git push && exit 0
            git pull --rebase
          done
          exit 1
`;

const gitlab = `# ALMANAC_PUSH_TOKEN is a project access token that may push to the default branch; OMNI_API_TOKEN and every
# \${env.NAME} of the source files are protected variables.
.almanac:
  image: node:22
  before_script:
    - npm ci

almanac-plan:
  extends: .almanac
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - npx almanac fmt --check
    - npx almanac validate
    # Sends no request and needs no secret.
    - npx almanac plan

almanac-apply:
  extends: .almanac
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  # One at a time, and never cancelled: it could be in the middle of a request.
  resource_group: almanac
  interruptible: false
  environment: omni
  script:
    # The branch as it is now, with the state that the run before this one committed.
    - git fetch origin "$CI_DEFAULT_BRANCH"
    - git checkout -B "$CI_DEFAULT_BRANCH" "origin/$CI_DEFAULT_BRANCH"
    - npx almanac apply --auto-approve && status=0 || status=$?
    - |
      if test -f almanac.state.json && git add almanac.state.json && ! git diff --cached --quiet; then
        git config user.name almanac
        git config user.email almanac@noreply.invalid
        git commit -m "Record what was applied"
        git remote set-url origin "https://almanac:$ALMANAC_PUSH_TOKEN@$CI_SERVER_HOST/$CI_PROJECT_PATH.git"
        git push -o ci.skip origin "HEAD:$CI_DEFAULT_BRANCH" ||
          (git pull --rebase origin "$CI_DEFAULT_BRANCH" && git push -o ci.skip origin "HEAD:$CI_DEFAULT_BRANCH")
      fi
    - exit $status
`;

export const ciFiles: Readonly<Record<CiSystem, { readonly path: string; readonly text: string }>> = {
  github: { path: '.github/workflows/almanac.yml', text: github },
  gitlab: { path: '.gitlab-ci.yml', text: gitlab },
};
