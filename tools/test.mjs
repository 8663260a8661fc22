// `npm test`: installs what the tests need, then runs every check; the last line counts them.
import { installDebianPackages } from './debian-packages.mjs';
import { format, jest, lint, openapi, runAll, types, unit } from './checks.mjs';

const notes = installDebianPackages();
const integration = jest('integration tests', 'integration', ['--maxWorkers=2']);
process.exit(await runAll([format, lint, types, openapi, unit, integration], notes));
