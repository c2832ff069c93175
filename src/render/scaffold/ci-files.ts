// The jobs of a CI system: what would change is shown on every pull or merge request, and applied on the default branch
// by one job at a time, which pushes the state.

import type { GithubShape } from './github-steps.ts';
import { githubWorkflows } from './github-workflows.ts';

export type CiSystem = 'github' | 'gitlab';

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

/** By path, from the root of the repository. */
export function ciFiles(system: CiSystem, shape: GithubShape): Readonly<Record<string, string>> {
  return system === 'gitlab' ? { '.gitlab-ci.yml': gitlab } : githubWorkflows(shape);
}
