// `npm run check`: everything that needs no database, broker or host.
import { lint, openapi, runAll, types, unit } from './checks.mjs';

process.exit(await runAll([lint, types, openapi, unit]));
