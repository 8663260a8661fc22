const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const { paths } = JSON.parse(
  readFileSync(join(__dirname, 'tsconfig.base.json'), 'utf8'),
).compilerOptions;

/** Installed packages that ship ES modules only: jest runs CommonJS, so swc lowers these. */
function esmPackages() {
  const found = [];
  const look = (folder, prefix = '') => {
    for (const name of readdirSync(join(folder, prefix))) {
      if (name.startsWith('.')) continue;
      if (name.startsWith('@') && !prefix) look(folder, name);
      else {
        try {
          const manifest = JSON.parse(readFileSync(join(folder, prefix, name, 'package.json')));
          if (manifest.type === 'module') found.push(manifest.name);
        } catch {
          // a folder without a manifest is no package
        }
      }
    }
  };
  look(join(__dirname, 'node_modules'));
  return found;
}

const moduleNameMapper = Object.fromEntries(
  Object.entries(paths).map(([name, [file]]) => [`^${name}$`, join(__dirname, file)]),
);
delete swc.$schema;
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.[cm]?[jt]s$': ['@swc/jest', { ...swc, swcrc: false }] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages().join('|')})/)`],
  moduleNameMapper,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/', '<rootDir>/tmp/'],
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/setup/timeout.cjs'],
};

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs}/**/src/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs}/**/test/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/setup/global-setup.cjs',
      globalTeardown: '<rootDir>/test/setup/global-teardown.cjs',
    },
  ],
};
