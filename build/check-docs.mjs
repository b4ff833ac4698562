// Keeps the docs true: links between files are alive, the core documents link to each other, every
// command of every program is named on its page, and generated parts equal what is generated now.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { programFolder, programNames, repository } from './programs.mjs'

/** @type {string[]} */
const problems = []

const pages = markdownFiles(repository)
for (const page of pages) checkLinks(page)
checkCrossLinks()
for (const name of programNames) checkCommands(name)

for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

/**
 * @param {string} folder
 * @returns {string[]}
 */
function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      const skipped = ['node_modules', 'dist', '.git', 'fixtures'].includes(entry.name)
      return skipped ? [] : markdownFiles(full)
    }
    return entry.name.endsWith('.md') ? [full] : []
  })
}

/** @param {string} page */
function checkLinks(page) {
  const text = readFileSync(page, 'utf8').replace(/```[\s\S]*?```/g, '')
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) continue
    const file = path.resolve(path.dirname(page), target.replace(/#.*$/, ''))
    if (!existsSync(file)) problems.push(`${relative(page)}: dead link ${target}`)
  }
}

/** The documents a newcomer needs lead to one another. */
function checkCrossLinks() {
  const expected = {
    'README.md': ['docs/concept.md', 'docs/architecture.md', 'AGENTS.md', 'CONTRIBUTING.md'],
    'AGENTS.md': ['docs/concept.md', 'docs/architecture.md'],
    'CONTRIBUTING.md': ['docs/concept.md', 'docs/architecture.md', 'docs/adr/README.md'],
    'docs/concept.md': ['architecture.md', 'adr/README.md'],
    'docs/architecture.md': ['../CONTRIBUTING.md'],
  }
  for (const [page, targets] of Object.entries(expected)) {
    const text = readFileSync(path.join(repository, page), 'utf8')
    for (const target of targets) {
      if (!text.includes(`](${target})`)) problems.push(`${page}: no link to ${target}`)
    }
  }
}

/**
 * Every program has pages in docs/ (`zcl.md`, `zcl-*.md`) that name each of its commands.
 * @param {string} name
 */
function checkCommands(name) {
  const folder = path.join(repository, 'docs')
  const pages = readdirSync(folder).filter((file) => new RegExp(`^${name}(-.*)?\\.md$`).test(file))
  const texts = path.join(programFolder(name), 'dist/texts.json')
  if (pages.length === 0) problems.push(`${name}: has no page in docs`)
  if (!existsSync(texts)) {
    problems.push(`${name}: not built, run npm run build`)
    return
  }
  const text = pages.map((page) => readFileSync(path.join(folder, page), 'utf8')).join('\n')
  for (const command of Object.keys(JSON.parse(readFileSync(texts, 'utf8')).help)) {
    if (!text.includes(`${name} ${command}`.trim())) {
      problems.push(`docs/${name}.md: does not mention '${name} ${command}'`)
    }
  }
}

/** @param {string} file */
function relative(file) {
  return path.relative(repository, file)
}
