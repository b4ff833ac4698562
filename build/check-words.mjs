// Refuses words of a dialect that readers have to decode; plain alternatives are in CONTRIBUTING.md.
// node build/check-words.mjs [path...]
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { repository } from './programs.mjs'

/**
 * Each word with what to write instead.
 * @type {[RegExp, string][]}
 */
const words = [
  [/\b(whoever|whomever|somebody|nobody|anybody)\b/i, 'name the caller, the reader, the client'],
  [/\bthose who\b/i, 'name the role'],
  [/\bsuch as are\b/i, 'name the things'],
  [/\bwhat is known\b/i, 'name the state or the cache'],
  [/\bso many\b/i, 'give the number or the name of the limit'],
  [/\bas little as\b/i, 'give the minimum'],
  [/\bpassed over\b/i, 'skipped'],
  [/\bcomes upon\b/i, 'finds, reaches'],
  [/\b(is|are|was|were|be) told\b/i, 'reported, logged, printed'],
  [
    /\bbehind\b(?! (a|an|the|its|one|any|every|each|this|that)? ?(\w+ )?(prox(y|ies)|links?|symlinks?|flags?|firewalls?|load balancers?|tokens?|trust|scenes)\b)/i,
    'after',
  ],
]

const checked = /\.(ts|tsx|mts|mjs|cjs|js|md|sh|css)$|^\.ci\/run$/
const skipped = /(^|\/)(fixtures|dist)\/|^build\/check-words\.mjs$/

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--', ...process.argv.slice(2)],
  {
    cwd: repository,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => checked.test(file) && !skipped.test(file))
  .filter((file) => existsSync(`${repository}/${file}`))

let count = 0
for (const file of files) {
  const lines = readFileSync(`${repository}/${file}`, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) report(file, index + 1, line)
}
process.exitCode = count === 0 ? 0 : 1

/**
 * @param {string} file
 * @param {number} number
 * @param {string} line
 */
function report(file, number, line) {
  for (const [word, instead] of words) {
    const found = word.exec(line)
    if (found === null) continue
    count += 1
    console.log(`${file}:${number}: '${found[0]}': ${instead}`)
  }
}
