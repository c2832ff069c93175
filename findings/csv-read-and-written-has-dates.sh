#!/usr/bin/env bash
# Seen 2026-11-28 with xlsx@0.18.5 (SheetJS) on Node 20.20.2.
# Expected: a CSV file that is read as text and written as CSV again, with nothing done in between, has the same cells.
# Seen: the codes `3/4` and `1-2` come back as `3/4/01` and `1/2/01`, dates of 2001. `00123`, `0x1F` and `12345e67` look the
# same in the CSV, but as JSON they are the numbers 123, 31 and 1.2345e+71. With `raw: true` all of them stay texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 >/dev/null 2>&1
cat >ask.cjs <<'SCRIPT'
const { read, utils } = require('xlsx');
const csv = 'code\n3/4\n1-2\n00123\n0x1F\n12345e67\n';
for (const raw of [false, true]) {
  const sheet = read(csv, { type: 'string', raw }).Sheets.Sheet1;
  console.log(`raw: ${raw}`);
  console.log(utils.sheet_to_csv(sheet).trimEnd().split('\n').join(' '));
  console.log(utils.sheet_to_json(sheet).map(({ code }) => JSON.stringify(code)).join(' '));
}
SCRIPT
cat >seen.txt <<'TEXT'
raw: false
code 3/4/01 1/2/01 00123 0x1F 12345e67
36954 36893 123 31 1.2345e+71
raw: true
code 3/4 1-2 00123 0x1F 12345e67
"3/4" "1-2" "00123" "0x1F" "12345e67"
TEXT
TZ=UTC node ask.cjs >now.txt
diff seen.txt now.txt
