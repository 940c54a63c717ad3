import prettier from 'eslint-config-prettier';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';

/** Longer files do more than one thing. */
const MAX_LINES = 450;

const noCodeFromText = {
  'no-eval': 'error',
  'no-implied-eval': 'off',
  '@typescript-eslint/no-implied-eval': 'error',
  'no-new-func': 'error',
};

/** The engine is a function of its model: no clock, no unseeded randomness, no console, no host. */
const ENGINE_FORBIDDEN_GLOBALS = [
  ['Date', 'The engine has no clock: times are passed in.'],
  ['performance', 'The engine has no clock: times are passed in.'],
  ['console', 'The engine prints nothing: return the fact as a value.'],
  ['process', 'The engine knows no host.'],
  ['window', 'The engine knows no host.'],
  ['document', 'The engine knows no host.'],
  ['setTimeout', 'The engine has no clock.'],
  ['setInterval', 'The engine has no clock.'],
  ['queueMicrotask', 'The engine is synchronous.'],
  ['crypto', 'No unseeded randomness in the engine.'],
].map(([name, message]) => ({ name, message }));

export default tseslint.config(
  {
    ignores: [
      'out/',
      'node_modules/',
      'coverage/',
      'test-results/',
      'playwright-report/',
      'docs/',
      'resources/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.vue'] })),
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.ts', '**/*.vue'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      ...noCodeFromText,
      'max-lines': ['warn', { max: MAX_LINES, skipBlankLines: true }],
      eqeqeq: 'error',
      'no-console': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true },
      ],
      // Records keyed by element id lose entries when the user deletes elements.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // There are no enumerations and no nominal classes here for them to guard, and they take two thirds of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Numbers in messages are what messages are for.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // noUncheckedIndexedAccess is off, because the numerics index typed arrays everywhere; so the type checker
      // takes records and arrays for complete, and this rule would call every guard against a missing entry useless.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `() => undefined` and `() => { effect(); }` read no better than a returned void call.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/no-v-html': 'error',
      'vue/require-default-prop': 'off',
      // ESLint resolves a type that one component exports to another as an error type; vue-tsc, which knows
      // components, sees that nothing unsafe happens in templates and scripts.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
    },
  },
  {
    files: ['src/engine/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', ...ENGINE_FORBIDDEN_GLOBALS],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'No unseeded randomness in the engine.' },
        { object: 'globalThis', property: 'Date', message: 'The engine has no clock.' },
      ],
    },
  },
  {
    files: ['src/renderer/**/*.ts', 'src/renderer/**/*.vue'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.name='watch'] > ArrayExpression > :matches(Identifier, MemberExpression)",
          message:
            'Give a getter: with a shallow reference among its sources, a watcher runs whenever any of them is looked at anew.',
        },
      ],
    },
  },
  {
    // The one place that turns a user's text into code, inside a compartment.
    files: ['src/engine/script/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // A test says what it knows: an index that is there, a value that is not null.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // vi.fn() and wrapper methods are passed to expect() unbound by design.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    rules: { 'no-eval': 'error', 'no-new-func': 'error', eqeqeq: 'error' },
  },
  prettier,
);
