// Bundles the child programs of the tests (writers to kill, servers to stress) once per test run.
// packages/<package>/test/children/<name>.ts becomes childProgram('<package>', '<name>'), and
// test/proof/children/<name>.ts becomes childProgram('proof', '<name>').
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { bundlePrograms } from '../../build/bundle.mjs'
import { childrenFolder, repository } from './paths.ts'

export default async function buildChildren(): Promise<() => void> {
  const entries: Record<string, string> = {}
  const packages = readdirSync(path.join(repository, 'packages'))
  const folders = packages.map((name) => [name, `packages/${name}/test/children`] as const)
  for (const [name, relative] of [...folders, ['proof', 'test/proof/children'] as const]) {
    const folder = path.join(repository, relative)
    if (!existsSync(folder)) continue
    for (const file of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
      entries[`${name}/${path.basename(file, '.ts')}`] = path.join(folder, file)
    }
  }
  if (Object.keys(entries).length > 0) await bundlePrograms(entries, childrenFolder)
  return () => rmSync(childrenFolder, { recursive: true, force: true })
}
