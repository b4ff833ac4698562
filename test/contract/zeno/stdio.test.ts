// Standard input and output of `zeno serve` as pipes, files or closed descriptors.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LoadReport } from '../../support/load-report.ts'
import { builtProgram, repository } from '../../support/paths.ts'
import { createSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

let box: Sandbox

beforeEach(() => {
  box = createSandbox({ 'a.txt': 'one\ntwo\n' })
})
afterEach(() => box.remove())

const zeno = builtProgram('zeno')
const request = (id: string): string =>
  `${JSON.stringify({ id, op: 'grep', args: { pattern: 'o' } })}\n`

function shell(script: string, ...args: string[]): string {
  return execFileSync('bash', ['-c', script, 'bash', zeno, box.root, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
}

function idsOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id as string]))
}

describe('zeno serve', () => {
  it('answers requests from a slow pipe writer that pauses inside a line', async () => {
    const fifo = path.join(box.base, 'fifo')
    execFileSync('mkfifo', [fifo])
    const server = spawn('bash', [
      '-c',
      '"$1" serve --root "$2" < "$3"',
      'bash',
      zeno,
      box.root,
      fifo,
    ])
    const exit = once(server, 'exit')
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const answered = async (): Promise<string> =>
      JSON.parse((await lines.next()).value as string).id
    const writer = openSync(fifo, 'w')
    writeSync(writer, request('first') + request('second').slice(0, 9))
    expect(await answered()).toBe('first')
    writeSync(writer, request('second').slice(9))
    expect(await answered()).toBe('second')
    writeSync(writer, request('third'))
    expect(await answered()).toBe('third')
    writeSync(writer, request('without a newline').trimEnd())
    closeSync(writer)
    expect(await answered()).toBe('without a newline')
    expect(await exit).toEqual([0, null])
  })

  it('answers every request of an input file once', () => {
    const file = path.join(box.base, 'requests')
    const ids = Array.from({ length: 3000 }, (_, index) => `r${index}`)
    writeFileSync(file, ids.map(request).join(''))
    expect(idsOf(shell('"$1" serve --root "$2" < "$3"', file))).toEqual(ids)
    expect(idsOf(shell('cat "$3" | "$1" serve --root "$2"', file))).toEqual(ids)
  })

  it('exits 0 for empty and for closed standard input', () => {
    expect(shell('"$1" serve --root "$2" < /dev/null')).toBe('')
    expect(shell('"$1" serve --root "$2" <&-')).toBe('')
    expect(shell(': | "$1" serve --root "$2"')).toBe('')
  })
})

describe('zeno serve with a piped standard output', () => {
  it('exits silently when the reader closes the pipe', () => {
    const many = Array.from({ length: 2000 }, (_, index) => request(`r${index}`)).join('')
    const file = path.join(box.base, 'requests')
    writeFileSync(file, many)
    const script =
      '{ cat "$3" | "$1" serve --root "$2" 2>&1 >&3; echo "code $?"; } 3>&1 >&2 | head -c 1'
    const both = execFileSync('bash', ['-c', `(${script}) 2>&1`, 'bash', zeno, box.root, file])
    expect(both.toString()).toContain('code 0')
    expect(both.toString()).not.toContain('EPIPE')
  })

  it('delivers all answers to a slow reader', () => {
    box.put({ 'long.txt': 'o'.repeat(900).concat('\n').repeat(500) })
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`)
    const file = path.join(box.base, 'requests')
    writeFileSync(file, ids.map(request).join(''))
    expect(
      idsOf(shell('cat "$3" | "$1" serve --root "$2" | dd bs=1000 2>/dev/null', file)),
    ).toEqual(ids)
  })
})

describe('a cold zeno serve with one request', () => {
  it.each([
    ['list_files', 'a file', '"$2" serve --root "$3" < "$4"'],
    ['grep', 'a pipe', 'echo "$1" | "$2" serve --root "$3"'],
  ])('for %s from %s loads no streams, threads, index or regex engine', (op, _, script) => {
    const report = new LoadReport()
    try {
      const line = JSON.stringify({ id: '1', op, args: { pattern: 'o' } })
      const file = path.join(box.base, 'requests')
      writeFileSync(file, `${line}\n`)
      // ZEE_DEBUG=1 loads the separate chunks instead of the precompiled pack.
      const env = { ...process.env, ...report.env, ZEE_DEBUG: '1' }
      const args = ['-c', script, 'bash', line, zeno, box.root, file]
      expect(idsOf(execFileSync('bash', args, { encoding: 'utf8', env }))).toEqual(['1'])
      const { files, builtIns } = report.read()
      const heavy = /NativeModule (net|tty|stream|worker_threads|crypto|child_process)$/
      expect(builtIns.filter((name) => heavy.test(name))).toEqual([])
      const names = files.map((file) => path.basename(file).replace(/(-[\w-]{8})?\.cjs$/, ''))
      const chunks = ['answer', 'cli', 'commands', 'main', 'package', 'rolldown-runtime']
      expect(names.sort()).toEqual([...chunks, 'settings', 'start', 'zeno'])
    } finally {
      report.remove()
    }
  })

  it('starts from a pack without the regex engine, which has a code cache of its own', () => {
    const dist = path.join(repository, 'packages/zeno/dist')
    const regex = readdirSync(dist).find((name) => /^regex-[\w-]{8}\.cjs$/.test(name)) ?? ''
    const message = 'regex is too large to run'
    expect(readFileSync(path.join(dist, regex), 'utf8')).toContain(message)
    expect(readFileSync(path.join(dist, 'serve.pack'), 'utf8')).not.toContain(message)
    expect(statSync(path.join(dist, `${regex}.code`)).size).toBeGreaterThan(0)
  })
})

describe('the working folder of zeno serve', () => {
  it('is unchanged while the server waits for requests', async () => {
    const client = box.server()
    await client.ok('grep', { pattern: 'o' })
    await client.ok('list_files', {})
    const folders = readdirSync('/proc').flatMap((pid) => cwdOf(pid))
    expect(folders.length).toBeGreaterThan(0)
    expect(new Set(folders)).toEqual(new Set([box.base]))
  })
})

/** The working folder of a process if it is the server of this test. */
function cwdOf(pid: string): string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (!words.includes(`\0serve\0--root\0${box.root}\0`)) return []
    return [readlinkSync(`/proc/${pid}/cwd`)]
  } catch {
    return []
  }
}
