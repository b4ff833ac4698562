// A zeno server for benchmarks, asked over its pipe, with its CPU time and memory.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FunctionVariant, Sample } from './case.ts'

export interface Server {
  ask(op: string, args: object): Promise<Record<string, unknown>>
  /** Asks and drops the answer unread: parsing a long one would take longer than the server. */
  skip(op: string, args: object): Promise<void>
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
  options: readonly string[] = [],
): Promise<Result> {
  const zeno = path.join(repositoryOf(scratch), 'packages/zeno/bin/zeno.cjs')
  const child = spawn(process.execPath, [zeno, 'serve', '--root', root, ...options], {
    stdio: 'pipe',
  })
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

export interface WarmRequest {
  root(scratch: string): string
  op: string
  args: Record<string, unknown>
  /** Options of the server. */
  options?: readonly string[]
}

/** The median of the wall time per answer, and the mean CPU time, of the same request asked again and again. */
export function warmRequests(
  name: string,
  { root, op, args, options }: WarmRequest,
): FunctionVariant {
  const run = (scratch: string): Promise<Partial<Sample>> =>
    withServer(scratch, root(scratch), (server) => timeRequests(server, op, args), options)
  return { name, unit: 'answers', run }
}

/** The CPU time of a process is a number of ticks of 10 ms. */
const minRequests = 30

async function timeRequests(server: Server, op: string, args: object): Promise<Partial<Sample>> {
  // The first answers read files, and the next ones are those of code that is not compiled yet.
  for (let warming = 0; warming < 10; warming++) await server.skip(op, args)
  const times: number[] = []
  const cpu = server.cpuMs()
  const end = performance.now() + 1500
  do {
    const began = performance.now()
    await server.skip(op, args)
    times.push(performance.now() - began)
  } while (times.length < minRequests || (performance.now() < end && times.length < 2000))
  times.sort((a, b) => a - b)
  const wallMs = times[times.length >> 1] as number
  const cpuMs = (server.cpuMs() - cpu) / times.length
  return { wallMs, cpuMs, rssMib: server.rssMib(), amount: 1 }
}

export function serverOf(child: ChildProcessWithoutNullStreams): Server {
  let parts: Buffer[] = []
  let onLine: (line: Buffer) => void = () => {}
  child.stdout.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (chunk.at(-1) !== 0x0a) return
    const line = Buffer.concat(parts)
    parts = []
    onLine(line)
  })
  return {
    ask: (op, args) =>
      new Promise((resolve, reject) => {
        onLine = (line) => {
          const text = line.toString()
          const reply = JSON.parse(text) as { ok: boolean; result: Record<string, unknown> }
          if (reply.ok) resolve(reply.result)
          else reject(new Error(text))
        }
        child.stdin.write(`${JSON.stringify({ id: op, op, args })}\n`)
      }),
    skip: (op, args) =>
      new Promise((resolve, reject) => {
        const start = `{"id":"${op}","ok":true`
        onLine = (line) => {
          if (line.toString('latin1', 0, start.length) === start) resolve()
          else reject(new Error(line.toString('utf8', 0, 1000)))
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
