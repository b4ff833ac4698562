// Paths of the repository, its built programs and the child programs of the tests.
import path from 'node:path'

export const repository = path.resolve(import.meta.dirname, '../..')

export const childrenFolder = path.join(
  repository,
  `node_modules/.cache/zee/children-${process.env.ZEE_TEST_RUN}`,
)

/** The bundled child program `name` of a package's tests. */
export function childProgram(packageName: string, name: string): string {
  return path.join(childrenFolder, packageName, `${name}.cjs`)
}

/** One of the four programs, as `npm ci` links it. */
export function builtProgram(name: 'zdx' | 'zeno' | 'zino' | 'zcl' | 'zee'): string {
  return path.join(repository, 'node_modules/.bin', name)
}
