// The allowed imports of docs/architecture.md. `npm run check` enforces them.
'use strict'

/** The packages that each package may import. */
const arrows = {
  core: [],
  llm: ['core'],
  corpus: ['core'],
  evidence: ['core'],
  mcp: ['core', 'llm'],
  agent: ['core', 'corpus', 'llm', 'mcp'],
  reader: ['core', 'llm'],
  web: [],
  zdx: ['agent', 'core', 'evidence', 'llm', 'mcp'],
  zeno: ['core', 'corpus', 'llm', 'reader'],
  zino: ['core', 'llm', 'mcp'],
  zcl: ['core', 'evidence', 'llm'],
  zee: ['agent', 'core', 'evidence', 'llm'],
}

/** Third-party modules that core may load, each in the one module that needs it. */
const coreLibraries = [
  { library: 'highlight.js', module: 'markdown' },
  { library: 'marked', module: 'markdown' },
  { library: 'smol-toml', module: 'config' },
  { library: 'zod', module: 'config' },
]

/** Types of the data that a page embeds. The programs that write pages import them. */
const pageTypes = '^packages/web/src/data/data[.]ts$'
const pageWriters = ['zdx', 'zeno', 'zcl', 'zee']

const sources = '\\.ts$'
const tests = '\\.test\\.ts$|^packages/[^/]+/test/'

const packageArrows = Object.entries(arrows).map(([name, allowed]) => ({
  name: `${name}-arrows`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'no other package'}`,
  severity: 'error',
  from: { path: `^packages/${name}/src/`, pathNot: tests },
  to: {
    path: '^packages/',
    pathNot: [
      `^packages/(${[name, ...allowed].join('|')})/`,
      ...(pageWriters.includes(name) ? [pageTypes] : []),
    ],
  },
}))

module.exports = {
  forbidden: [
    ...packageArrows,
    ...coreLibraries.map(({ library, module }) => ({
      name: `core-${library}`,
      comment: `only core's ${module} files may load ${library}`,
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: `^packages/core/src/${module}/|${tests}` },
      to: { path: `node_modules/${library}/` },
    })),
    {
      name: 'page-types',
      comment: 'a program uses the types and the built viewer of web, never its code',
      severity: 'error',
      from: { path: `^packages/(${pageWriters.join('|')})/src/` },
      to: { path: pageTypes, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'core-libraries',
      comment: 'core imports only built-ins and the libraries of its table',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: {
        path: 'node_modules/',
        pathNot: `node_modules/(${coreLibraries.map(({ library }) => library).join('|')})/`,
      },
    },
    {
      name: 'hot-modules',
      comment: 'these load built-ins only, so that hot commands load nothing they do not use',
      severity: 'error',
      from: {
        path: '^packages/(core/src/(chain|process|identity|journal|lock|redact|ids|clock|errors|exit)|evidence/src/(attempt|recorder|trace))/[^/]+\\.ts$',
        pathNot: tests,
      },
      to: { path: 'node_modules/', reachable: true },
    },
    {
      name: 'front-door',
      comment: 'packages are entered by their exports map, never by an inner path',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: tests },
      to: {
        path: '^packages/[^/]+/',
        pathNot: '^packages/$1/',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'agent-has-no-terminal',
      comment: 'the engine never prints and never reads a terminal',
      severity: 'error',
      from: { path: '^packages/agent/src/', pathNot: tests },
      to: { path: '^(node:)?(readline|tty)(/|$)' },
    },
    {
      name: 'no-cycles',
      comment: 'only type imports and dynamic imports may be circular',
      severity: 'error',
      from: { path: sources },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|node_modules/\\.cache' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['zee-source', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
    },
  },
}
