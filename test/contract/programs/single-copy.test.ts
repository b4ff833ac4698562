// Every module occurs once per program. A second copy of core would break `instanceof` and module
// state.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'

interface SourceMap {
  sources: string[]
}

/** Maps each source file to the bundle files that contain it, from the source maps. */
function bundleFilesBySource(dist: string): Map<string, string[]> {
  const bundleFiles = new Map<string, string[]>()
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.cjs.map'))) {
    const map = JSON.parse(readFileSync(path.join(dist, name), 'utf8')) as SourceMap
    for (const source of new Set(map.sources)) {
      const file = path.relative(repository, path.resolve(dist, source))
      bundleFiles.set(file, [...(bundleFiles.get(file) ?? []), name])
    }
  }
  return bundleFiles
}

describe.each(['zdx', 'zeno', 'zino', 'zcl', 'zee'])('the bundle of %s', (name) => {
  const bundleFiles = bundleFilesBySource(path.join(repository, 'packages', name, 'dist'))

  it('contains every module once', () => {
    const repeated = [...bundleFiles].filter(([, files]) => files.length > 1)
    expect(repeated).toEqual([])
  })

  it('contains the core modules of its entry', () => {
    expect([...bundleFiles.keys()]).toContain('packages/core/src/errors/errors.ts')
  })

  it('loads only its own files and built-ins at run time', () => {
    const dist = path.join(repository, 'packages', name, 'dist')
    for (const file of readdirSync(dist).filter((each) => each.endsWith('.cjs'))) {
      const text = readFileSync(path.join(dist, file), 'utf8')
      // Libraries that generate code contain such calls as text after a quote.
      const calls = text.matchAll(/(?<!["'`])\brequire\((?:"([^"]+)"|`([^`]+)`)\)/g)
      const loaded = [...calls].map(([, id, other]) => id ?? other ?? '')
      const foreign = loaded.filter((id) => !id.startsWith('./') && !isBuiltIn(id))
      expect(foreign, file).toEqual([])
      // Code that runs from a pack has no ES module loader.
      expect(text.match(/\bimport\(/g) ?? [], file).toEqual([])
    }
  })
})

function isBuiltIn(id: string): boolean {
  return process.getBuiltinModule(id) !== undefined
}
