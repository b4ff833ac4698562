// Reports which files and built-ins a program loaded. A preload script writes the list at exit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface Loaded {
  files: string[]
  /** Without those that Node itself loads at start. */
  builtIns: string[]
}

const preload = `const before = new Set(process.moduleLoadList)
process.on('exit', () => {
  const builtIns = process.moduleLoadList.filter((name) => !before.has(name))
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  require('node:fs').writeFileSync(process.env.ZEE_LOADED, JSON.stringify({ files, builtIns }))
})
`

export class LoadReport {
  /** Environment of the observed program. */
  readonly env: { NODE_OPTIONS: string; ZEE_LOADED: string }
  readonly folder = mkdtempSync(path.join(tmpdir(), 'zee-loaded-'))

  constructor() {
    const script = path.join(this.folder, 'preload.cjs')
    writeFileSync(script, preload)
    const report = path.join(this.folder, 'loaded.json')
    this.env = { NODE_OPTIONS: `--require ${script}`, ZEE_LOADED: report }
  }

  read(): Loaded {
    return JSON.parse(readFileSync(this.env.ZEE_LOADED, 'utf8')) as Loaded
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
