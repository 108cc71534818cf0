import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * For every test file: hashing a password is made a thousand times cheaper. At its real cost it would be a third of a
 * second of a core for each person that a test signs up. What tests count is how often something is hashed; processes
 * of their own hash as they always do, so a hash that is made here is of no use to them.
 */
const real = crypto.scrypt;

function cheapScrypt(...[password, salt, length, options, done]: Parameters<typeof real>): void {
  real(password, salt, length, { ...options, N: 16 }, done);
}

// Test files share their modules, and what is built into Node.
if (real.name !== cheapScrypt.name) {
  crypto.scrypt = cheapScrypt as typeof real;
  syncBuiltinESMExports();
}
