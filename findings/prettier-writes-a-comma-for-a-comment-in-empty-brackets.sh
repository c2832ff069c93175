#!/usr/bin/env bash
# Seen 2026-11-28 with prettier@3.10.1 on Node 20.20.2.
# Expected: brackets in a list that hold nothing but a comment stay valid YAML.
# Seen: Prettier writes a comma above the comment, which no reader of YAML accepts, Prettier's own included. So a file that
# was valid can no longer be formatted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts prettier@3.10.1 >/dev/null 2>&1
cat >file.yaml <<'YAML'
regions:
  - [
    # none yet
    ]
YAML
cat >seen.yaml <<'YAML'
regions:
  - [
      ,
      # none yet
    ]
YAML
npx prettier --write file.yaml >/dev/null
diff seen.yaml file.yaml
if npx prettier --check file.yaml >/dev/null 2>&1; then exit 1; fi
