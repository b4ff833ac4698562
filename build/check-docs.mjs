// Compares the docs with the code: links resolve, the core documents link to each other, commands, flags,
// settings, codes and variables match in both directions, generated files are up to date, and every figure
// in README.md is in docs/performance.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { codeProblems, settingProblems, variableProblems } from './docs-codes.mjs'
import { unnamedCommands, wrongCommands } from './docs-commands.mjs'
import { deadLinks, markdownFiles } from './docs-links.mjs'
import { putSummary } from './docs-summary.mjs'
import { drift, generatedFiles, loadData } from './docs.mjs'
import { programFolder, programNames, repository } from './programs.mjs'

const require = createRequire(import.meta.url)
const docs = path.join(repository, 'docs')

const unbuilt = programNames.filter((name) => !existsSync(commandsOf(name)))
const problems =
  unbuilt.length > 0
    ? unbuilt.map((name) => `${name}: not built, run npm run build`)
    : [
        ...linkProblems(),
        ...crossLinkProblems(),
        ...summaryProblems(),
        ...(await codeAndDocsProblems()),
      ]

for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function linkProblems() {
  return markdownFiles(repository).flatMap(deadLinks)
}

/** Checks that the documents for newcomers link to each other. */
function crossLinkProblems() {
  const expected = {
    'README.md': ['docs/concept.md', 'docs/architecture.md', 'AGENTS.md', 'CONTRIBUTING.md'],
    'AGENTS.md': ['docs/concept.md', 'docs/architecture.md'],
    'CONTRIBUTING.md': ['docs/concept.md', 'docs/architecture.md', 'docs/adr/README.md'],
    'docs/concept.md': ['architecture.md', 'adr/README.md'],
    'docs/architecture.md': ['../CONTRIBUTING.md'],
  }
  return Object.entries(expected).flatMap(([page, targets]) => {
    const text = readFileSync(path.join(repository, page), 'utf8')
    return targets
      .filter((target) => !text.includes(`](${target})`))
      .map((target) => `${page}: no link to ${target}`)
  })
}

/** Checks the comparison in README.md against the tables. */
function summaryProblems() {
  const readme = readFileSync(path.join(repository, 'README.md'), 'utf8')
  const performance = readFileSync(path.join(docs, 'performance.md'), 'utf8')
  const isSame = putSummary(readme, performance) === readme
  return isSame ? [] : ['README.md: not what docs/performance.md says (build/docs-performance.mjs)']
}

async function codeAndDocsProblems() {
  const data = await loadData()
  const trees = new Map(programNames.map((name) => [name, require(commandsOf(name)).tree]))
  const zclCodes = new Set(data.everyCode().map(({ code }) => code))
  return [
    ...drift(await generatedFiles()),
    ...programNames.flatMap((name) => commandProblems(name, trees.get(name))),
    ...markdownFiles(repository)
      .filter((page) => !/CHANGELOG\.md$|\/reference\/|\/packages\//.test(page))
      .flatMap((page) => wrongCommands(page, trees)),
    ...codeProblems(readFileSync(path.join(docs, 'errors.md'), 'utf8'), zclCodes),
    ...variableProblems(),
    ...['zdx', 'zino'].flatMap((name) => settingsOf(/** @type {'zdx' | 'zino'} */ (name), data)),
  ]
}

/**
 * Every program has pages in docs (`zcl.md`, `zcl-*.md`) that name each of its commands.
 * @param {string} name
 * @param {import('../packages/core/src/cli/cli.ts').Command} tree
 */
function commandProblems(name, tree) {
  const pages = pagesOf(name)
  if (pages.length === 0) return [`${name}: has no page in docs`]
  const text = pages.map((page) => readFileSync(path.join(docs, page), 'utf8')).join('\n')
  return unnamedCommands(tree, text).map((words) => `docs/${name}.md: does not mention '${words}'`)
}

/**
 * @param {'zdx' | 'zino'} name
 * @param {typeof import('./docs-data.ts')} data
 */
function settingsOf(name, { configs, configTable }) {
  const keys = [...configTable(configs[name]).matchAll(/^\| `([^`]+)`/gm)]
  const known = new Set(keys.map(([, key = '']) => key))
  return pagesOf(name).flatMap((page) =>
    settingProblems(`docs/${page}`, readFileSync(path.join(docs, page), 'utf8'), known),
  )
}

/** @param {string} name */
function pagesOf(name) {
  return readdirSync(docs).filter((file) => new RegExp(`^${name}(-.*)?\\.md$`).test(file))
}

/** @param {string} name */
function commandsOf(name) {
  return path.join(programFolder(name), 'dist/commands.cjs')
}
