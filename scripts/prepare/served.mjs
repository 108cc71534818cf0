// Loaded before the service by `npm run tenure`, whose pre-script is not told the command: those that serve the
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
