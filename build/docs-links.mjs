// Checks links between Markdown files: the file and the heading exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

/**
 * @param {string} folder
 * @returns {string[]}
 */
export function markdownFiles(folder) {
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
export function deadLinks(page) {
  /** @type {string[]} */
  const problems = []
  const text = withoutCode(readFileSync(page, 'utf8'))
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [name = '', anchor] = target.split('#')
    const file = name === '' ? page : path.resolve(path.dirname(page), name)
    const isDead = !existsSync(file) || (anchor !== undefined && !hasHeading(file, anchor))
    if (isDead) problems.push(`${path.relative(repository, page)}: dead link ${target}`)
  }
  return problems
}

/**
 * @param {string} file
 * @param {string} anchor
 */
function hasHeading(file, anchor) {
  if (!file.endsWith('.md')) return true
  const seen = new Map()
  for (const [, title = ''] of withoutFences(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)) {
    const base = slug(title)
    const count = seen.get(base) ?? 0
    seen.set(base, count + 1)
    if (anchor === (count === 0 ? base : `${base}-${count}`)) return true
  }
  return false
}

/**
 * The anchor that GitHub generates for a heading.
 * @param {string} title
 */
function slug(title) {
  const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/** @param {string} text */
function withoutFences(text) {
  return text.replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '')
}

/** @param {string} text */
function withoutCode(text) {
  return withoutFences(text).replaceAll(/`[^`\n]*`/g, '')
}
