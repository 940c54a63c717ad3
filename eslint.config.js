/** What only ESLint knows: components, and the watchers of the window. Everything else: .oxlintrc.json. */
import prettier from 'eslint-config-prettier';
import vue from 'eslint-plugin-vue';
import tseslint from 'typescript-eslint';

/** Longer files do more than one thing. */
const MAX_LINES = 450;

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
  ...vue.configs['flat/recommended'].map((config) => ({ ...config, files: ['src/**/*.vue'] })),
  { files: ['src/renderer/**/*.ts', 'src/views/**/*.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['src/renderer/**/*.ts', 'src/renderer/**/*.vue', 'src/views/**/*.ts', 'src/views/**/*.vue'],
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
    files: ['src/**/*.vue'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'max-lines': ['warn', { max: MAX_LINES, skipBlankLines: true }],
      // In templates, too.
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      // Whether a template uses a name is known here alone.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/no-v-html': 'error',
      'vue/require-default-prop': 'off',
    },
  },
  // A part of a kind of view is named by its folder.
  { files: ['src/views/**/*.vue'], rules: { 'vue/multi-word-component-names': 'off' } },
  prettier,
);
