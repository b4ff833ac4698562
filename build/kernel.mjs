// Compiles the search kernel (packages/corpus/kernel) to WebAssembly and writes it, as text, into the source
// of corpus. The output is committed, so that a build needs no compiler; a test compares it.
// node build/kernel.mjs [--check]
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { repository } from './programs.mjs'

const folder = path.join(repository, 'packages/corpus/kernel')
const sources = path.join(repository, 'packages/corpus/src')

const shared = ['--sharedMemory', '--enable', 'threads']
const vectors = ['--enable', 'simd']
const kernelParts = ['search', 'lines', 'hits', 'sign', 'filter', 'dfa', 'sum']

/**
 * Maps each output file to its sources. The kernel has a second build for processors without SIMD; the one-pass
 * module has none.
 * @type {Record<string, { name: string, parts: string[], options: string[] }[]>}
 */
const targets = {
  'kernel/modules.ts': [
    { name: 'simdModule', parts: kernelParts, options: [...shared, ...vectors] },
    { name: 'scalarModule', parts: kernelParts, options: shared },
  ],
  'content/one-pass-module.ts': [{ name: 'onePassModule', parts: ['one-pass'], options: vectors }],
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, modules] of Object.entries(targets)) {
    const target = path.join(sources, file)
    const text = await sourceOf(modules)
    if ((await readFile(target, 'utf8').catch(() => '')) === text) continue
    if (process.argv.includes('--check')) {
      console.error(`${path.relative(repository, target)} is not what the kernel compiles to`)
      process.exitCode = 1
    } else await writeFile(target, text)
  }
}

/**
 * Returns the TypeScript module that embeds the compiled modules.
 * @param {(typeof targets)[string]} modules
 */
async function sourceOf(modules) {
  const lines = ['// Compiled. Written by build/kernel.mjs out of packages/corpus/kernel.']
  for (const { name, parts, options } of modules) {
    const wasm = await compile(parts, options)
    lines.push('', `export const ${name} =`, `  '${Buffer.from(wasm).toString('base64')}'`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * Compiles sources to one module, which imports its memory.
 * @param {string[]} parts
 * @param {string[]} options
 * @returns {Promise<Uint8Array>}
 */
async function compile(parts, options) {
  const { main } = await import('assemblyscript/asc')
  /** @type {Uint8Array | undefined} */
  let wasm
  const { error, stderr } = await main(
    [
      ...parts.map((part) => `${part}.ts`),
      ...['--outFile', 'kernel.wasm', '--runtime', 'stub', '--use', 'abort='],
      ...['--importMemory', '--noExportMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
      ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
      ...options,
    ],
    {
      readFile: (name, base) =>
        readFile(path.resolve(folder, base, name), 'utf8').catch(() => null),
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) wasm = /** @type {Uint8Array} */ (contents)
      },
      listFiles: () => [],
    },
  )
  if (error !== null || wasm === undefined) {
    throw new Error(`the kernel does not compile: ${stderr.toString()}`, { cause: error })
  }
  return wasm
}
