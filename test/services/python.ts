// Python programs for the services tests. `node build/install-python.mjs` installs their packages; a test
// that needs them is skipped where they are not installed.
import { pythonFolder } from '../../build/install-python.mjs'
import { runFile, type Ran } from '../support/run-program.ts'

export const hasPython = pythonFolder !== undefined

/** Runs a program of one file with the installed packages. */
export function runPython(source: string, args: readonly string[], cwd?: string): Promise<Ran> {
  const env = { PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' }
  return runFile('python3', ['-c', source, ...args], cwd === undefined ? { env } : { env, cwd })
}
