// Compiles the search kernel (packages/corpus/kernel) to WebAssembly and writes it, as text, into the source
// of corpus. What is written is committed: a build needs no compiler, and a test compares.
// node build/kernel.mjs [--check]
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { repository } from './programs.mjs'

const folder = path.join(repository, 'packages/corpus/kernel')
const target = path.join(repository, 'packages/corpus/src/kernel/kernel-modules.ts')
const parts = ['search', 'lines', 'hits', 'sign', 'filter', 'dfa', 'sum']

/** Both work on imported shared memory; the second is for processors without vectors. */
const forms = { simdModule: ['--enable', 'simd'], scalarModule: [] }

if (process.argv[1] === import.meta.filename) {
  const text = await kernelSource()
  const same = (await readFile(target, 'utf8').catch(() => '')) === text
  if (process.argv.includes('--check')) {
    if (!same)
      console.error(`${path.relative(repository, target)} is not what the kernel compiles to`)
    process.exitCode = same ? 0 : 1
  } else if (!same) await writeFile(target, text)
}

/** The TypeScript module that holds both forms. */
export async function kernelSource() {
  const lines = [
    '// The compiled search kernel. Written by build/kernel.mjs out of packages/corpus/kernel.',
  ]
  for (const [name, options] of Object.entries(forms)) {
    const wasm = await compile(options)
    lines.push('', `export const ${name} =`, `  '${Buffer.from(wasm).toString('base64')}'`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * @param {string[]} options
 * @returns {Promise<Uint8Array>}
 */
async function compile(options) {
  const { main } = await import('assemblyscript/asc')
  /** @type {Uint8Array | undefined} */
  let wasm
  const { error, stderr } = await main(
    [
      ...parts.map((part) => `${part}.ts`),
      ...['--outFile', 'kernel.wasm', '--runtime', 'stub', '--use', 'abort='],
      ...['--importMemory', '--noExportMemory', '--sharedMemory'],
      ...['--initialMemory', '1', '--maximumMemory', '65536'],
      ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
      ...['--enable', 'threads', ...options],
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
