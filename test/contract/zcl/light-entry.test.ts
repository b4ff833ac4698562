// `zcl run` stands before every action of an agent: it loads Node built-ins and its own few files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Project } from './project.ts'

const project = new Project()
const temporary = mkdtempSync(path.join(tmpdir(), 'zcl-light-'))
afterAll(() => {
  project.remove()
  rmSync(temporary, { recursive: true, force: true })
})

const preload = path.join(temporary, 'preload.cjs')
writeFileSync(
  preload,
  `const before = new Set(process.moduleLoadList)
process.on('exit', () => {
  const builtIns = process.moduleLoadList.filter((name) => !before.has(name))
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  require('node:fs').writeFileSync(process.env.ZEE_LOADED, JSON.stringify({ files, builtIns }))
})\n`,
)

const foreign = /\bnode_modules\/(?!@zee\/)|commander|zod|smol-toml|\byaml\b/
const heavy = /NativeModule (http|https|tls|worker_threads|zlib|readline|dns|vm|inspector)$/

test('run loads no library and no heavy part of Node', async () => {
  const attempt = await project.start(['--timeout-ms', '60000', '--mode', 'ci'])
  await project.run(attempt, ['true'])
  const report = path.join(temporary, 'loaded.json')
  const env = { NODE_OPTIONS: `--require ${preload}`, ZEE_LOADED: report }
  // The command itself must not write the report again.
  await project.run(attempt, ['sh', '-c', 'exit 0'], { env })
  const loaded = JSON.parse(readFileSync(report, 'utf8')) as { files: string[]; builtIns: string[] }
  expect(loaded.files.length).toBeLessThan(30)
  for (const file of loaded.files) {
    expect(file).not.toMatch(/node_modules\/(?!@zee|\.bin)/)
    const imports = [...readFileSync(file, 'utf8').matchAll(/require\("([^"]+)"\)/g)]
    for (const [, name = ''] of imports) expect(name).toMatch(/^(?:node:|\.)/)
    expect(path.basename(file)).not.toMatch(foreign)
  }
  expect(loaded.builtIns.filter((name) => heavy.test(name))).toEqual([])
})
