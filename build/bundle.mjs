// Bundles TypeScript entries to CommonJS files that share their chunks.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** Packages of this repository resolve to their sources, not to a library build that may be stale. */
export const sourceConditions = ['zee-source', 'node']

/**
 * Modules that one command always needs together, kept in one file. A late group is loaded at the first use
 * of one of its exports; its modules must have no effect when they load.
 * @typedef {{ name: string, test: RegExp, priority?: number, isLate?: boolean }} ChunkGroup
 */

/**
 * @param {Record<string, string>} entries name of the output file to source file
 * @param {string} outDir emptied first
 * @param {{ minify?: boolean, sourcemap?: boolean, groups?: ChunkGroup[] }} [options]
 */
export async function bundlePrograms(entries, outDir, options = {}) {
  const groups = options.groups ?? []
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    resolve: { conditionNames: sourceConditions },
    transform: { target: 'node20.19' },
    plugins: [requireBuiltIns, plainBuiltIns, plainExports, lateChunks(groups)],
    // A late group needs it: entries may export more than their module.
    preserveEntrySignatures: 'allow-extension',
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
        ...groups.map(({ isLate = false, ...group }) => ({
          ...group,
          includeDependenciesRecursively: !isLate,
        })),
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

/**
 * The default import of a built-in is the built-in itself. The bundler's general form copies all its
 * properties as getters at each start.
 */
const plainBuiltIns = {
  name: 'plain-built-ins',
  /** @param {string} code */
  renderChunk(code) {
    const plain = code.replace(
      /^(node_\w+) = [\w.$]+\(\1, 1\);$/gm,
      '$1 = { __proto__: $1, default: $1 };',
    )
    return plain === code ? null : { code: plain, map: null }
  },
}

/**
 * Exports what is never assigned again as a plain value. The getter that the bundler writes for every export
 * costs a closure at each start and a call at each use.
 */
const plainExports = {
  name: 'plain-exports',
  /** @param {string} code */
  renderChunk(code) {
    const constants = new Set(
      [
        ...code.matchAll(
          /^(?:const|class|(?:async )?function\*?) ([\w$]+)|^var ([\w$]+) = class\b/gm,
        ),
      ].map(([, name, className]) => name ?? className),
    )
    const getter =
      /^Object\.defineProperty\(exports, (["'])(\w+)\1, \{\s*enumerable: true,\s*get: function\s*\(\)\s*\{\s*return ([\w$]+);?\s*\}\s*\}\);$/gm
    const plain = code.replace(getter, (text, _quote, exported, name) =>
      constants.has(name) ? `exports.${exported} = ${name};` : text,
    )
    return plain === code ? null : { code: plain, map: null }
  },
}

/**
 * Loads the chunks of late groups at the first use of an export.
 * @param {ChunkGroup[]} groups
 */
function lateChunks(groups) {
  const names = groups.filter(({ isLate }) => isLate).map(({ name }) => name)
  return {
    name: 'late-chunks',
    /** @param {string} code */
    renderChunk(code) {
      let late = code
      for (const name of names) {
        const load = new RegExp(`^const require_${name} = (require\\(.+\\));$`, 'm')
        if (!load.test(late)) continue
        late = late
          .replaceAll(new RegExp(`\\brequire_${name}\\.`, 'g'), `require_${name}.exports.`)
          .replace(load, `const require_${name} = { get exports() { return $1; } };`)
      }
      return late === code ? null : { code: late, map: null }
    },
  }
}
