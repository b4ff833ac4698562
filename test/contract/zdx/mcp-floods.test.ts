// MCP servers that flood stdout or never read: signals and deadlines end zdx, and memory is bounded.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isRunning } from './processes.ts'
import { until } from './sandbox.ts'
import { withServer } from './with-server.ts'

const at = withServer()

const repeat = (line: string) => `const line = ${line}
const flood = () => { while (process.stdout.write(line)); process.stdout.once('drain', flood) }
flood()`

const floods: Readonly<Record<string, string>> = {
  requests: repeat(`'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'.repeat(1000)`),
  notifications: repeat(
    `'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\\n'.repeat(1000)`,
  ),
  garbage: repeat(`'not a message\\n'.repeat(5000)`),
  'deep nesting': repeat(
    `'{"jsonrpc":"2.0","id":0,"result":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}\\n'`,
  ),
  'one endless line': repeat(`'x'.repeat(1 << 16)`),
  nothing: 'setInterval(() => {}, 1000)',
}

function configure(flood: string): string {
  const pidFile = path.join(at.box.base, 'pid')
  const code = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));\n${flood}`
  at.box.config(`tools = ["mcp:flood"]
[mcp.flood]
command = ${JSON.stringify(process.execPath)}
args = ["-e", ${JSON.stringify(code)}]
`)
  return pidFile
}

it.each(Object.keys(floods))(
  'SIGINT ends zdx within 3 s while an MCP server floods it with %s',
  { timeout: 30_000 },
  async (kind) => {
    const pidFile = configure(floods[kind] ?? '')
    const zdx = at.box.start(['exec', '-p', 'hi'])
    const ended = once(zdx, 'exit')
    await until(() => readOrEmpty(pidFile) !== '')
    await sleep(kind === 'requests' ? 6000 : 1500)
    const peakKiB = /VmHWM:\s+(\d+)/.exec(readOrEmpty(`/proc/${zdx.pid}/status`))?.[1]
    const start = performance.now()
    zdx.kill('SIGINT')
    await ended
    expect(performance.now() - start).toBeLessThan(3000)
    expect(Number(peakKiB ?? 0)).toBeLessThan(300 * 1024)
    await until(() => !isRunning(readOrEmpty(pidFile)))
  },
)

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
