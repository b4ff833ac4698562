// Which tests call which function.
import path from 'node:path'

/**
 * @typedef {{ test: string, ms: number, called: { file: string, names: string[] }[] }} CalledLine
 * @typedef {{ test: string, ms: number }} TimedTest
 */

export class Coverage {
  /** @type {Map<string, TimedTest[]>} */
  #tests = new Map()

  /**
   * @param {CalledLine[]} lines
   * @param {ReadonlySet<string>} failing tests that cannot notice a mutant
   */
  constructor(lines, failing) {
    for (const line of lines) if (!failing.has(line.test)) this.#add(line)
  }

  /**
   * Tests that call the function around the mutant: the nearest folders first, then the fastest.
   * @param {{ file: string, inside: string | undefined }} mutant
   */
  testsFor({ file, inside }) {
    const tests = this.#tests.get(inside === undefined ? file : `${file}:${inside}`) ?? []
    return tests.toSorted(
      (a, b) => sharedFolders(b.test, file) - sharedFolders(a.test, file) || a.ms - b.ms,
    )
  }

  /** @param {CalledLine} line */
  #add({ test, ms, called }) {
    for (const { file, names } of called) {
      for (const key of [file, ...new Set(names.map((name) => `${file}:${name}`))]) {
        const tests = this.#tests.get(key) ?? []
        tests.push({ test, ms })
        this.#tests.set(key, tests)
      }
    }
  }
}

/**
 * Number of folders that the two paths have in common.
 * @param {string} one
 * @param {string} other
 */
function sharedFolders(one, other) {
  const folders = path.dirname(other).split(path.sep)
  const end = path.dirname(one).split(path.sep)
  const differs = folders.findIndex((folder, index) => folder !== end[index])
  return differs === -1 ? folders.length : differs
}
