/**
 * The dependency rule. Between the layers: engine → nothing; contract → engine types and zod; main, cli → engine and
 * contract and figures; renderer → contract, figures and engine types; figures → contract and engine types. A kind of view is one
 * folder of `views`, whose files belong to layers by their names. Inside the engine: linalg ← model ← topology ← problems ←
 * solvers, integrators ← time-stepping, event-driven ← run ← analysis, never backwards; smooth stands on linalg and model,
 * smooth-arcs on those and smooth.
 */

/** What each folder of the engine may use of the others. Files beside the folders (errors, index) are not listed. */
const ENGINE = {
  linalg: [],
  'straight-line': [],
  model: ['linalg', 'multibody', 'spatial', 'collision', 'scene'],
  // What all certificates share: they judge what solvers have done, and use nothing of it.
  certificate: ['linalg', 'straight-line', 'model'],
  // What an animation draws: plain data.
  scene: [],
  smooth: ['linalg', 'model'],
  'smooth-arcs': ['linalg', 'model', 'smooth'],
  topology: ['linalg', 'model'],
  problems: ['linalg', 'model', 'topology'],
  // Laws of several impacts at once, on velocities: their complementarity problems are solved as others are.
  impacts: ['problems', 'solvers'],
  solvers: ['linalg', 'straight-line', 'model', 'topology', 'problems'],
  integrators: ['linalg', 'straight-line', 'model', 'topology', 'problems'],
  // Kinematics of bodies, which the model's joints are made of, and formulations of constrained motion.
  multibody: ['linalg'],
  // The same in space.
  spatial: ['linalg', 'multibody'],
  // Shapes, and the contacts between them.
  collision: [],
  // Bodies, contacts and friction together.
  'contact-dynamics': [
    ...['linalg', 'model', 'certificate', 'problems', 'solvers', 'impacts', 'spatial', 'collision'],
  ],
  // Units of models and how they are converted; the document's shape only.
  units: [],
  document: ['linalg', 'model', 'scene'],
  // What is drawn of components, as systems and interactions.
  components: ['model', 'document'],
  // Control blocks as they are sampled in a run, and their certificate.
  control: ['linalg', 'model', 'certificate', 'document'],
  script: ['linalg', 'model', 'document'],
  recording: [],
  // Circuits as netlists of SPICE, read and written.
  netlist: ['model', 'document', 'components'],
  // A model as a script for Siconos: text made of the document and its functions.
  siconos: ['model', 'document', 'script'],
  // From a document to a model that can run: checked, built, laid out.
  preparation: [
    ...['linalg', 'model', 'document', 'components', 'control', 'script', 'scene', 'recording'],
    ...['multibody', 'event-driven', 'impacts', 'spatial', 'collision', 'contact-dynamics'],
  ],
  'time-stepping': [
    ...['linalg', 'straight-line', 'model', 'certificate', 'topology', 'problems', 'solvers', 'integrators'],
    // The conditions of scripts that steps may pass over.
    'event-driven',
  ],
  // Runs: a prepared model advanced by its scheme, recorded as it goes.
  run: [
    ...[
      'linalg',
      'model',
      'certificate',
      'smooth',
      'solvers',
      'integrators',
      'multibody',
      'event-driven',
      'impacts',
    ],
    ...['spatial', 'collision', 'contact-dynamics', 'scene', 'time-stepping'],
    ...['document', 'components', 'control', 'script', 'recording', 'preparation'],
  ],
  // What is asked of a model, or of a moment of a run, beside running it.
  inspection: [
    ...['linalg', 'model', 'topology', 'document', 'script', 'recording', 'spatial', 'contact-dynamics'],
    ...['preparation', 'time-stepping', 'run'],
  ],
  'event-driven': [
    ...[
      'linalg',
      'model',
      'certificate',
      'multibody',
      'smooth',
      'smooth-arcs',
      'problems',
      'solvers',
      'straight-line',
    ],
    'impacts',
  ],
  analysis: [
    ...[
      'linalg',
      'model',
      'smooth',
      'event-driven',
      'impacts',
      'topology',
      'problems',
      'solvers',
      'integrators',
      'multibody',
    ],
    ...['document', 'script', 'recording', 'preparation', 'time-stepping', 'run', 'certificate'],
  ],
};

/** Files of kinds of views that draw without a window. */
const PURE_OF_VIEWS =
  '^src/views/(charts|words|shared/(.*chart|shown-analyses)|[^/]+/(chart|drawing|words)|heat-map/colours)\\.ts$';

const engineRules = Object.entries(ENGINE).map(([folder, allowed]) => ({
  name: `engine-${folder}`,
  comment: `engine/${folder} may use ${allowed.length > 0 ? allowed.join(', ') : 'no other folder of the engine'}.`,
  severity: 'error',
  from: { path: `^src/engine/${folder}/` },
  to: {
    path: '^src/engine/[^/]+/',
    // The shape of the document is plain data that every part may speak of; rule `document-types` sees to the rest.
    pathNot: [
      `^src/engine/(${[folder, ...allowed].join('|')})/`,
      '^src/engine/document/types\\.ts$',
      // Projection states a one-step problem and is handed a solver: their forms only, no solver itself.
      ...(folder === 'spatial' ? ['^src/engine/(problems/avi|solvers/(solver|status))\\.ts$'] : []),
    ],
  },
}));

module.exports = {
  forbidden: [
    ...engineRules,
    {
      name: 'certificates-are-independent',
      comment:
        'A certificate judges what solvers and integrators have done: types at most, nothing of their code.',
      severity: 'error',
      from: { path: '^src/engine/(certificate|[a-z-]+/certificate)/' },
      to: {
        path: '^src/engine/(solvers|problems|integrators)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'blocks-are-judged-by-others',
      comment:
        'The certificate of control blocks has laws and a schedule of its own: nothing of what is sampled.',
      severity: 'error',
      from: { path: '^src/engine/control/certificate/' },
      to: {
        path: '^src/engine/(model/control/|control/[^/]+\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'document-types',
      comment: 'Below the document, its types may be used, as types only.',
      severity: 'error',
      from: {
        path: '^src/engine/(linalg|model|topology|problems|solvers|integrators|multibody|script|recording|units)/',
      },
      to: { path: '^src/engine/document/types\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-index-is-for-others',
      comment: "The library's entry gathers the engine; nothing inside the engine goes through it.",
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/engine/index\\.ts$' },
    },
    {
      name: 'engine-uses-no-layer',
      comment: 'The engine is a library of its own.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: {
        path: '^src/(contract|figures|views|main|cli|renderer)/',
        pathNot: '^src/views/(documents|[^/]+/document)\\.ts$',
      },
    },
    {
      name: 'view-documents-are-of-the-engine',
      comment: 'The form of a kind of view: the schema library, and the forms that several kinds share.',
      severity: 'error',
      from: { path: '^src/views/(documents|[^/]+/document)\\.ts$' },
      to: {
        path: '^src/|node_modules/',
        pathNot: 'node_modules/zod/|^src/engine/document/views/common\\.ts$|^src/views/[^/]+/document\\.ts$',
      },
    },
    {
      name: 'view-charts-are-pure',
      comment:
        'What a view asks and draws is the same in the window and in files: no window, no process, of the engine types and data only.',
      severity: 'error',
      from: { path: PURE_OF_VIEWS },
      to: {
        path: '^src/(engine|main|cli|renderer|views)/|node_modules/',
        pathNot: `node_modules/echarts/types/|^src/engine/(document/types|plural|model/settings/schemes)\\.ts$|${PURE_OF_VIEWS}`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'view-offers-use-no-panel',
      comment: 'What the window offers is known to its stores, on which panels and options stand.',
      severity: 'error',
      from: { path: '^src/views/(offers|[^/]+/offer)\\.ts$' },
      to: { path: '^src/(main|cli)/|^src/views/(panels|[^/]+/options)\\.ts$|\\.vue$' },
    },
    {
      name: 'views-compute-nothing',
      comment: 'The window never computes: engine types only.',
      severity: 'error',
      from: { path: '^src/views/.*(offers?|panels|options|use-[^/]+)\\.ts$|^src/views/.*\\.vue$' },
      to: { path: '^src/(engine|main|cli)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-uses-no-host',
      comment: 'No Node, Electron, Vue or DOM library in the engine.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'engine-packages',
      comment: 'Only packages that compute, parse, check, hash or confine.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: {
        path: 'node_modules/',
        pathNot:
          'node_modules/(@noble/hashes|acorn|@sveltejs/acorn-typescript|mathjs|ohm-js|ses|@endo|sucrase|zod)/',
      },
    },
    {
      name: 'contract-uses-engine-types',
      comment: 'The contract speaks of engine types and runs none of its code.',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^src/engine/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-uses-no-other-layer',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^src/(figures|views|main|cli|renderer)/' },
    },
    {
      name: 'contract-packages',
      comment: 'The schema library and nothing else.',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'contract-uses-no-node',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'figures-use-types',
      comment:
        'What a figure shows is the same on the screen, in a file and in a test: no window, no process, types only.',
      severity: 'error',
      from: { path: '^src/figures/' },
      to: { path: '^src/(engine|contract)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'figures-use-no-other-layer',
      severity: 'error',
      from: { path: '^src/figures/' },
      to: { path: '^src/(main|cli|renderer|views)/' },
    },
    {
      name: 'figures-packages',
      comment: 'The forms of a chart, the layout of a circuit and the cells of a data file, no drawing.',
      severity: 'error',
      from: { path: '^src/figures/' },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(echarts/types|@dagrejs/dagre|(@types/)?papaparse)/',
      },
    },
    {
      name: 'main-uses-no-renderer',
      severity: 'error',
      from: { path: '^src/main/' },
      to: { path: '^src/(renderer|cli|views)/', pathNot: PURE_OF_VIEWS },
    },
    {
      name: 'cli-uses-no-window',
      comment: 'The command line uses the engine host, not the desktop shell and not the window.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/(renderer|main/desktop)/' },
    },
    {
      name: 'renderer-uses-engine-types',
      comment: 'The window never computes: engine types only.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: '^src/engine/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'renderer-uses-no-process',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: '^src/(main|cli)/' },
    },
    {
      name: 'renderer-uses-no-node',
      comment: 'The window is sandboxed: no Node, no Electron.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-is-for-the-shell',
      comment: 'Host, server and command line run where there is no Electron.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main/(index|preload)\\.ts$|^src/main/desktop/' },
      to: { path: '(^|/)electron(/|$)', pathNot: '^src/' },
    },
    {
      name: 'no-circular',
      comment: 'A cycle of modules has no order in which it can be read, tested or loaded.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '[?](worker|url|raw|inline)' },
    },
    {
      name: 'no-test-in-source',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports count: a layer is known by what its types speak of.
    tsPreCompilationDeps: true,
    // The one configuration that knows every alias.
    tsConfig: { fileName: 'test/tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types', 'browser'],
      extensions: ['.ts', '.vue', '.mjs', '.js', '.json', '.d.ts'],
    },
    builtInModules: { add: [] },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
