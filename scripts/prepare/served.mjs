// `npm run tenure` loads this before the service. Its pre-script does not know the command, and commands that serve the
// dashboard need it built.
import { ensureDashboard } from './dashboard.mjs';
import { Problem } from './problem.mjs';

if (['api', 'start'].includes(process.argv[2])) {
  try {
    await ensureDashboard(process.execPath);
  } catch (error) {
    process.stderr.write(`${error instanceof Problem ? error.message : error.stack}\n`);
    process.exit(1);
  }
}
