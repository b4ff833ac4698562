// Bundles TypeScript entries to CommonJS files that share their chunks.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** Packages of this repository resolve to their sources, not to a library build that may be stale. */
export const sourceConditions = ['zee-source', 'node']

/**
 * @param {Record<string, string>} entries name of the output file to source file
 * @param {string} outDir emptied first
 * @param {{ minify?: boolean, sourcemap?: boolean, groups?: { name: string, test: RegExp, priority?: number }[] }} [options]
 *   groups: modules that one command always needs together, kept in one file
 */
export async function bundlePrograms(entries, outDir, options = {}) {
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    resolve: { conditionNames: sourceConditions },
    transform: { target: 'node20.19' },
    plugins: [requireBuiltIns],
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      report(level, log)
    },
  })
  await rm(outDir, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: outDir,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: (chunk) => `${chunkName(chunk)}-[hash].cjs`,
    // Modules that every start loads stay in one file, regardless of which chunks share them.
    codeSplitting: {
      groups: [
        {
          name: 'start',
          test: /packages\/core\/src\/(exit|errors|clock)\/[^/]+\.ts$/,
          priority: 1,
        },
        ...(options.groups ?? []),
      ],
    },
    sourcemap: options.sourcemap ?? true,
    minify: options.minify ?? false,
  })
  await bundle.close()
  return output
}

/**
 * The chunk of a handler `<name>/command.ts` gets the folder's name.
 * @param {{ name: string, facadeModuleId: string | null }} chunk
 */
function chunkName({ name, facadeModuleId }) {
  if (name !== 'command' || facadeModuleId === null) return name
  return path.basename(path.dirname(facadeModuleId))
}

/**
 * Lazily loaded built-ins use `require`: `import()` would first load Node's ESM loader, and code in a pack
 * has none.
 */
const requireBuiltIns = {
  name: 'require-built-ins',
  /** @param {string} code */
  renderChunk(code) {
    const late = /\bimport\((["'`])(node:[\w/]+)\1\)/g
    if (!late.test(code)) return null
    const required = code.replace(late, 'Promise.resolve().then(() => require("$2"))')
    return { code: required, map: null }
  },
}
