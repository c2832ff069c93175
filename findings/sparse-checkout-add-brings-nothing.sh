#!/usr/bin/env bash
# Seen 2026-11-28 with git 2.39.5, which Debian 12 packages as git 1:2.39.5.
# Expected: `git sparse-checkout add FOLDER` brings the files of that folder, or says that it does not.
# Seen: without cone mode it appends the folder to the patterns, ends with 0 and says nothing, and a file stays away that an
# earlier pattern leaves out by its name. Appending the file itself brings it. So advice that names the folder can do nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init --quiet
mkdir reports
echo a >reports/a.yaml
echo b >reports/b.yaml
git add .
git -c user.name=someone -c user.email=someone@example.com commit --quiet -m first
git sparse-checkout set --no-cone '/*' '!/reports/b.yaml'
{
  ls reports
  git sparse-checkout add reports && echo "added the folder: $?"
  ls reports
  git sparse-checkout add /reports/b.yaml && echo "added the file: $?"
  ls reports
} >now.txt 2>&1
cat >seen.txt <<'TEXT'
a.yaml
added the folder: 0
a.yaml
added the file: 0
a.yaml
b.yaml
TEXT
diff seen.txt now.txt
