import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import type { PassthroughReport } from '../../test/children/passthrough.ts'
import { eventually, isDead, pidIn, temporaryFolder, testEnvironment } from './process.fixtures.ts'
import { type ProcessEnd, type ProcessSpec, shellExitCode, startProcess } from './process.ts'

interface Wrapped {
  pid: number
  stdout: Readable
  stderr: Readable
  exitCode: Promise<number>
  kill(signal: NodeJS.Signals): void
  report(): PassthroughReport | undefined
  childPid: () => number | undefined
}

interface WrapOptions extends Pick<ProcessSpec, 'deadlineMs' | 'drainMs' | 'pipes'> {
  stdin?: number
}

/** Starts the wrapper with real pipes, as in a shell pipeline. */
async function wrap(script: string, options: WrapOptions = {}): Promise<Wrapped> {
  const { stdin, ...spec } = options
  const report = path.join(temporaryFolder(), 'report.json')
  const { process: wrapper, failure } = await startProcess({
    command: process.execPath,
    args: wrapperArguments(report, spec, script),
    env: testEnvironment,
    stdin: stdin === undefined ? 'null' : { fd: stdin },
  })
  if (failure !== undefined) throw new Error(failure.error)
  onTestFinished(async () => {
    await wrapper.stop()
    wrapper.release()
  })
  return {
    pid: wrapper.pid,
    stdout: wrapper.stdout as Readable,
    stderr: wrapper.stderr as Readable,
    exitCode: wrapper.exited.then((end: ProcessEnd) => shellExitCode(end)),
    kill: (signal) => void wrapper.kill(signal),
    ...reportsIn(report),
  }
}

/** Starts the wrapper as a Node program would: with sockets, or onto a file. */
function wrapWithNode(
  script: string,
  stdout: 'pipe' | number,
  options: WrapOptions = {},
): Wrapped & { child: ChildProcess } {
  const report = path.join(temporaryFolder(), 'report.json')
  const child = spawn(process.execPath, wrapperArguments(report, options, script), {
    env: testEnvironment,
    stdio: ['ignore', stdout, 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    pid: child.pid as number,
    stdout: child.stdout as Readable,
    stderr: child.stderr as Readable,
    exitCode: once(child, 'exit').then(([code]) => code as number),
    kill: (signal) => void child.kill(signal),
    ...reportsIn(report),
  }
}

function wrapperArguments(report: string, spec: object, script: string): string[] {
  return [childProgram('core', 'passthrough'), report, JSON.stringify(spec), 'sh', '-c', script]
}

function reportsIn(file: string): Pick<Wrapped, 'report' | 'childPid'> {
  return {
    report: () => {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as PassthroughReport
      } catch {
        return undefined
      }
    },
    childPid: pidIn(`${file}.pid`),
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function countAll(stream: Readable): Promise<number> {
  let count = 0
  for await (const chunk of stream) count += (chunk as Buffer).length
  return count
}

/** Bytes that a process has written so far, to any descriptor. */
function bytesWritten(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

function rssMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** Waits until the child has filled all buffers between it and a reader that does not read. */
async function stalledChild(wrapped: Wrapped): Promise<number> {
  const pid = await eventually(wrapped.childPid, 'the start of the child')
  let before = -1
  let still = 0
  await eventually(() => {
    const now = bytesWritten(pid)
    still = now === before && now > 0 ? still + 1 : 0
    before = now
    return still > 20
  }, 'a child that is blocked')
  return pid
}

const targets = ['pipe', 'socket'] as const

function wrapOnto(target: (typeof targets)[number], script: string, options: WrapOptions = {}) {
  return target === 'pipe' ? wrap(script, options) : wrapWithNode(script, 'pipe', options)
}

describe('passthrough', () => {
  it.each(['real', 'sockets'] as const)('works over %s pipes to the child', async (pipes) => {
    const file = path.join(temporaryFolder(), 'bytes')
    const bytes = randomBytes(9_000_000)
    writeFileSync(file, bytes)
    const wrapped = await wrap(`cat ${file} >&2 & cat ${file}; wait; exit 4`, { pipes })
    const [out, err] = await Promise.all([readAll(wrapped.stdout), readAll(wrapped.stderr)])
    expect(out.equals(bytes)).toBe(true)
    expect(err.equals(bytes)).toBe(true)
    expect(await wrapped.exitCode).toBe(4)
  })

  it('leaves stdout, stderr and the exit code unchanged', async () => {
    const wrapped = await wrap('printf out; printf err >&2; exit 9')
    expect((await readAll(wrapped.stdout)).toString()).toBe('out')
    expect((await readAll(wrapped.stderr)).toString()).toBe('err')
    expect(await wrapped.exitCode).toBe(9)
    expect(wrapped.report()).toMatchObject({ stdoutBytes: 3, stderrBytes: 3, captureBytes: 3 })
  })

  it('passes stdin on unchanged', async () => {
    const file = path.join(temporaryFolder(), 'input')
    const bytes = randomBytes(3_000_000)
    writeFileSync(file, bytes)
    const fd = openSync(file, 'r')
    const wrapped = await wrap('cat', { stdin: fd })
    closeSync(fd)
    expect((await readAll(wrapped.stdout)).equals(bytes)).toBe(true)
  })

  it.each(targets)('leaves binary output unchanged on a %s', async (target) => {
    const file = path.join(temporaryFolder(), 'bytes')
    const bytes = randomBytes(8_000_000)
    writeFileSync(file, bytes)
    const wrapped = await wrapOnto(target, `cat ${file}; exit 4`)
    const hash = createHash('sha256').update(await readAll(wrapped.stdout))
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(await wrapped.exitCode).toBe(4)
  })

  it('appends unchanged output to a file', async () => {
    const file = path.join(temporaryFolder(), 'out')
    writeFileSync(file, 'before\n')
    const fd = openSync(file, 'a')
    const wrapped = wrapWithNode('seq 1 200000', fd)
    closeSync(fd)
    expect(await wrapped.exitCode).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith('before\n1\n2\n')).toBe(true)
    expect(text.length).toBe(7 + 1_288_895)
  })

  it('ends the child on a full disk, and reports ENOSPC', async () => {
    const fd = openSync('/dev/full', 'w')
    const wrapped = wrapWithNode('while echo x; do :; done', fd)
    closeSync(fd)
    await wrapped.exitCode
    expect(wrapped.report()).toMatchObject({ writeError: 'ENOSPC', readerGone: false })
  })

  it.each(targets)('copies 256 MB to a %s in bounded memory', async (target) => {
    const wrapped = await wrapOnto(target, 'head -c 268435456 /dev/zero')
    expect(await countAll(wrapped.stdout)).toBe(268_435_456)
    expect(await wrapped.exitCode).toBe(0)
    const report = wrapped.report()
    expect(report).toMatchObject({ stdoutBytes: 268_435_456, captureBytes: 4096 })
    expect(report?.maxRssMiB).toBeLessThan(90)
  })

  it.each(targets)(
    'blocks the child in bounded memory while the reader of a %s is slow',
    async (target) => {
      const wrapped = await wrapOnto(target, 'exec head -c 100000000 /dev/zero')
      const child = await stalledChild(wrapped)
      expect(bytesWritten(child)).toBeLessThan(4_000_000)
      expect(rssMiB(wrapped.pid)).toBeLessThan(90)
      expect(await countAll(wrapped.stdout)).toBe(100_000_000)
      expect(await wrapped.exitCode).toBe(0)
      expect(wrapped.report()?.maxRssMiB).toBeLessThan(90)
    },
  )

  it.each(targets)(
    'delivers output that a %s has not read when the child exits',
    async (target) => {
      // More than the reader takes by itself, and little enough for the child to end.
      const bytes = target === 'pipe' ? 300_000 : 450_000
      const wrapped = await wrapOnto(target, `exec head -c ${bytes} /dev/zero`, { drainMs: 20 })
      const child = await eventually(wrapped.childPid, 'the start of the child')
      await eventually(() => isDead(child), 'the end of the child')
      // Longer than `drainMs`.
      await pause(300)
      expect(wrapped.report()).toBeUndefined()
      expect(await countAll(wrapped.stdout)).toBe(bytes)
      expect(await wrapped.exitCode).toBe(0)
    },
  )

  it.each(targets)('enforces the deadline while a %s is stalled', async (target) => {
    const wrapped = await wrapOnto(target, 'exec head -c 100000000 /dev/zero', {
      deadlineMs: 1500,
      drainMs: 50,
    })
    expect(await wrapped.exitCode).toBe(124)
    expect(wrapped.report()).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
    expect(isDead(wrapped.childPid() as number)).toBe(true)
  })

  it.each(targets)('forwards a signal while a %s is stalled', async (target) => {
    const wrapped = await wrapOnto(target, 'exec head -c 100000000 /dev/zero', { drainMs: 50 })
    const child = await stalledChild(wrapped)
    wrapped.kill('SIGINT')
    expect(await wrapped.exitCode).toBe(130)
    expect(wrapped.report()).toMatchObject({ signal: 'SIGINT', forwarded: ['SIGINT'] })
    expect(isDead(child)).toBe(true)
  })

  it.each(targets)(
    'breaks the pipe of the child when the reader of a %s closes it',
    async (target) => {
      const wrapped = await wrapOnto(target, 'exec yes')
      const child = await stalledChild(wrapped)
      wrapped.stdout.destroy()
      expect(await wrapped.exitCode).toBe(141)
      expect(wrapped.report()).toMatchObject({ signal: 'SIGPIPE', readerGone: true })
      expect(isDead(child)).toBe(true)
    },
  )

  it('notices a reader that closed the stream before the first byte', async () => {
    const wrapped = await wrap('sleep 0.3; while echo x; do :; done; exit 5')
    wrapped.stdout.destroy()
    expect(await wrapped.exitCode).toBeGreaterThan(0)
    expect(wrapped.report()?.readerGone).toBe(true)
  })

  it('keeps stderr working for a child that continues after its stdout is closed', async () => {
    const script = `trap '' PIPE; yes 2>/dev/null; sleep 0.1; echo later >&2; exit 6`
    const wrapped = await wrap(script)
    await eventually(wrapped.childPid, 'the start of the child')
    wrapped.stdout.destroy()
    expect((await readAll(wrapped.stderr)).toString()).toBe('later\n')
    expect(await wrapped.exitCode).toBe(6)
  })

  it('forwards a signal to the whole group once', async () => {
    const script = `trap 'echo got; exit 7' TERM; echo ready; while :; do sleep 0.01; done`
    const wrapped = await wrap(script)
    const [first] = (await once(wrapped.stdout, 'data')) as [Buffer]
    expect(first.toString()).toBe('ready\n')
    wrapped.kill('SIGTERM')
    expect((await readAll(wrapped.stdout)).toString()).toBe('got\n')
    expect(await wrapped.exitCode).toBe(7)
    expect(wrapped.report()).toMatchObject({ forwarded: ['SIGTERM'] })
  })

  it('does not change the flags of pipes shared with other processes', async () => {
    // A sibling that writes to the same pipe fails with EAGAIN if the pipe becomes non-blocking.
    const flags = 'grep ^flags /proc/self/fdinfo/1 >&2'
    const outer = `${flags}; "$0" "$@"; ${flags}`
    const program = childProgram('core', 'passthrough')
    const report = path.join(temporaryFolder(), 'report.json')
    const inner = [program, report, '{}', 'sh', '-c', 'seq 1 50000; sleep 0.1']
    const { process: shell } = await startProcess({
      command: 'sh',
      args: ['-c', outer, process.execPath, ...inner],
      env: testEnvironment,
    })
    onTestFinished(() => shell?.release())
    const [, errors] = await Promise.all([
      countAll(shell?.stdout as Readable),
      readAll(shell?.stderr as Readable),
    ])
    const [before, after] = errors.toString().trim().split('\n')
    expect(after).toBe(before)
  })
})
