// `node_modules/.bin/node e2e/cluster/up.ts`: runs a highly available Postgres on this machine, to try the service
// with. Ctrl-C removes it.
import { once } from 'node:events';
import { ensureDebian } from '../../scripts/prepare/debian.mjs';
import { packages, startCluster } from './cluster.ts';

try {
  await ensureDebian(packages);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
console.log('Starting etcd, three nodes of Postgres with Patroni, and HAProxy (about 20 s)…');
const cluster = await startCluster();
console.log(`
  DATABASE_URL=${cluster.url}

  Primary   ${await cluster.primary()}
  Members   patronictl -c ${cluster.folder}/node1/patroni.yml list
  Move it   patronictl -c ${cluster.folder}/node1/patroni.yml switchover
  Logs      ${cluster.folder}/*.log

  Ctrl-C takes all of it away, the data included.
`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await cluster.stop();
process.exit(0);
