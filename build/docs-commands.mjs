// Checks that commands and flags in the docs exist, and that every command is on its program's pages.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './programs.mjs'

/** @import { Command } from '../packages/core/src/cli/cli.ts' */

/**
 * Returns the command lines on a page that use an unknown command or flag.
 * @param {string} page
 * @param {Map<string, Command>} trees
 */
export function wrongCommands(page, trees) {
  /** @type {Set<string>} */
  const problems = new Set()
  const text = readFileSync(page, 'utf8')
  for (const line of commandLines(text, [...trees.keys()])) {
    const problem = fault(line, trees)
    if (problem === undefined) continue
    problems.add(`${path.relative(repository, page)}: ${problem} in \`${line.join(' ')}\``)
  }
  return [...problems]
}

/**
 * Checks that one of the program's pages describes each command.
 * @param {Command} tree
 * @param {string} text all pages of the program
 */
export function unnamedCommands(tree, text) {
  return paths(tree, [tree.name]).filter((words) => !text.includes(words))
}

/**
 * @param {Command} command
 * @param {string[]} words
 * @returns {string[]}
 */
function paths(command, words) {
  if (command.hidden === true) return []
  return [
    words.join(' '),
    ...command.commands.flatMap((each) => paths(each, [...words, each.name])),
  ]
}

/**
 * Splits the command lines in code: after a prompt, a pipe, `&&`, `;`, `$(` or `--`.
 * @param {string} text
 * @param {string[]} programs
 */
function* commandLines(text, programs) {
  for (const code of codeOf(text)) {
    for (const part of code.split(/\|\||&&|[|;()`]|\$\s|\s--\s/)) {
      const words = part.trim().split(/\s+/)
      while (/^[A-Z_]+=/.test(words[0] ?? '')) words.shift()
      const isDrawing = /[─│►▼]/.test(part)
      if (!isDrawing && programs.includes(words[0] ?? '')) yield words
    }
  }
}

/** @param {string} text */
function* codeOf(text) {
  const fence = /^```(\w*)\n([\s\S]*?)^```/gm
  for (const [, language = '', block = ''] of text.matchAll(fence)) {
    if (!['', 'sh', 'console', 'bash'].includes(language)) continue
    const joined = block.replaceAll(/\\\n\s*/g, ' ')
    const hasPrompts = /^\$ /m.test(joined)
    for (const line of joined.split('\n')) {
      if (!hasPrompts || line.startsWith('$ ')) yield line.replace(/\s#\s.*$/, '')
    }
  }
  for (const [, inline = ''] of text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)) yield inline
}

/**
 * @param {string[]} line
 * @param {Map<string, Command>} trees
 * @returns {string | undefined}
 */
function fault([program = '', ...words], trees) {
  const root = trees.get(program)
  if (root === undefined) return undefined
  const on = [root]
  let command = root
  let isValue = false
  for (const word of words) {
    if (word.startsWith('-')) {
      const flag = /^--?[A-Za-z][\w-]*/.exec(word)?.[0]
      if (flag !== undefined && !knows(on, flag)) return `no flag ${flag}`
      isValue = takesValue(on, word)
      continue
    }
    if (isValue) {
      isValue = false
      continue
    }
    const next = command.commands.find(({ name }) => name === word)
    if (next !== undefined) {
      command = next
      on.push(next)
    } else if (mustBeCommand(command, word)) return `no command ${word}`
  }
  return undefined
}

/**
 * Whether a word must be a command because no argument is allowed in its place: `zcl frobnicate`.
 * @param {Command} command
 * @param {string} word
 */
function mustBeCommand(command, word) {
  const isPlain = /^[a-z][a-z-]+$/.test(word) && word !== 'help' && word !== 'version'
  return isPlain && command.commands.length > 0 && command.arguments.length === 0
}

/**
 * Whether the next word is the value of this flag.
 * @param {Command[]} on
 * @param {string} flag
 */
function takesValue(on, flag) {
  return on.some((command) =>
    Object.values(command.options).some(
      ({ flags }) => flags.includes('<') && flags.split(/[ ,]+/).includes(flag),
    ),
  )
}

/**
 * @param {Command[]} on
 * @param {string} flag
 */
function knows(on, flag) {
  if (['--help', '-h', '--version'].includes(flag)) return true
  // A short flag may carry its value: -n5. zino also takes -ch.
  return on.some((command) =>
    Object.values(command.options).some(({ flags }) =>
      flags
        .split(/[ ,]+/)
        .some(
          (name) =>
            name === flag ||
            (/^-\w$/.test(name) && !flag.startsWith('--') && flag.startsWith(name)),
        ),
    ),
  )
}
