// The content of a delivery to a webhook: a few made-up rows, or a file with the minimum that its type needs.

interface Content {
  readonly type: string;
  readonly body: string;
}

const contents: Readonly<Record<string, Content>> = {
  csv: { type: 'text/csv', body: 'Region,Sales\nEurope,678994\nAmericas,475072\n' },
  json: { type: 'application/json', body: '[{"Region":"Europe","Sales":678994},{"Region":"Americas","Sales":475072}]' },
  pdf: { type: 'application/pdf', body: '%PDF-1.4\n% made by the emulator\n%%EOF\n' },
  png: { type: 'image/png', body: 'not an image: made by the emulator' },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: 'not a workbook: made by the emulator',
  },
};

export function sampleContent(format: string, link: string): Content {
  return contents[format] ?? { type: 'application/json', body: JSON.stringify({ url: link }) };
}
