// The jobs of a CI system: what would change is shown on every pull or merge request, and applied on the default branch
// by one job at a time, which pushes the state. docs/ci-github.md and docs/ci-gitlab.md show the same text. The action
// comes with the package, so that it has the version of the program.

export type CiSystem = 'github' | 'gitlab';

const plan = (action: string) => `name: almanac plan
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
concurrency:
  group: almanac-plan-\${{ github.event.pull_request.number }}
  cancel-in-progress: true
jobs:
  plan:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    env:
      # A variable of the repository: no pull request can change it, or send the token elsewhere.
      OMNI_BASE_URL: \${{ vars.OMNI_BASE_URL }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - run: npm ci
      - run: npx --no almanac fmt --check
      - uses: ${action}
        with:
          command: validate
      # Sends no request and needs no secret, so it runs for forks as well.
      - uses: ${action}
        with:
          command: plan
`;

const apply = (action: string) => `name: almanac apply
on:
  push:
    # The branch that is applied.
    branches: [main]
  workflow_dispatch:
    inputs:
      expect:
        description: The digest of the plan to apply; if empty, the digest from the merged pull request
        type: string
        default: ''
permissions:
  contents: write
  pull-requests: read
# One at a time, and one that runs is never cancelled: it could be in the middle of a request.
concurrency:
  group: almanac-apply
  cancel-in-progress: false
jobs:
  apply:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    # Protect this environment: its secrets reach your organization.
    environment: production
    env:
      # A variable of the repository: no pull request can change it, or send the token elsewhere.
      OMNI_BASE_URL: \${{ vars.OMNI_BASE_URL }}
    steps:
      # The branch as it is now, with the state that the run before this one pushed.
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          ref: \${{ github.ref_name }}
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - run: npm ci
      - id: apply
        uses: ${action}
        with:
          command: apply
          expect: \${{ inputs.expect || 'reviewed' }}
          push-state: almanac.state.json
        # The token, and every variable that the source files take from the environment.
        env:
          OMNI_API_TOKEN: \${{ secrets.OMNI_API_TOKEN }}
      - if: \${{ always() && steps.apply.outputs.unpushed-state-path != '' }}
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: unpushed-state
          path: \${{ steps.apply.outputs.unpushed-state-path }}*
`;

const drift = (action: string) => `name: almanac drift
on:
  schedule:
    - cron: '17 2 * * *'
  workflow_dispatch:
permissions:
  contents: read
concurrency:
  group: almanac-drift
  cancel-in-progress: false
jobs:
  drift:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    environment: production
    env:
      # A variable of the repository: no pull request can change it, or send the token elsewhere.
      OMNI_BASE_URL: \${{ vars.OMNI_BASE_URL }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - run: npm ci
      - uses: ${action}
        with:
          command: drift
          detailed-exitcode: 'true'
        env:
          OMNI_API_TOKEN: \${{ secrets.OMNI_API_TOKEN }}
`;

const gitlab = `default:
  image: node:22
  before_script:
    - npm ci

stages: [validate, plan, apply]

validate:
  stage: validate
  script:
    - npx --no almanac fmt --check
    - npx --no almanac validate --report gitlab=code-quality.json --report junit=findings.xml
  artifacts:
    when: always
    reports:
      codequality: code-quality.json
      junit: findings.xml
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"

# Sends no request and needs no secret.
plan:
  stage: plan
  script:
    # The tip: the apply of an earlier pipeline has pushed the state meanwhile.
    - if [ "$CI_COMMIT_BRANCH" = "$CI_DEFAULT_BRANCH" ]; then git fetch origin "$CI_DEFAULT_BRANCH" && git checkout -B tip FETCH_HEAD; fi
    - npx --no almanac plan --out almanac.plan.json --report gitlab=widget.json --report html=plan.html
  artifacts:
    # A plan holds recipients and texts. The widget holds counts, and everybody may read it.
    access: developer
    paths: [almanac.plan.json, plan.html]
    reports:
      terraform: widget.json
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"

apply:
  stage: apply
  # One at a time, and one that runs is never cancelled: it could be in the middle of a request.
  resource_group: production
  interruptible: false
  environment: production
  script:
    - git fetch origin "$CI_DEFAULT_BRANCH" && git checkout -B tip FETCH_HEAD
    # The URL that the owner of the project has set, and not only a file that anyone can propose.
    - test -n "$OMNI_BASE_URL" || { echo "Set OMNI_BASE_URL as a variable of the project."; exit 1; }
    - npx --no almanac apply almanac.plan.json --auto-approve || failed=$?
    - |
      if [ -f almanac.state.json ] && git add almanac.state.json && ! git diff --cached --quiet; then
        git config user.name almanac
        git config user.email almanac@example.com
        git commit -m "Almanac state [skip ci]"
        remote="https://almanac:$STATE_PUSH_TOKEN@$CI_SERVER_HOST/$CI_PROJECT_PATH.git"
        if ! git push "$remote" "HEAD:$CI_DEFAULT_BRANCH"; then
          # Other commits came in: the state goes on top of them, unless one holds another state.
          git fetch origin "$CI_DEFAULT_BRANCH"
          git diff --quiet HEAD~1 FETCH_HEAD -- almanac.state.json
          git rebase --onto FETCH_HEAD HEAD~1
          git push "$remote" "HEAD:$CI_DEFAULT_BRANCH"
        fi
      fi
    - exit "\${failed:-0}"
  artifacts:
    when: on_failure
    access: developer
    paths: [almanac.state.json]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"
      when: manual

drift:
  stage: plan
  environment: production
  script:
    - test -n "$OMNI_BASE_URL" || { echo "Set OMNI_BASE_URL as a variable of the project."; exit 1; }
    - npx --no almanac drift
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
`;

/** By path. The package may be scoped; its program is called almanac in any case. */
export function ciFiles(system: CiSystem, packageName: string): Readonly<Record<string, string>> {
  if (system === 'gitlab') return { '.gitlab-ci.yml': gitlab };
  const action = `./node_modules/${packageName}/.github/actions/almanac`;
  return {
    '.github/workflows/almanac-plan.yml': plan(action),
    '.github/workflows/almanac-apply.yml': apply(action),
    '.github/workflows/almanac-drift.yml': drift(action),
  };
}
