// The four programs and the files their bundles begin with. Every entry of a program shares its
// chunks with the others, so a module exists once per program.
import path from 'node:path'

export const repository = path.resolve(import.meta.dirname, '..')

/** @type {Record<string, Record<string, string>>} */
const entries = {
  zdx: {},
  zeno: { 'regex-worker': path.join(repository, 'packages/corpus/src/regex-worker.ts') },
  zino: {},
  zcl: {},
}

export const programNames = Object.keys(entries)

/** @param {string} name */
export function programFolder(name) {
  return path.join(repository, 'packages', name)
}

/** @param {string} name */
export function programEntries(name) {
  const folder = programFolder(name)
  return {
    main: path.join(folder, 'src/main.ts'),
    commands: path.join(folder, 'src/commands.ts'),
    ...entries[name],
  }
}
