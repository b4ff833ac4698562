// A zeno server for benchmarks, asked over its pipe, with its CPU time and memory.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Server {
  ask(op: string, args: object): Promise<Record<string, unknown>>
  cpuMs(): number
  rssMib(): number
}

/** Called in the main process of the bench, which knows the repository path. */
export function storeRepository(scratch: string): void {
  writeFileSync(path.join(scratch, 'repository'), path.resolve(process.argv[1] ?? '', '../..'))
}

export function repositoryOf(scratch: string): string {
  return readFileSync(path.join(scratch, 'repository'), 'utf8')
}

/** Runs `use` with a server whose index is ready. */
export async function withServer<Result>(
  scratch: string,
  root: string,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const zeno = path.join(repositoryOf(scratch), 'packages/zeno/bin/zeno.cjs')
  const child = spawn(process.execPath, [zeno, 'serve', '--root', root], { stdio: 'pipe' })
  try {
    const server = serverOf(child)
    // The first search starts the index; a listing does not need one.
    await server.ask('list_files', { max: 1 })
    await server.ask('grep', { pattern: 'zzqxnotfound', max_files: 1 })
    for (;;) {
      const { index } = await server.ask('index_stats', {})
      const { state, pending } = (index ?? {}) as { state?: string; pending?: number }
      if (state === 'ready' && pending === 0) break
      if (state === 'off') throw new Error('there is no index')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return await use(server)
  } finally {
    child.kill('SIGKILL')
  }
}

function serverOf(child: ChildProcessWithoutNullStreams): Server {
  let parts: Buffer[] = []
  let onLine: (line: string) => void = () => {}
  child.stdout.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (chunk.at(-1) !== 0x0a) return
    const line = Buffer.concat(parts).toString()
    parts = []
    onLine(line)
  })
  return {
    ask: (op, args) =>
      new Promise((resolve, reject) => {
        onLine = (line) => {
          const reply = JSON.parse(line) as { ok: boolean; result: Record<string, unknown> }
          if (reply.ok) resolve(reply.result)
          else reject(new Error(line))
        }
        child.stdin.write(`${JSON.stringify({ id: op, op, args })}\n`)
      }),
    cpuMs: () => {
      const fields =
        readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * (1000 / ticksPerSecond())
    },
    rssMib: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'latin1')
      return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024
    },
  }
}

function ticksPerSecond(): number {
  return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
}
