// The two ways of starting a child are equal for the caller. The way is chosen when the module loads, so each
// runs in a process of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../../test/support/paths.ts'
import { temporaryFolder, testEnvironment } from '../process.fixtures.ts'
import { runProcess } from '../process.ts'

/** With the first, Node's process handle starts the child; Node would print a warning with the last two. */
const environments: readonly Record<string, string>[] = [
  {},
  { ZEE_PROCESS_HANDLE: '0' },
  { NODE_PENDING_DEPRECATION: '1' },
  { NODE_OPTIONS: '--pending-deprecation' },
]

/** What the wrapper passes on, and how it says that the command ended. */
async function observe(command: readonly string[], env: Record<string, string>): Promise<unknown> {
  const folder = temporaryFolder()
  const report = path.join(folder, 'report.json')
  writeFileSync(path.join(folder, 'plain'), 'text\n')
  writeFileSync(path.join(folder, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 })
  const { stdout, stderr, exitCode } = await runProcess({
    command: process.execPath,
    args: [childProgram('core', 'passthrough'), report, '{}', ...command],
    cwd: folder,
    env: { ...testEnvironment, ...env },
  })
  const { outcome, signal } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, unknown>
  return { exitCode, outcome, signal, stdout: stdout.text(), stderr: stderr.text() }
}

describe('a child is started with Node’s process handle and with `node:child_process`', () => {
  const sh = (script: string, ...args: string[]): string[] => ['sh', '-c', script, ...args]
  it.each([
    ['exits with a code', sh('echo out; echo err >&2; exit 7')],
    ['is ended by a signal', sh('kill -KILL $$')],
    [
      'gets arguments of any text',
      sh('printf "%s|" "$@"', 'sh', '', 'a b', '*', 'é😀', '-n', 'x\ny'),
    ],
    ['leads a session of its own', sh('test "$(cut -d" " -f6 /proc/$$/stat)" = $$')],
    ['opens /dev/stdout', sh('echo out >/dev/stdout')],
    ['has a name that does not exist', ['zee-no-such-command']],
    ['has an empty name', ['']],
    ['is not executable', ['./plain']],
    ['has no interpreter', ['./script']],
  ])('and %s: the caller sees no difference', async (_title, command) => {
    const seen = await Promise.all(environments.map((env) => observe(command, env)))
    for (const each of seen.slice(1)) expect(each).toEqual(seen[0])
  })

  it('and gets its environment unchanged, with names that a shell would drop', async () => {
    const odd = { 'BASH_FUNC_f%%': '() { :; }', 'a.b': '', É: '=ü=', EMPTY: '' }
    for (const env of environments) {
      const seen = await observe(['env', '-0'], { ...odd, ...env })
      const lines = (seen as { stdout: string }).stdout.split('\0').filter((line) => line !== '')
      const all = { ...testEnvironment, ...odd, ...env }
      expect(lines.sort()).toEqual(
        Object.entries(all)
          .map((pair) => pair.join('='))
          .sort(),
      )
    }
  })
})
