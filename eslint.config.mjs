import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const FRAMEWORK = ['@nestjs/*', 'typeorm', 'mongoose', 'amqplib'];
const contract = ['typeorm', 'mongoose', 'amqplib', 'ssh2', '@nestjs/core'];
/** A folder inside an app that may not import its neighbours (architecture, section 2). */
const layerBan = (files, folders, extra = []) => ({
  files,
  ignores: ['**/*.spec.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ group: [...folders.map((f) => `**/${f}/**`), ...extra] }] },
    ],
  },
});

/** Who may import whom (architecture, section 2). */
const boundaries = (allow) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow,
    depConstraints: [
      {
        sourceTag: 'type:app',
        onlyDependOnLibsWithTags: ['type:lib'],
        notDependOnLibsWithTags: ['layer:testing'],
      },
      {
        sourceTag: 'type:launcher',
        onlyDependOnLibsWithTags: ['type:app', 'type:lib'],
        notDependOnLibsWithTags: ['layer:testing'],
      },
      {
        sourceTag: 'layer:contract',
        onlyDependOnLibsWithTags: ['layer:contract'],
        bannedExternalImports: contract,
      },
      {
        sourceTag: 'layer:platform',
        onlyDependOnLibsWithTags: ['layer:contract', 'layer:platform'],
        bannedExternalImports: ['ssh2'],
      },
      {
        sourceTag: 'layer:driver',
        onlyDependOnLibsWithTags: ['layer:contract', 'layer:driver'],
        bannedExternalImports: FRAMEWORK,
      },
      {
        sourceTag: 'layer:testing',
        onlyDependOnLibsWithTags: ['type:lib', 'type:app', 'type:launcher'],
      },
    ],
  },
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.nx/**', 'tmp/**', '.data/**', 'coverage/**'] },
  { files: ['**/*.ts'], extends: [tseslint.configs.recommended, prettier] },
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'smart'],
      '@nx/enforce-module-boundaries': boundaries([]),
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/platform/config/**', 'libs/testing/**', '**/*.spec.ts', '**/test/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only libs/platform/config reads the environment.',
        },
      ],
    },
  },
  {
    // The launcher reaches into an app for its definition, and nobody else does.
    files: ['apps/standalone/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(['@apps/*']) },
  },
  {
    // Tests stand on the test kit and on whole services, whatever they test.
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['@apps/*', '@libs/kit', '@libs/flows']),
    },
  },
  layerBan(['apps/*/src/domain/**/*.ts'], ['http', 'store', 'clients'], ['typeorm']),
  layerBan(['apps/*/src/http/**/*.ts'], ['store']),
);
