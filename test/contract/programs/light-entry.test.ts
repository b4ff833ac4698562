// `--version` and `--help` load a short fixed list of files.
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LoadReport } from '../../support/load-report.ts'
import { repository } from '../../support/paths.ts'
import type { ProgramName } from '../../support/run-program.ts'
import { runProgram } from '../../support/run-program.ts'

const report = new LoadReport()
afterAll(() => report.remove())

/** Built-ins that are expensive to load: streams, sockets, terminals, children, workers, crypto. */
const heavy =
  /NativeModule (net|tty|http|https|tls|child_process|worker_threads|zlib|crypto|readline|stream|dns)$/

async function loadedBy(name: ProgramName, args: string[]) {
  await runProgram(name, args, { env: report.env })
  const loaded = report.read()
  const folder = path.join(repository, 'packages', name)
  return {
    files: loaded.files.map((file) => withoutHash(path.relative(folder, file))).sort(),
    heavy: loaded.builtIns.filter((builtIn) => heavy.test(builtIn)),
  }
}

function withoutHash(file: string): string {
  return file.replace(/-[\w-]{8}\.cjs$/, '.cjs')
}

/** The entry of zino reads the names of its services to select the service to start. */
const extraFiles: Partial<Record<ProgramName, string[]>> = { zino: ['dist/services.cjs'] }

describe.each(['zdx', 'zeno', 'zino', 'zcl', 'zee'] as const)('%s', (name) => {
  it.each(['--version', '--help', 'completion --help'])(
    'loads only its launcher and its entry for %s',
    async (line) => {
      const loaded = await loadedBy(name, line.split(' '))
      const bundle = ['dist/main.cjs', 'dist/rolldown-runtime.cjs', 'dist/start.cjs']
      const files = [`bin/${name}.cjs`, ...bundle, ...(extraFiles[name] ?? [])].sort()
      expect(loaded).toEqual({ files, heavy: [] })
    },
  )
})
