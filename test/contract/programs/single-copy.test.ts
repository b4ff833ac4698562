// Every module exists once per program: a second copy of core would break `instanceof` and state.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'

interface SourceMap {
  sources: string[]
}

/** Which source files stand in which files of a bundle, by the source maps. */
function sourcesOf(dist: string): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.cjs.map'))) {
    const map = JSON.parse(readFileSync(path.join(dist, name), 'utf8')) as SourceMap
    for (const source of new Set(map.sources)) {
      const file = path.relative(repository, path.resolve(dist, source))
      places.set(file, [...(places.get(file) ?? []), name])
    }
  }
  return places
}

describe.each(['zdx', 'zeno', 'zino', 'zcl'])('the bundle of %s', (name) => {
  const places = sourcesOf(path.join(repository, 'packages', name, 'dist'))

  it('holds every module once', () => {
    const repeated = [...places].filter(([, files]) => files.length > 1)
    expect(repeated).toEqual([])
  })

  it('holds the core modules of the entry', () => {
    expect([...places.keys()]).toContain('packages/core/src/errors/errors.ts')
  })

  it('loads nothing at run time but its own files and built-ins', () => {
    const dist = path.join(repository, 'packages', name, 'dist')
    for (const file of readdirSync(dist).filter((each) => each.endsWith('.cjs'))) {
      const text = readFileSync(path.join(dist, file), 'utf8')
      // Libraries that write code hold such calls as text, behind a quote.
      const calls = text.matchAll(/(?<!["'`])\brequire\((?:"([^"]+)"|`([^`]+)`)\)/g)
      const loaded = [...calls].map(([, id, other]) => id ?? other ?? '')
      const foreign = loaded.filter((id) => !id.startsWith('./') && !builtIn(id))
      expect(foreign, file).toEqual([])
      // Code that runs from a pack has no loader for modules.
      expect(text.match(/\bimport\(/g) ?? [], file).toEqual([])
    }
  })
})

function builtIn(id: string): boolean {
  return process.getBuiltinModule(id) !== undefined
}
