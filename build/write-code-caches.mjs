// Compiles the files of a bundle ahead of time, for the V8 that runs the build.
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import codeCache from './code-cache.cjs'

/**
 * Writes the compiled code of each file beside it, and the module that uses it.
 * @param {string} folder where the bundle lies
 * @param {string} home where it will lie when it runs
 */
export async function writeCodeCaches(folder, home) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cjs'))
  for (const name of names) {
    const file = path.join(folder, name)
    const source = await readFile(file, 'utf8')
    const script = compileWhole(source, path.join(home, name))
    await writeFile(codeCache.cacheFileOf(file), script.createCachedData())
  }
  const module = path.join(import.meta.dirname, 'code-cache.cjs')
  await copyFile(module, path.join(folder, path.basename(module)))
}

/**
 * Functions included, which V8 would otherwise leave for their first call. The flag is part of what
 * V8 compares when the code is used, so it must be back before the code is taken.
 * @param {string} source
 * @param {string} filename
 */
function compileWhole(source, filename) {
  setFlagsFromString('--no-lazy')
  try {
    return codeCache.compile(source, filename)
  } finally {
    setFlagsFromString('--lazy')
  }
}
