#!/usr/bin/env bash
# Seen 2026-11-28 with exceljs@4.4.0 on Node 20.20.2.
# Expected: a workbook whose rows and cells have no attribute `r` is read: the schema of ECMA-376 makes it optional for both.
# Seen: reading fails with "Invalid row number in model". With `r` at rows and cells, the same workbook is read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 jszip@3.10.1 >/dev/null 2>&1
cat >ask.cjs <<'SCRIPT'
const { Workbook } = require('exceljs');
const JSZip = require('jszip');
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const partsWith = (row) => ({
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${row}</sheetData></worksheet>`,
});
async function read(row) {
  const zip = new JSZip();
  for (const [name, xml] of Object.entries(partsWith(row))) zip.file(name, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`);
  const workbook = new Workbook();
  await workbook.xlsx.load(await zip.generateAsync({ type: 'nodebuffer' }));
  return `read: ${workbook.getWorksheet('Rows').getCell('A1').value}`;
}
(async () => {
  for (const row of ['<row><c><v>42</v></c></row>', '<row r="1"><c r="A1"><v>42</v></c></row>'])
    console.log(await read(row).catch((error) => `refused: ${error.message}`));
})();
SCRIPT
cat >seen.txt <<'TEXT'
refused: Invalid row number in model
read: 42
TEXT
node ask.cjs >now.txt
diff seen.txt now.txt
