#!/usr/bin/env bash
# Seen 2026-11-28 with git 2.39.5, which Debian 12 packages as git 1:2.39.5.
# Expected: a clone of an empty repository has its object format; and a push to a repository of the other format always fails
# with the same words, which name the format.
# Seen: the clone of an empty SHA-256 repository is a SHA-1 one, and its first push fails. A SHA-256 repository that pushes to
# an empty SHA-1 one is told of a protocol error, and of the hash algorithm only once the remote has a commit. So whoever
# recognises the cause in git's text needs both texts, and an empty remote says nothing of its format before a push.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null LC_ALL=C
push() {
  git -C "$1" -c user.name=someone -c user.email=someone@example.com commit --quiet --allow-empty -m "$2"
  git -C "$1" push --quiet "file://$folder/$3" HEAD:main 2>push.txt || echo "the push to $3 ended with $?"
  # The other side says that the connection has ended, before this one speaks or after it.
  grep -v 'hung up unexpectedly' push.txt
}
{
  git init --quiet --bare --object-format=sha256 sha256.git
  git clone --quiet "file://$folder/sha256.git" clone
  git -C clone rev-parse --show-object-format
  push clone first sha256.git
  git init --quiet --bare --object-format=sha1 sha1.git
  git init --quiet --object-format=sha256 own
  push own first sha1.git
  git init --quiet --object-format=sha1 other
  push other first sha1.git || true
  push own second sha1.git
} >now.txt 2>&1
cat >seen.txt <<'TEXT'
warning: You appear to have cloned an empty repository.
sha1
the push to sha256.git ended with 128
fatal: the receiving end does not support this repository's hash algorithm
the push to sha1.git ended with 128
fatal: protocol error: unexpected capabilities^{}
the push to sha1.git ended with 128
fatal: the receiving end does not support this repository's hash algorithm
TEXT
diff seen.txt now.txt
