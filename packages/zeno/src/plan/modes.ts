// The reading modes and their plans. A plan is a list of requests that can be piped into the server or run;
// missing inputs stay as placeholders such as `<SYMBOL>`, each of which has a flag.
import { definitionPattern, languageGlob } from './definitions.ts'
import type { ChangedFile } from './changed-files.ts'
import type { SecurityPattern } from './security-pack.ts'

export interface PlanInputs {
  language?: string | undefined
  symbol?: string | undefined
  keyTerm?: string | undefined
  /** The document to read first. */
  doc?: string | undefined
  changed: readonly ChangedFile[]
  patterns: readonly SecurityPattern[]
}

export interface PlanRow {
  id: string
  op: string
  args: Record<string, unknown>
  purpose: string
}

export interface Mode {
  name: string
  summary: string
  /** The flags that the mode uses. */
  inputs: readonly string[]
  plan(inputs: PlanInputs): PlanRow[]
}

type Step = Omit<PlanRow, 'id'>

const tests = [
  '**/{test,tests,spec,__tests__}/**',
  '**/*{_test,.test,_spec,.spec}.*',
  '**/test_*.py',
]
const docs = ['**/*.{md,mdx,rst,txt,adoc}']
const manifests =
  '**/{package.json,pyproject.toml,setup.py,go.mod,Cargo.toml,pom.xml,build.gradle,build.gradle.kts,' +
  'Gemfile,composer.json,CMakeLists.txt,Makefile,Dockerfile,Package.swift,build.sbt}'
const noise = { exclude_globs: ['**/*.min.*', '**/*.map', '**/generated/**', '**/vendor/**'] }

const step = (op: string, args: Record<string, unknown>, purpose: string): Step => ({
  op,
  args,
  purpose,
})

export const modes: readonly Mode[] = [
  {
    name: 'codebase-archaeology',
    summary:
      'Trace the origin of a symbol: its definition, uses, tests, documentation and changelog.',
    inputs: ['--symbol', '--language'],
    plan: (inputs) => numbered('arch', archaeology(inputs)),
  },
  {
    name: 'security-audit',
    summary: 'Find code that deserves a security review, from a pack of patterns.',
    inputs: ['--language', '--pack', '--max-patterns'],
    plan: (inputs) => numbered('sec', audit(inputs)),
  },
  {
    name: 'architecture-mapping',
    summary: 'Map the architecture: components, entry points, interfaces and dependencies.',
    inputs: ['--language'],
    plan: (inputs) => numbered('archmap', mapping(inputs)),
  },
  {
    name: 'pr-review',
    summary: 'Review a change: the changed lines of each file, its symbols and their uses.',
    inputs: ['--changed', '--git', '--base', '--head', '--symbol'],
    plan: review,
  },
  {
    name: 'skill-generation',
    summary: 'Learn how the project is used from its documentation, examples and tests.',
    inputs: ['--key-term', '--language'],
    plan: (inputs) => numbered('skill', skill(inputs)),
  },
  {
    name: 'deep-research',
    summary: 'Find everything about a term, in the documentation first, then in code.',
    inputs: ['--key-term', '--symbol', '--doc', '--language'],
    plan: (inputs) => numbered('research', research(inputs)),
  },
]

function numbered(prefix: string, steps: readonly Step[]): PlanRow[] {
  return steps.map((each, index) => ({ id: `${prefix}-${index + 1}`, ...each }))
}

function archaeology({ symbol = '<SYMBOL>', language }: PlanInputs): Step[] {
  return [
    step('list_files', { glob: languageGlob(language), max: 200, ...noise }, 'files to read'),
    definition(symbol, language, 'its definition'),
    step(
      'grep',
      { pattern: symbol, context: 1, paths: languagePaths(language), ...noise },
      'its uses',
    ),
    step('grep', { pattern: symbol, paths: tests }, 'its tests'),
    step('grep', { pattern: symbol, paths: docs }, 'its documentation'),
    step(
      'list_files',
      { glob: '**/{CHANGELOG,HISTORY,NEWS}*', max: 20 },
      'changelogs that may mention it',
    ),
  ]
}

function audit({ patterns, language }: PlanInputs): Step[] {
  const selected = patterns.filter(
    ({ languages }) =>
      language === undefined || languages.length === 0 || languages.includes(language),
  )
  return selected.map(({ id, category, severity, pattern, regex, globs, description }) => {
    const paths = globs.length === 0 ? languagePaths(language) : [...globs]
    const args = { pattern, regex: regex || undefined, paths, max_hits: 50, ...noise }
    return step('grep', args, `${category} (${severity}): ${description || id}`)
  })
}

function mapping({ language }: PlanInputs): Step[] {
  const paths = languagePaths(language)
  return [
    step('summary', {}, 'size and languages'),
    step('list_files', { glob: manifests, max: 100 }, 'components and their dependencies'),
    step('list_files', { glob: '**/README*', max: 50 }, 'descriptions of the components'),
    step('list_files', { glob: languageGlob(language), max: 500, ...noise }, 'folder structure'),
    step(
      'list_files',
      { glob: '**/{main,index,app,server,cli,__main__}.*', max: 100, ...noise },
      'entry points',
    ),
    step(
      'grep',
      {
        pattern: '^\\s*(?:import\\b|from\\s+\\S+\\s+import\\b|use\\s|#include|require\\b)',
        regex: true,
        paths,
        max_hits: 200,
        ...noise,
      },
      'dependencies between modules',
    ),
    step(
      'grep',
      {
        pattern:
          '(?i)\\b(?:router?|app)\\.(?:get|post|put|patch|delete)\\s*\\(|@(?:Get|Post|Put|Delete|Request)Mapping|@app\\.route|HandleFunc',
        regex: true,
        paths,
        max_hits: 100,
        ...noise,
      },
      'interfaces: routes',
    ),
    step(
      'grep',
      {
        pattern:
          '\\b(?:process\\.env|os\\.environ|os\\.getenv|os\\.Getenv|env::var|System\\.getenv)\\b',
        regex: true,
        paths,
        max_hits: 100,
        ...noise,
      },
      'interfaces: configuration',
    ),
  ]
}

function review({ changed, symbol = '<SYMBOL>', language }: PlanInputs): PlanRow[] {
  const known = changed.filter(({ path }) => !isLockFile(path))
  const placeholder: ChangedFile = { path: '<CHANGED_FILE>', hunks: [] }
  const files = changed.length === 0 ? [placeholder] : known
  const steps = files.flatMap((file) => [
    changedLines(file),
    step('extract_symbols', { path: file.path }, 'symbols it defines'),
  ])
  const usage = { pattern: symbol, context: 1, paths: languagePaths(language), ...noise }
  return [
    ...numbered('pr', steps),
    { id: 'pr-usage', ...step('grep', usage, 'uses of the changed symbol') },
  ]
}

/** Lines read around a changed range, and the most ranges of one request. */
const hunkContext = 8
const maxHunks = 40

/** Reads the changed ranges with some context, or both ends of a file whose changed lines are unknown. */
function changedLines({ path, hunks }: ChangedFile): Step {
  if (hunks.length === 0) {
    return step('peek', { path, head_lines: 120, tail_lines: 40 }, 'the changed file')
  }
  const ranges: [number, number][] = []
  for (const [start, end] of hunks) {
    const wide: [number, number] = [Math.max(1, start - hunkContext), end + hunkContext]
    const last = ranges.at(-1)
    if (last !== undefined && wide[0] <= last[1] + 1) last[1] = Math.max(last[1], wide[1])
    else ranges.push(wide)
  }
  const reads = ranges
    .slice(0, maxHunks)
    .map(([start, end]) => ({ path, start_line: start, end_line: end }))
  return step('read_many', { reads }, 'the changed lines')
}

/** Generated lists of versions: a review of their lines finds nothing. */
const lockFiles =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go(?:\.work)?\.sum|bun\.lockb|[^/]*[.-]lock|[^/]*\.lock\.hcl)$/i

function isLockFile(path: string): boolean {
  return lockFiles.test(path)
}

function skill({ keyTerm = '<KEY_TERM>', language }: PlanInputs): Step[] {
  return [
    step('list_files', { glob: '**/README*', max: 50 }, 'introductions'),
    step('list_files', { glob: '**/{docs,doc,guide,guides}/**', max: 200 }, 'documentation'),
    step('list_files', { glob: '**/{examples,example,samples,demo}/**', max: 100 }, 'examples'),
    step('list_files', { glob: manifests, max: 50 }, 'commands and scripts'),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: docs, context: 2, max_hits: 60 },
      'the term in the documentation',
    ),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: tests, context: 2, max_hits: 60 },
      'the term in the tests',
    ),
    step('list_files', { glob: languageGlob(language), max: 200, ...noise }, 'source code'),
  ]
}

function research({ keyTerm = '<KEY_TERM>', symbol, doc, language }: PlanInputs): Step[] {
  return [
    step('summary', {}, 'size of the corpus'),
    step('list_files', { glob: docs[0], max: 300 }, 'documentation'),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: docs, context: 2 },
      'the term in the documentation',
    ),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: languagePaths(language), ...noise },
      'the term in the code',
    ),
    definition(symbol ?? keyTerm, language, 'its definition'),
    step(
      'read_file',
      { path: doc ?? '<DOC_PATH>', start_line: 1, end_line: 200 },
      'the most relevant document',
    ),
    step('chunks', { glob: docs[0] }, 'the documentation in chunks, to read all of it'),
  ]
}

function definition(name: string, language: string | undefined, purpose: string): Step {
  const pattern = definitionPattern(name, language)
  return step('grep', { pattern, regex: true, paths: languagePaths(language), ...noise }, purpose)
}

function languagePaths(language: string | undefined): string[] | undefined {
  const glob = languageGlob(language)
  return glob === undefined ? undefined : [glob]
}
