import { Command, Option } from 'commander';
import { explainConnection } from '../db/connection-problem.ts';
import { isStorageFull } from '../db/database-errors.ts';
import type { Part } from '../start.ts';
import { version } from '../system/version.ts';
import { visibleLines } from './visible.ts';

const json = new Option('--json', 'print one JSON object on standard output and nothing else there');
const passwordStdin = new Option(
  '--password-stdin',
  'read the password from standard input instead of making one',
);
const passphraseFile = new Option(
  '--passphrase-file <path>',
  'a file whose first line is the passphrase (default: BACKUP_PASSPHRASE)',
);
const account = new Option(
  '--account <email-or-id>',
  "the account: its id, or its owner's e-mail address",
).makeOptionMandatory();

/** The command line: `npm run --silent tenure -- <command>`. */
export function program(): Command {
  const tenure = new Command('tenure')
    .description('Property management with a REST API, signed webhooks and a dashboard.')
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    // Wrong usage exits with 2, so that scripts can tell it from a failure, which exits with 1.
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

  addServing(tenure);
  addData(tenure);
  addPeople(tenure);
  addKeys(tenure);
  addTestMode(tenure);
  for (const command of [tenure, ...tenure.commands, ...tenure.commands.flatMap((group) => group.commands)]) {
    command.copyInheritedSettings(tenure);
  }
  return tenure;
}

function addServing(tenure: Command): void {
  tenure
    .command('start')
    .description('run the API, the dashboard and the delivery worker in one process')
    .action(run(serve('start')));
  tenure
    .command('api')
    .description('run the API and the dashboard alone')
    .action(run(serve('api')));
  tenure
    .command('worker')
    .description('run the delivery worker alone')
    .action(run(serve('worker')));
  tenure
    .command('mcp')
    .description('offer the tools of a running server to an AI assistant, over standard input and output')
    .addOption(
      new Option('--url <address>', 'address of the server (default: this machine, at PORT)').env(
        'TENURE_URL',
      ),
    )
    .addOption(new Option('--key <key>', 'an API key').env('TENURE_API_KEY').makeOptionMandatory())
    .action(run(async () => (await import('./mcp.ts')).mcp));
}

function addData(tenure: Command): void {
  tenure
    .command('migrate')
    .description('bring the database up to date')
    .addOption(json)
    .action(run(async () => (await import('./command.ts')).migrateCommand));
  tenure
    .command('distribute')
    .description(
      'distribute the records over the nodes of a Citus cluster, by account; repeat it after a crash',
    )
    .addOption(json)
    .action(run(async () => (await import('./cluster/distribute.ts')).distributeCommand));
  tenure
    .command('demo')
    .description('fill an account with believable data for looking around')
    .option('--email <address>', 'sign-in of the demo account', 'demo@example.com')
    .addOption(json)
    .action(run(async () => (await import('./demo.ts')).demo));
  tenure
    .command('import')
    .description('import records from CSV or XLSX files; a repeated import changes only what differs')
    .addOption(account)
    .option('--rent-roll <file>', 'properties, units, tenants and leases in one sheet')
    .option('--properties <file>', 'properties')
    .option('--units <file>', 'units')
    .option('--tenants <file>', 'tenants')
    .option('--leases <file>', 'leases')
    .option('--charges <file>', 'charges')
    .option('--payments <file>', 'payments')
    .option('--credits <file>', 'credits')
    .option('--maintenance <file>', 'maintenance requests')
    .option('--map <header=field...>', 'which field a column is, such as "Apt=unit" or "leases:Apt=unit"')
    .option('--date-format <format>', 'mdy or dmy, for dates such as 03/04/2026')
    .option('--dry-run', 'check everything and write nothing')
    .option('--skip-errors', 'import the other rows if some are wrong')
    .option('--rejected <file>', 'write the rows that are wrong to a file, with what is wrong with each')
    .option('--no-events', 'send no events to webhooks')
    .addOption(json)
    .action(run(async () => (await import('./import.ts')).importCommand));
  tenure
    .command('backup')
    .description('write all data, as it is now, to a file; the server may be running')
    .argument('<file>', 'the file to make')
    .option('--encrypt', "encrypt it in age's format; asks for a passphrase unless one is set")
    .addOption(passphraseFile)
    .option('--with-secrets', 'include sessions and the secret key kept in DATA_DIR')
    .addOption(json)
    .action(run(async () => (await import('./backup.ts')).backupCommand));
  tenure
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'a file made by `tenure backup`')
    .addOption(passphraseFile)
    .option('--lost-key', 'restore without the secret key: webhooks then need new secrets')
    .addOption(json)
    .action(run(async () => (await import('./backup.ts')).restoreCommand));
  tenure
    .command('doctor')
    .description('check settings, database, disk, schema, secret key, clock and worker')
    .addOption(json)
    .action(run(async () => (await import('./doctor/doctor.ts')).doctor));
}

function addPeople(tenure: Command): void {
  const accounts = tenure.command('accounts').description('accounts and their owners');
  accounts
    .command('create')
    .description('make an account with its owner')
    .requiredOption('--email <address>', "the owner's e-mail address, for signing in")
    .requiredOption('--name <name>', 'name of the account')
    .option('--currency <code>', 'currency of the account', 'USD')
    .option('--time-zone <name>', 'time zone of the account, such as Europe/Berlin', 'UTC')
    .addOption(passwordStdin)
    .addOption(json)
    .action(run(async () => (await import('./accounts.ts')).accountsCreate));
  accounts
    .command('list')
    .description('list all accounts with their ids and owners')
    .addOption(json)
    .action(run(async () => (await import('./accounts.ts')).accountsList));
  accounts
    .command('close')
    .description('close an account: nobody gets in, and after a while its data is erased (ACCOUNT_KEPT_DAYS)')
    .addOption(account)
    .addOption(json)
    .action(run(async () => (await import('./accounts.ts')).accountsClose));
  accounts
    .command('reopen')
    .description('reopen an account that was closed and is not erased yet')
    .addOption(account)
    .addOption(json)
    .action(run(async () => (await import('./accounts.ts')).accountsReopen));

  const tenants = tenure.command('tenants').description("a tenant's personal data");
  tenants
    .command('export')
    .description('write everything kept about a tenant to a ZIP archive')
    .argument('<id>', 'the id, ten_…')
    .argument('<file>', 'the file to make')
    .addOption(account)
    .addOption(json)
    .action(run(async () => (await import('./tenants.ts')).tenantsExport));
  tenants
    .command('erase')
    .description('erase the personal data of a tenant for good; amounts, dates and leases stay')
    .argument('<id>', 'the id, ten_…')
    .addOption(account)
    .requiredOption('--yes', 'do it; it cannot be undone')
    .addOption(json)
    .action(run(async () => (await import('./tenants.ts')).tenantsErase));

  const users = tenure.command('users').description('people who sign in');
  users
    .command('reset-password')
    .description('give a person a new password and sign them out everywhere')
    .requiredOption('--email <address>', "the person's e-mail address")
    .addOption(passwordStdin)
    .addOption(json)
    .action(run(async () => (await import('./users.ts')).usersResetPassword));
  users
    .command('reset-second-factor')
    .description(
      'turn off two-factor sign-in for a person who has lost everything, and remove their passkeys',
    )
    .requiredOption('--email <address>', "the person's e-mail address")
    .addOption(json)
    .action(run(async () => (await import('./users.ts')).usersResetSecondFactor));
  users
    .command('unlink')
    .description('forget who a person is at the single sign-on, and sign them out everywhere')
    .requiredOption('--email <address>', "the person's e-mail address")
    .addOption(json)
    .action(run(async () => (await import('./users.ts')).usersUnlink));
}

function addKeys(tenure: Command): void {
  const secrets = tenure.command('secrets').description('secrets that SECRET_KEY encrypts');
  secrets
    .command('rotate')
    .description(
      'encrypt everything with the current SECRET_KEY, or on the embedded database with a fresh one',
    )
    .option('--now', 'embedded database: stop accepting the old key at once; everybody signs in again')
    .option('--lost', 'the old key is lost: give up what cannot be read without it')
    .addOption(json)
    .action(run(async () => (await import('./secrets.ts')).secretsRotate));

  const keys = tenure.command('keys').description('API keys');
  keys
    .command('create')
    .description('make an API key; it is shown here only')
    .addOption(account)
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--permission <permission>', 'what it may do')
        .choices(['read', 'write'])
        .makeOptionMandatory(),
    )
    .option('--expires-in <time>', 'such as 12h, 30d or 1y; without it the key does not expire')
    .option('--scopes <names>', 'parts of the API, such as payments,tenants; without it all of them')
    .option(
      '--addresses <networks>',
      'from where it may be used, such as 203.0.113.0/24; without it anywhere',
    )
    .option('--test', 'for test mode, which has no real records')
    .addOption(json)
    .action(run(async () => (await import('./keys.ts')).keysCreate));
  keys
    .command('list')
    .description('list the keys of an account')
    .addOption(account)
    .option('--test', 'those for test mode')
    .addOption(json)
    .action(run(async () => (await import('./keys.ts')).keysList));
  keys
    .command('revoke')
    .description('stop a key from working')
    .argument('<id>', 'the id, key_…')
    .addOption(json)
    .action(run(async () => (await import('./keys.ts')).keysRevoke));
}

function addTestMode(tenure: Command): void {
  const test = tenure.command('test').description('test mode of an account');
  test
    .command('advance')
    .description('move the test clock, and go through every day on the way')
    .addOption(account)
    .requiredOption('--to <time>', 'the new time, such as 2027-01-31T12:00:00Z; at most two years ahead')
    .addOption(json)
    .action(run(async () => (await import('./test-mode.ts')).testAdvance));
  test
    .command('reset')
    .description('empty test mode; its keys stay')
    .addOption(account)
    .option('--demo', 'fill it with make-believe records')
    .addOption(json)
    .action(run(async () => (await import('./test-mode.ts')).testReset));
}

const serve = (part: Part) => async () => {
  const { serve } = await import('./serve.ts');
  return () => serve(part);
};

/**
 * Loads a command only when it is asked for. Loading all of them would make each take twice as long to start.
 *
 * A failure prints one sentence on standard error; a bug prints its stack. The process then ends at once. The command
 * has closed what it opened, and a leftover timer must not keep `npm start` waiting for ever.
 */
function run<Arguments extends unknown[]>(load: () => Promise<(...args: Arguments) => Promise<void>>) {
  return async (...args: Arguments): Promise<void> => {
    outliveOutput();
    try {
      const command = await load();
      await command(...args);
    } catch (error) {
      process.stderr.write(`${visibleLines(explain(error))}\n`);
      process.exit(1);
    }
  };
}

/** What is written to may be full, or closed, as by `head` after ten lines. That is no reason to stop. */
function outliveOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`The output cannot be written: ${error.message}.\n`);
  });
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isBug) return error.stack ?? error.message;
  if (isStorageFull(error))
    return `The disk of the database is full (${error.message}). Free some space there and try again.`;
  return explainConnection(error) ?? explainFile(error) ?? (error.message || error.stack || error.name);
}

/** From `ENOENT: no such file or directory, open '/nowhere/x'`. */
function explainFile({ message, path, syscall }: NodeJS.ErrnoException): string | null {
  const reason = /^[A-Z0-9]+: ([^,]+), /.exec(message)?.[1];
  if (syscall !== 'open' || path === undefined || reason === undefined) return null;
  return `${path} cannot be opened: ${reason}.`;
}
