/**
 * Ports from 1024 up where databases, caches, queues and admin APIs listen. No webhook receiver is there, and a POST
 * can do harm, because Redis and memcached read HTTP lines as commands. The ports that web applications commonly choose
 * (3000, 5000, 8000, 8080, 8443, 9000) stay open.
 */
export function isServicePort(port: number): boolean {
  return servicePorts.has(port);
}

const SERVICE_PORTS: readonly (number | readonly [from: number, to: number])[] = [
  // Databases
  [1433, 1434], // SQL Server
  1521, // Oracle
  3050, // Firebird
  3306, // MySQL
  33060, // MySQL X
  [5432, 5433], // PostgreSQL
  5439, // Redshift
  5984, // CouchDB
  6432, // PgBouncer
  [7000, 7001], // Cassandra
  7199, // Cassandra JMX
  7474, // Neo4j
  7687, // Neo4j
  8086, // InfluxDB
  [8091, 8096], // Couchbase
  8123, // ClickHouse
  8529, // ArangoDB
  8983, // Solr
  9042, // Cassandra
  9160, // Cassandra
  [9200, 9206], // Elasticsearch
  9300, // Elasticsearch
  26257, // CockroachDB
  [27017, 27020], // MongoDB
  28015, // RethinkDB
  28017, // MongoDB
  50000, // Db2; Jenkins agents
  // Caches and queues
  1883, // MQTT
  4222, // NATS
  [5671, 5672], // AMQP
  [6379, 6380], // Redis
  8883, // MQTT
  [9092, 9094], // Kafka; Alertmanager
  11211, // memcached
  15672, // RabbitMQ
  16379, // Redis cluster
  25672, // RabbitMQ
  26379, // Redis Sentinel
  [61613, 61616], // ActiveMQ
  // Admin APIs and clusters
  2181, // ZooKeeper
  [2375, 2377], // Docker
  [2379, 2380], // etcd
  4194, // cAdvisor
  4369, // Erlang port mapper
  [4505, 4506], // Salt
  [4646, 4648], // Nomad
  4848, // GlassFish
  5555, // Android debug bridge
  5601, // Kibana
  [5985, 5986], // WinRM
  6443, // Kubernetes
  7077, // Spark
  8088, // YARN
  8089, // Splunk
  [8200, 8201], // Vault
  [8300, 8302], // Consul
  [8500, 8503], // Consul
  8600, // Consul
  [9090, 9091], // Prometheus
  9100, // node exporter; printers
  9990, // JBoss
  10000, // Webmin
  [10248, 10259], // kubelet and its neighbours
  50070, // HDFS
  // File sharing, terminals, proxies, chat: much of the list of ports that browsers refuse
  1080, // SOCKS
  [1719, 1720], // H.323
  1723, // PPTP
  2049, // NFS
  3128, // Squid
  3260, // iSCSI
  [3268, 3269], // Active Directory
  3389, // RDP
  3659, // Apple SASL
  3690, // Subversion
  4045, // NFS locks
  4190, // Sieve
  [5060, 5061], // SIP
  [5900, 5910], // VNC
  [6000, 6063], // X11
  6566, // SANE
  [6660, 6669], // IRC
  6679, // IRC
  6697, // IRC
  9418, // Git
  10080, // Amanda
];

const servicePorts = new Set(
  SERVICE_PORTS.flatMap((entry) => {
    if (typeof entry === 'number') return entry;
    const [from, to] = entry;
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  }),
);
