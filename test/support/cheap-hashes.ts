import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Makes hashing a password a thousand times cheaper for every test file. At its real cost it would take a third of a
 * second of a core for each person that a test signs up. Tests count how often something is hashed. Processes of their
 * own hash as they always do, so they cannot use a hash that is made here.
 */
const real = crypto.scrypt;

function cheapScrypt(...[password, salt, length, options, done]: Parameters<typeof real>): void {
  real(password, salt, length, { ...options, N: 16 }, done);
}

// Test files share their modules, and the modules that are built into Node.
if (real.name !== cheapScrypt.name) {
  crypto.scrypt = cheapScrypt as typeof real;
  syncBuiltinESMExports();
}
