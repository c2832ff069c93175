// For tests that apply thousands of generated declarations: scrypt with its least cost. A fingerprint still differs for
// each text and salt. Import it first, in every process that reads the state.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;

const scrypt = crypto.scrypt;
crypto.scrypt = ((password: string, salt: Buffer, length: number, done: Done) =>
  scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, done)) as typeof crypto.scrypt;
syncBuiltinESMExports();
