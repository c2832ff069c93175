// A server that never ends its listing, or answers with a text that takes long to read.

import { expect, it } from 'vitest';
import { listKeys } from '../../src/adapters/state/s3/list-keys.ts';
import { readXml } from '../../src/adapters/state/s3/read-xml.ts';
import type { S3Client } from '../../src/adapters/state/s3/s3-client.ts';

it('a listing that always has another page is given up', async () => {
  let pages = 0;
  const onePage = 1000;
  const client: Pick<S3Client, 'send'> = {
    send: async () => {
      const keys = Array.from(
        { length: onePage },
        (_, index) => `p/${String(pages * onePage + index).padStart(12, '0')}`,
      );
      pages += 1;
      const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
      const end = `<IsTruncated>true</IsTruncated><NextContinuationToken>${pages}</NextContinuationToken>`;
      const bytes = new TextEncoder().encode(`<ListBucketResult>${contents}${end}</ListBucketResult>`);
      return { type: 'answer', status: 200, headers: {}, bytes };
    },
  };
  const listed = await listKeys(client, { prefix: 'p/0', most: 20_000 });
  expect(listed).toMatchObject({ type: 'odd' });
  expect(pages).toBe(21);
});

it('an answer of many megabytes is refused before it is read', () => {
  const started = performance.now();
  expect(readXml(`<A>${'&amp;'.repeat(5_000_000)}</A>`)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1000);
});
