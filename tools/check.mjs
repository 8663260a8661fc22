// `npm run check`: everything that needs no database, broker or host.
import { format, lint, openapi, runAll, types, unit } from './checks.mjs';

process.exit(await runAll([format, lint, types, openapi, unit]));
