// The libraries work outside this repository: tarballs install into an empty folder, and the snippet of
// each README compiles under `tsc --strict` and runs there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const tarballs: Record<string, string> = {}
  const tarball = (name: string, source: string): void => {
    const file = `${name.replace(/[@/]/g, '-')}.tgz`
    const items = name.startsWith('@zee/') ? ['package.json', 'README.md', 'dist'] : ['.']
    const rename = String.raw`--transform=s,^\.\?/\?,package/,`
    execFileSync('tar', ['-czf', path.join(folder, file), rename, ...items], { cwd: source })
    tarballs[name] = `file:./${file}`
  }
  for (const name of libraries) {
    tarball(`@zee/${name}`, path.join(repository, 'packages', name))
  }
  for (const name of thirdPartyPackages()) {
    tarball(name, path.join(repository, 'node_modules', name))
  }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: tarballs }),
  )
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'pipe' })
}

/** Every package outside this repository that the libraries need to run. */
function thirdPartyPackages(): Set<string> {
  const found = new Set<string>()
  const visit = (manifest: Manifest): void => {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (name.startsWith('@zee/') || found.has(name)) continue
      found.add(name)
      visit(readManifest(path.join('node_modules', name)))
    }
  }
  for (const name of libraries) visit(readManifest(path.join('packages', name)))
  return found
}

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(path.join(repository, place, 'package.json'), 'utf8')) as Manifest
}
