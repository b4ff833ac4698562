// The libraries work outside this repository: tarballs install into an empty folder, and the snippet of
// each README compiles under `tsc --strict` and runs there.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'

const libraries = ['core', 'llm', 'mcp', 'corpus', 'evidence', 'agent', 'reader'] as const
const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-libraries-'))
const compiler = path.join(repository, 'node_modules/typescript/bin/tsc')

interface Manifest {
  version: string
  dependencies?: Record<string, string>
}

beforeAll(async () => {
  installTarballs()
  for (const name of libraries) {
    mkdirSync(path.join(folder, name))
    writeFileSync(path.join(folder, name, 'snippet.ts'), readmeSnippet(name))
  }
  await compileSnippets()
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(libraries)('the README snippet of @zee/%s runs from the packed library', async (name) => {
  const ran = await runFile(process.execPath, ['snippet.js'], { cwd: path.join(folder, name) })
  expect(ran.stderr).toBe('')
  expect(ran.code).toBe(0)
  expect(ran.stdout).not.toBe('')
})

/** One compiler run for all: it takes longer to read the declarations of Node than the snippets. */
async function compileSnippets(): Promise<void> {
  const types = ['--typeRoots', path.join(repository, 'node_modules/@types'), '--types', 'node']
  const target = ['--strict', '--module', 'nodenext', '--target', 'es2023']
  const files = libraries.map((name) => path.join(name, 'snippet.ts'))
  const compiled = await runFile(process.execPath, [compiler, ...target, ...types, ...files], {
    cwd: folder,
  })
  expect(compiled.stdout).toBe('')
}

/** The code block that follows the mark in a library's README. */
function readmeSnippet(name: string): string {
  const readme = readFileSync(path.join(repository, 'packages', name, 'README.md'), 'utf8')
  const snippet = /<!-- snippet -->\n+```ts\n([^]*?)```/.exec(readme)?.[1]
  if (snippet === undefined) throw new Error(`packages/${name}/README.md has no snippet`)
  return snippet
}

/** Installs offline: dependencies come as tarballs of what `npm ci` put into node_modules. */
function installTarballs(): void {
  execFileSync(process.execPath, ['build/libraries.mjs'], { cwd: repository })
  const dependencies: Record<string, string> = {}
  for (const name of libraries) {
    const items = ['package.json', 'README.md', 'dist']
    dependencies[`@zee/${name}`] = packTarball(path.join('packages', name), items)
  }
  const overrides: Record<string, Record<string, string>> = {}
  for (const { place, name, owner } of thirdPartyPackages()) {
    const tarball = packTarball(place, ['.'])
    if (owner === undefined) dependencies[name] = tarball
    else overrides[owner] = { ...overrides[owner], [name]: tarball }
  }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  )
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'pipe' })
}

/** Packs items of a folder of this repository; returns what a manifest calls the tarball. */
function packTarball(place: string, items: readonly string[]): string {
  const file = `${place.replace(/[@/]/g, '-')}.tgz`
  const flags = ['--exclude=./node_modules', String.raw`--transform=s,^\.\?/\?,package/,`]
  const cwd = path.join(repository, place)
  execFileSync('tar', ['-czf', path.join(folder, file), ...flags, ...items], { cwd })
  return `file:./${file}`
}

interface ThirdPartyPackage {
  name: string
  place: string
  /** The package that needs a version of its own, in its own node_modules. */
  owner?: string
}

/** Every package outside this repository that the libraries need to run. */
function thirdPartyPackages(): Iterable<ThirdPartyPackage> {
  const found = new Map<string, ThirdPartyPackage>()
  const visit = (owner: string, place: string): void => {
    for (const name of Object.keys(readManifest(place).dependencies ?? {})) {
      const nested = path.join(place, 'node_modules', name)
      const isNested = existsSync(path.join(repository, nested))
      const at = isNested ? nested : path.join('node_modules', name)
      if (name.startsWith('@zee/') || found.has(at)) continue
      found.set(at, isNested ? { name, place: at, owner } : { name, place: at })
      visit(name, at)
    }
  }
  for (const name of libraries) visit(`@zee/${name}`, path.join('packages', name))
  return found.values()
}

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(path.join(repository, place, 'package.json'), 'utf8')) as Manifest
}
