// scrypt with its least cost, for all tests but the slow ones: they apply thousands of declarations. A fingerprint still
// differs for each text and salt. Where several processes read a state, each of them imports this first.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;

const scrypt = crypto.scrypt;
// Of a worker, several files load this one after another.
crypto.scrypt = ((password: string, salt: Buffer, length: number, ...more: readonly unknown[]) =>
  scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, more.at(-1) as Done)) as typeof crypto.scrypt;
syncBuiltinESMExports();
