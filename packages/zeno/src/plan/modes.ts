// The modes of reading a codebase and the plans that begin them. A plan is a list of requests, ready
// to be piped into the server; what is not known yet stays as `<SYMBOL>` and the like.
import { definitionPattern, languageGlob } from './definitions.ts'
import type { SecurityPattern } from './security-pack.ts'

export interface PlanInputs {
  language?: string | undefined
  symbol?: string | undefined
  keyTerm?: string | undefined
  changed: readonly string[]
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
  /** What the mode wants to know besides the tree. */
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
      'Where a thing comes from: its definition, its users, its tests, its history in words.',
    inputs: ['--symbol', '--language'],
    plan: (inputs) => numbered('arch', archaeology(inputs)),
  },
  {
    name: 'security-audit',
    summary: 'First pass over what deserves a second look, from a pack of patterns.',
    inputs: ['--language', '--pack', '--max-patterns'],
    plan: (inputs) => numbered('sec', audit(inputs)),
  },
  {
    name: 'architecture-mapping',
    summary: 'The shape of the whole: parts, entries, borders and what they depend on.',
    inputs: ['--language'],
    plan: (inputs) => numbered('archmap', mapping(inputs)),
  },
  {
    name: 'pr-review',
    summary: 'A change and what it touches: each changed file, its symbols and who uses them.',
    inputs: ['--changed', '--git', '--base', '--head', '--symbol'],
    plan: review,
  },
  {
    name: 'skill-generation',
    summary: 'How the project is used, from its documents, examples and tests.',
    inputs: ['--key-term', '--language'],
    plan: (inputs) => numbered('skill', skill(inputs)),
  },
  {
    name: 'deep-research',
    summary: 'All that is said about a term, in documents first, then in code.',
    inputs: ['--key-term', '--symbol', '--language'],
    plan: (inputs) => numbered('research', research(inputs)),
  },
]

function numbered(prefix: string, steps: readonly Step[]): PlanRow[] {
  return steps.map((each, index) => ({ id: `${prefix}-${index + 1}`, ...each }))
}

function archaeology({ symbol = '<SYMBOL>', language }: PlanInputs): Step[] {
  return [
    step('list_files', { ...globArg(language), max: 200, ...noise }, 'what there is to read'),
    definition(symbol, language, 'where it is defined'),
    step('grep', { pattern: symbol, context: 1, ...pathsArg(language), ...noise }, 'who uses it'),
    step('grep', { pattern: symbol, paths: tests }, 'which tests pin it down'),
    step('grep', { pattern: symbol, paths: docs }, 'what is written about it'),
    step(
      'list_files',
      { glob: '**/{CHANGELOG,HISTORY,NEWS}*', max: 20 },
      'where its history may be told',
    ),
  ]
}

function audit({ patterns, language }: PlanInputs): Step[] {
  const wanted = patterns.filter(
    ({ languages }) =>
      language === undefined || languages.length === 0 || languages.includes(language),
  )
  return wanted.map(({ id, category, severity, pattern, regex, globs, description }) => {
    const where = globs.length === 0 ? pathsArg(language) : { paths: [...globs] }
    const args = { pattern, ...(regex ? { regex } : {}), ...where, max_hits: 50, ...noise }
    return step('grep', args, `${category} (${severity}): ${description || id}`)
  })
}

function mapping({ language }: PlanInputs): Step[] {
  const code = pathsArg(language)
  return [
    step('summary', {}, 'how large it is and what it is written in'),
    step('list_files', { glob: manifests, max: 100 }, 'the parts and what they depend on'),
    step('list_files', { glob: '**/README*', max: 50 }, 'what the parts say of themselves'),
    step('list_files', { ...globArg(language), max: 500, ...noise }, 'the folders'),
    step(
      'list_files',
      { glob: '**/{main,index,app,server,cli,__main__}.*', max: 100, ...noise },
      'where it begins',
    ),
    step(
      'grep',
      {
        pattern: '^\\s*(?:import\\b|from\\s+\\S+\\s+import\\b|use\\s|#include|require\\b)',
        regex: true,
        ...code,
        max_hits: 200,
        ...noise,
      },
      'who depends on whom',
    ),
    step(
      'grep',
      {
        pattern:
          '(?i)\\b(?:router?|app)\\.(?:get|post|put|patch|delete)\\s*\\(|@(?:Get|Post|Put|Delete|Request)Mapping|@app\\.route|HandleFunc',
        regex: true,
        ...code,
        max_hits: 100,
        ...noise,
      },
      'its borders: routes',
    ),
    step(
      'grep',
      {
        pattern:
          '\\b(?:process\\.env|os\\.environ|os\\.getenv|os\\.Getenv|env::var|System\\.getenv)\\b',
        regex: true,
        ...code,
        max_hits: 100,
        ...noise,
      },
      'its borders: configuration',
    ),
  ]
}

function review({ changed, symbol = '<SYMBOL>', language }: PlanInputs): PlanRow[] {
  const files = changed.length === 0 ? ['<CHANGED_FILE>'] : changed
  const steps = files.flatMap((path) => [
    step('peek', { path, head_lines: 120, tail_lines: 40 }, 'the changed file'),
    step('extract_symbols', { path }, 'what it defines'),
  ])
  const usage = { pattern: symbol, context: 1, ...pathsArg(language), ...noise }
  return [
    ...numbered('pr', steps),
    { id: 'pr-usage', ...step('grep', usage, 'who uses what has changed') },
  ]
}

function skill({ keyTerm = '<KEY_TERM>', language }: PlanInputs): Step[] {
  return [
    step('list_files', { glob: '**/README*', max: 50 }, 'how it presents itself'),
    step('list_files', { glob: '**/{docs,doc,guide,guides}/**', max: 200 }, 'its documents'),
    step('list_files', { glob: '**/{examples,example,samples,demo}/**', max: 100 }, 'its examples'),
    step('list_files', { glob: manifests, max: 50 }, 'its commands and scripts'),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: docs, context: 2, max_hits: 60 },
      'what is said about the term',
    ),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: tests, context: 2, max_hits: 60 },
      'how the tests use it',
    ),
    step('list_files', { ...globArg(language), max: 200, ...noise }, 'the code behind it'),
  ]
}

function research({ keyTerm = '<KEY_TERM>', symbol, language }: PlanInputs): Step[] {
  return [
    step('summary', {}, 'how much there is'),
    step('list_files', { glob: docs[0], max: 300 }, 'the documents'),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, paths: docs, context: 2 },
      'the term in documents',
    ),
    step(
      'grep',
      { pattern: keyTerm, case_sensitive: false, ...pathsArg(language), ...noise },
      'the term in the code',
    ),
    definition(symbol ?? keyTerm, language, 'where it is defined'),
    step(
      'read_file',
      { path: '<DOC_PATH>', start_line: 1, end_line: 200 },
      'the document that says most',
    ),
    step('chunks', { glob: docs[0] }, 'the documents in parts, should they be read whole'),
  ]
}

function definition(name: string, language: string | undefined, purpose: string): Step {
  const pattern = definitionPattern(name, language)
  return step('grep', { pattern, regex: true, ...pathsArg(language), ...noise }, purpose)
}

function globArg(language: string | undefined): { glob?: string } {
  const glob = languageGlob(language)
  return glob === undefined ? {} : { glob }
}

function pathsArg(language: string | undefined): { paths?: string[] } {
  const glob = languageGlob(language)
  return glob === undefined ? {} : { paths: [glob] }
}
