// What git puts in the place of objects: the refs below `refs/replace`, and the parents in `info/grafts`.
import path from 'node:path'
import { readText } from '../layout.ts'
import type { RepositoryLayout } from '../layout.ts'
import type { Refs } from './refs.ts'

/** Git refuses longer chains. */
const maxChain = 5

export class Replacements {
  readonly #objects: ReadonlyMap<string, string>
  readonly #parents: ReadonlyMap<string, readonly string[]>
  /** Differs if another replacement would be read now. */
  readonly stamp: string

  constructor({ commonFolder, settings }: RepositoryLayout, refs: Refs) {
    const isUsed = settings.get('core.usereplacerefs')?.toLowerCase() !== 'false'
    this.#objects = isUsed ? refs.replacements() : new Map()
    const grafts = readText(path.join(commonFolder, 'info/grafts')) ?? ''
    this.#parents = parseGrafts(grafts)
    this.stamp = `${[...this.#objects].join('\n')}\n\n${grafts}`
  }

  /** The object to read instead of another. */
  object(name: string): string {
    let at = name
    for (let count = 0; count < maxChain; count++) {
      const next = this.#objects.get(at)
      if (next === undefined) return at
      at = next
    }
    return at
  }

  /** The parents of a commit that has a graft. */
  parents(commit: string): readonly string[] | undefined {
    return this.#parents.get(commit)
  }
}

/** A line has a commit and then its parents. */
function parseGrafts(text: string): Map<string, readonly string[]> {
  const rows = text
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}(?: [0-9a-f]{40,64})*\s*$/.test(line))
  return new Map(
    rows.map((row) => {
      const [commit = '', ...parents] = row.trim().split(' ')
      return [commit, parents]
    }),
  )
}
