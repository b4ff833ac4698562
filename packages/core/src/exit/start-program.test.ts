// The start and end of a program, within the process of the test.
import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { replaceWrite, diskFull } from '../../../../test/support/replace-write.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import type * as errors from '../errors/errors.ts'
import type { Host, ProgramEntry } from './exit.ts'

type StartProgram = (entry: ProgramEntry) => Promise<void>

let written: [number, string][]
let startProgram: StartProgram
let ZeeError: typeof errors.ZeeError

beforeEach(async () => {
  // What a program has reported is kept in the module.
  vi.resetModules()
  ;({ startProgram } = await import('./exit.ts'))
  ;({ ZeeError } = await import('../errors/errors.ts'))
  written = []
  const { argv, exitCode } = process
  onTestFinished(() => {
    process.argv = argv
    process.exitCode = exitCode
  })
  process.exitCode = undefined
  const listeners = process.listeners('uncaughtException')
  onTestFinished(() => {
    for (const listener of process.listeners('uncaughtException')) {
      if (!listeners.includes(listener)) process.off('uncaughtException', listener)
    }
  })
})

/** Records what goes to stdout and stderr; `limit` bytes are accepted at a time. */
function record(limit = Infinity, failures: Error[] = []): void {
  replaceWrite((write) => (descriptor, bytes, ...rest) => {
    if (descriptor > 2) return write(descriptor, bytes, ...rest)
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    const taken = bytes.subarray(0, limit)
    written.push([descriptor, taken.toString()])
    return taken.length
  })
}

const said = (descriptor: number) =>
  written
    .filter(([each]) => each === descriptor)
    .map(([, text]) => text)
    .join('')

async function start(args: string[], entry: Partial<ProgramEntry> = {}) {
  process.argv = ['node', 'program', ...args]
  const calls: unknown[] = []
  await startProgram({
    name: 'demo',
    withoutArguments: 'run',
    load: async () => async (words) => {
      calls.push(words)
      return 7
    },
    ...entry,
  })
  return { calls, exitCode: process.exitCode, stdout: said(1), stderr: said(2) }
}

function textsFolder(): string {
  const folder = tempFolder()
  const texts = { version: 'v 1\n', help: { '': 'root\n', run: 'run help\n' } }
  writeFileSync(path.join(folder, 'texts.json'), JSON.stringify(texts))
  return folder
}

describe('a program', () => {
  it('runs its command with the arguments and sets its exit code', async () => {
    record()
    expect(await start(['a', '--b'])).toEqual({
      ...{ calls: [['a', '--b']], exitCode: 7, stdout: '', stderr: '' },
    })
  })

  it('gets a host with the environment, the folder and the streams', async () => {
    let host: Host | undefined
    await start([], { load: async () => async (_args, given) => ((host = given), 0) })
    expect(host?.env).toEqual({ ...process.env })
    expect(host?.env).not.toBe(process.env)
    expect(host?.cwd).toBe(process.cwd())
    expect([host?.stdin, host?.stdout, host?.stderr]).toEqual([
      process.stdin,
      process.stdout,
      process.stderr,
    ])
    expect(typeof host?.clock.monotonicMs()).toBe('number')
  })

  it('rewrites its arguments first', async () => {
    record()
    const rewrite = (args: string[]) => args.map((arg) => arg.toUpperCase())
    expect((await start(['a'], { rewrite })).calls).toEqual([['A']])
  })

  it('runs a hot command without the command tree', async () => {
    const hot: unknown[] = []
    const hotCommands = {
      fast: async (args: string[]) => {
        hot.push(args)
        return 3
      },
    }
    expect(await start(['fast', 'x', '--help'], { hotCommands })).toMatchObject({
      calls: [],
      exitCode: 3,
    })
    expect(hot).toEqual([['x', '--help']])
    expect((await start(['slow'], { hotCommands })).calls).toEqual([['slow']])
    expect((await start(['constructor'], { hotCommands })).calls).toEqual([['constructor']])
    expect((await start([], { hotCommands })).calls).toEqual([[]])
  })
})

describe('a text that is rendered at build time', () => {
  it.each<[string[], 'help' | 'run', string]>([
    [['--version'], 'run', 'v 1\n'],
    [['run', '--help'], 'run', 'run help\n'],
    [[], 'help', 'root\n'],
  ])('is printed for %j without the command tree', async (args, withoutArguments, text) => {
    record(3)
    expect(await start(args, { folder: textsFolder(), withoutArguments })).toEqual({
      ...{ calls: [], exitCode: undefined, stdout: text, stderr: '' },
    })
  })

  it.each<[string[], 'help' | 'run']>([
    [[], 'run'],
    [['other', '--help'], 'help'],
    [['run', 'x'], 'help'],
  ])('is not there for %j', async (args, withoutArguments) => {
    record()
    const entry = { folder: textsFolder(), withoutArguments }
    expect(await start(args, entry)).toMatchObject({ calls: [args], stdout: '' })
  })

  it('is left to the parser if the file is missing or damaged', async () => {
    record()
    const folder = tempFolder()
    expect((await start(['--help'], { folder })).calls).toEqual([['--help']])
    writeFileSync(path.join(folder, 'texts.json'), '{')
    expect((await start(['--help'], { folder })).calls).toEqual([['--help']])
    expect((await start(['--help'])).calls).toEqual([['--help']])
  })

  it('waits for a full pipe, ends silently at a closed one, and reports a full disk', async () => {
    const failure = (code: string) => Object.assign(new Error(code), { code })
    record(Infinity, [failure('EAGAIN'), failure('EAGAIN')])
    const folder = textsFolder()
    expect(await start(['--version'], { folder })).toMatchObject({
      ...{ stdout: 'v 1\n', exitCode: undefined },
    })
    written = []
    record(Infinity, [failure('EPIPE')])
    expect(await start(['--version'], { folder })).toMatchObject({
      ...{ stdout: '', stderr: '', exitCode: undefined },
    })
    record(Infinity, [diskFull()])
    expect(await start(['--version'], { folder })).toMatchObject({
      stdout: '',
      stderr: 'demo: cannot write to standard output: the disk is full\n',
      exitCode: 1,
    })
  })
})

describe('a failure', () => {
  const failing = (error: unknown) => ({ load: () => Promise.reject(error as Error) })

  it.each<[unknown, string, number]>([
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'demo: the disk is full\n', 1],
    [
      Object.assign(new Error('x'), { code: 'ENOENT', path: '/a\n' }),
      'demo: /a: no such file or folder\n',
      1,
    ],
    [
      Object.assign(new Error('x'), { code: 'ENOENT', path: 5 }),
      'demo: no such file or folder\n',
      1,
    ],
    [new TypeError('odd'), 'demo: unexpected error: odd (ZEE_DEBUG=1 shows where)\n', 1],
    ['text', 'demo: unexpected error: text (ZEE_DEBUG=1 shows where)\n', 1],
  ])('case %# is one line and an exit code', async (error, stderr, exitCode) => {
    record()
    vi.stubEnv('ZEE_DEBUG', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await start([], failing(error))).toEqual({ calls: [], stdout: '', stderr, exitCode })
  })

  it('that was expected has its own exit code', async () => {
    record()
    const error = new ZeeError('x', 'a\nb', { exitCode: 5 })
    expect(await start([], failing(error))).toMatchObject({ stderr: 'demo: a b\n', exitCode: 5 })
  })

  it('has its stack with ZEE_DEBUG=1', async () => {
    record()
    onTestFinished(() => void vi.unstubAllEnvs())
    const error = new Error('odd')
    const line = 'demo: unexpected error: odd (ZEE_DEBUG=1 shows where)\n'
    vi.stubEnv('ZEE_DEBUG', '1')
    expect((await start([], failing(error))).stderr).toBe(`${error.stack}\n${line}`)
    written = []
    expect((await start([], failing('odd'))).stderr).toBe(line)
    written = []
    vi.stubEnv('ZEE_DEBUG', '0')
    expect((await start([], failing(error))).stderr).toBe(line)
  })

  it('may be described by the program, also by nothing', async () => {
    record()
    const describeAs = (line: string) => ({
      ...failing(new Error('x')),
      describe: () => ({ line, exitCode: 9 }),
    })
    expect(await start([], describeAs('own words'))).toMatchObject({
      ...{ stderr: 'own words\n', exitCode: 9 },
    })
    written = []
    expect(await start([], describeAs(''))).toMatchObject({ stderr: '', exitCode: 9 })
  })

  it('that nothing caught ends the process, unless a service handles it', async () => {
    record()
    const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
    onTestFinished(() => exit.mockRestore())
    const before = process.listeners('uncaughtException')
    await start([])
    const added = process.listeners('uncaughtException').filter((each) => !before.includes(each))
    expect(added).toHaveLength(1)
    const handle = added[0] as (error: Error) => void
    for (const listener of before) process.off('uncaughtException', listener)
    onTestFinished(() => {
      for (const listener of before) process.on('uncaughtException', listener)
    })
    handle(new ZeeError('x', 'late', { exitCode: 4 }))
    expect([exit.mock.calls, said(2)]).toEqual([[[4]], 'demo: late\n'])
    const own = (): void => {}
    process.on('uncaughtException', own)
    handle(new ZeeError('x', 'later', { exitCode: 4 }))
    process.off('uncaughtException', own)
    expect([exit.mock.calls, said(2)]).toEqual([[[4]], 'demo: late\n'])
  })
})

describe('the output of a program', () => {
  class Stream extends EventEmitter {
    writableLength = 0
    errored: unknown = null
  }

  /** Starts a program that uses `stream` as its stdout. */
  async function startOn(stream: Stream, entry: Partial<ProgramEntry> = {}) {
    record()
    const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never)
    const stdout = vi.spyOn(process, 'stdout', 'get').mockReturnValue(stream as never)
    onTestFinished(() => {
      exit.mockRestore()
      stdout.mockRestore()
    })
    const load = async () => async (_args: string[], host: Host) => {
      expect([host.stdout, host.stdout]).toEqual([stream, stream])
      return 2
    }
    await start([], { load, ...entry })
    return exit
  }
  const failure = (code: string) => Object.assign(new Error(code), { code })

  it('ends the process when it fails, silently at a closed pipe', async () => {
    const stream = new Stream()
    const exit = await startOn(stream)
    expect(stream.listenerCount('error')).toBe(1)
    stream.emit('error', failure('EPIPE'))
    expect([exit.mock.calls, said(2)]).toEqual([[[2]], ''])
    stream.emit('error', failure('ENOSPC'))
    const line = 'demo: cannot write to standard output: the disk is full\n'
    expect([exit.mock.calls, said(2)]).toEqual([[[2], [1]], line])
    stream.emit('error', failure('ENOSPC'))
    expect([exit.mock.calls.length, said(2)]).toEqual([3, line])
  })

  it('is left to another listener of its failure', async () => {
    const stream = new Stream()
    const exit = await startOn(stream)
    stream.on('error', () => {})
    stream.emit('error', failure('EPIPE'))
    expect(exit).not.toHaveBeenCalled()
  })

  it.each<[string, Partial<Stream>, boolean | undefined, number]>([
    ['is written', {}, true, 1],
    ['is written, but more may follow', {}, undefined, 0],
    ['is written, but more follows', {}, false, 0],
    ['waits for its reader', { writableLength: 1 }, true, 0],
    ['failed', { errored: new Error('x') }, true, 0],
  ])('that %s ends the process at once or not', async (_name, state, isDoneAtReturn, count) => {
    const exit = await startOn(Object.assign(new Stream(), state), { isDoneAtReturn })
    expect(exit.mock.calls).toEqual(Array.from({ length: count }, () => []))
  })
})
