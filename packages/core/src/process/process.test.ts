import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, openSync, closeSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  eventually,
  isDead,
  killAfterTest,
  node,
  sh,
  temporaryFolder,
  testEnvironment,
} from './process.fixtures.ts'
import { runProcess, shellExitCode } from './process.ts'

describe('the outcome of a child', () => {
  it('has the exit code of the child', async () => {
    const result = await sh('exit 7')
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 7, timedOut: false })
    expect(result).toMatchObject({ aborted: false, readerGone: false })
    expect(shellExitCode(result)).toBe(7)
    expect(result.durationMs).toBeGreaterThan(0)
  })

  it('names the signal that killed the child, by name and number', async () => {
    const result = await sh('kill -SEGV $$')
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGSEGV', signalNumber: 11 })
    expect(result.exitCode).toBeUndefined()
    expect(shellExitCode(result)).toBe(139)
  })

  it('is not_found for a command that is not on the PATH', async () => {
    const result = await runProcess({ command: 'zee-no-such', args: [], env: testEnvironment })
    expect(result).toMatchObject({ outcome: 'not_found', errno: 'ENOENT' })
    expect(result.error).toBe('zee-no-such: command not found')
    expect(shellExitCode(result)).toBe(127)
  })

  it('depends on the PATH of the child, not on ours', async () => {
    const folder = temporaryFolder()
    writeFileSync(path.join(folder, 'only-here'), '#!/bin/sh\necho found\n', { mode: 0o755 })
    const result = await runProcess({ command: 'only-here', args: [], env: { PATH: folder } })
    expect(result.stdout.text()).toBe('found\n')
    const elsewhere = await runProcess({ command: 'node', args: [], env: { PATH: folder } })
    expect(elsewhere.outcome).toBe('not_found')
  })

  it('is not_found for a path that does not exist or leads through a file', async () => {
    for (const command of ['/no/such/program', './nothing-here', '/etc/passwd/x', '']) {
      const result = await runProcess({ command, args: [], env: testEnvironment })
      expect(result.outcome).toBe('not_found')
    }
  })

  it('is not_executable for a folder and for a file without the execute bit', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'data.txt')
    writeFileSync(file, 'text\n', { mode: 0o644 })
    for (const command of [file, folder]) {
      const result = await runProcess({ command, args: [], env: testEnvironment })
      expect(result).toMatchObject({ outcome: 'not_executable', errno: 'EACCES' })
      expect(result.error).toContain('permission denied')
      expect(shellExitCode(result)).toBe(126)
    }
  })

  it('is not_executable for binary data that is not a program', async () => {
    const file = path.join(temporaryFolder(), 'junk')
    writeFileSync(file, randomBytes(64).fill(0, 3, 6))
    chmodSync(file, 0o755)
    const result = await runProcess({ command: file, args: [], env: testEnvironment })
    expect(result).toMatchObject({ outcome: 'not_executable', errno: 'ENOEXEC' })
  })

  it('is not_executable for a script whose interpreter is missing', async () => {
    const file = path.join(temporaryFolder(), 'script')
    writeFileSync(file, '#!/no/such/interpreter\n', { mode: 0o755 })
    const result = await runProcess({ command: file, args: [], env: testEnvironment })
    expect(result).toMatchObject({ outcome: 'not_executable' })
    expect(result.error).toContain('interpreter is missing')
  })

  it('is that of `sh` for a script without a `#!` line', async () => {
    const file = path.join(temporaryFolder(), 'plain')
    writeFileSync(file, 'echo plain\n', { mode: 0o755 })
    const result = await runProcess({ command: file, args: [], env: testEnvironment })
    expect(result.stdout.text()).toBe('plain\n')
  })

  it('is cwd_missing, not not_found, if the working folder is missing or a file', async () => {
    const file = path.join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const missing = await sh('true', { cwd: '/no/such/folder' })
    expect(missing).toMatchObject({ outcome: 'cwd_missing', errno: 'ENOENT' })
    expect(missing.error).toContain('/no/such/folder')
    const notFolder = await sh('true', { cwd: file })
    expect(notFolder).toMatchObject({ outcome: 'cwd_missing', errno: 'ENOTDIR' })
    expect(shellExitCode(notFolder)).toBe(126)
  })

  it('is spawn_failed for arguments that are too long, and does not quote them', async () => {
    const result = await sh('true', { args: ['-c', 'true', 'secret'.repeat(1_000_000)] })
    expect(result).toMatchObject({ outcome: 'spawn_failed', errno: 'E2BIG' })
    expect(result.error).not.toContain('secret')
  })

  it('is spawn_failed for a NUL byte in an argument, and does not quote it', async () => {
    const result = await sh('true', { args: ['-c', 'true', 'hidden\0word'] })
    expect(result.outcome).toBe('spawn_failed')
    expect(result.error).not.toContain('hidden')
  })
})

describe('a child', () => {
  it('has exactly the environment of its specification', async () => {
    const env = { ONLY: 'this', GONE: undefined }
    const result = await runProcess({ command: '/usr/bin/env', args: [], env })
    expect(result.stdout.text()).toBe('ONLY=this\n')
  })

  it('receives its arguments unchanged, without a shell', async () => {
    const args = ['$HOME', 'a b', '', '*', '"', "'", '\n', '--', 'ü\u{1F600}']
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
    const spec = { command: process.execPath, args: ['-e', script, '--', ...args] }
    const result = await runProcess({ ...spec, env: testEnvironment })
    expect(JSON.parse(result.stdout.text())).toEqual(args)
  })

  it('runs in the working folder of its specification', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'below'))
    const result = await sh('pwd -P', { cwd: path.join(folder, 'below') })
    expect(result.stdout.text()).toContain('/below\n')
  })

  it('has an empty stdin by default', async () => {
    const result = await sh('cat; readlink /proc/self/fd/0')
    expect(result.stdout.text()).toBe('/dev/null\n')
  })

  it('reads a stdin of any size, also through /dev/stdin', async () => {
    for (const size of [0, 1, 65_536, 5_000_000]) {
      const bytes = randomBytes(size)
      const result = await sh('cat /dev/stdin', { stdin: bytes, captureBytes: 6_000_000 })
      expect(result.stdout.capture.equals(bytes)).toBe(true)
    }
  })

  it('may exit without reading its stdin', async () => {
    const result = await sh('exit 3', { stdin: Buffer.alloc(1_000_000) })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3 })
  })

  it('reads its stdin from a descriptor', async () => {
    const file = path.join(temporaryFolder(), 'input')
    writeFileSync(file, 'from a file')
    const fd = openSync(file, 'r')
    const result = await sh('cat', { stdin: { fd } })
    closeSync(fd)
    expect(result.stdout.text()).toBe('from a file')
  })

  it('can open /dev/stdout and /dev/stderr', async () => {
    const result = await sh(
      'echo one >/dev/stdout; echo two >/dev/stderr; echo x | tee /dev/stderr',
    )
    expect(result.stdout.text()).toBe('one\nx\n')
    expect(result.stderr.text()).toBe('two\nx\n')
  })
})

describe('the output of a child', () => {
  it('is counted exactly, even if little of it is stored', async () => {
    const script = 'head -c 3000001 /dev/zero; head -c 70003 /dev/zero >&2'
    const result = await sh(script, { captureBytes: 10 })
    expect(result.stdout).toMatchObject({ bytes: 3_000_001, truncated: true })
    expect(result.stdout.capture.length).toBe(10)
    expect(result.stderr).toMatchObject({ bytes: 70_003, truncated: true })
  })

  it('is not truncated if it fits exactly', async () => {
    const result = await sh('printf 0123456789', { captureBytes: 10 })
    expect(result.stdout).toMatchObject({ bytes: 10, truncated: false })
    expect(result.stdout.text()).toBe('0123456789')
  })

  it('is stored as head and tail with a mark between them', async () => {
    const result = await sh('seq 1 100000', { captureBytes: 4, tailBytes: 7 })
    expect(result.stdout.bytes).toBe(588_895)
    expect(result.stdout.capture.toString()).toBe('1\n2\n')
    expect(result.stdout.tail.toString()).toBe('100000\n')
    expect(result.stdout.text((omitted) => `[${omitted}]`)).toBe('1\n2\n[588884]100000\n')
  })

  it('is unchanged if it is binary', async () => {
    const file = path.join(temporaryFolder(), 'bytes')
    const bytes = randomBytes(4_000_000)
    writeFileSync(file, bytes)
    const hash = createHash('sha256')
    const result = await sh('cat "$1"', {
      args: ['-c', 'cat "$1"', 'sh', file],
      captureBytes: 5_000_000,
      onOutput: (_, chunk) => void hash.update(chunk),
    })
    const expected = createHash('sha256').update(bytes).digest('hex')
    expect(hash.digest('hex')).toBe(expected)
    expect(createHash('sha256').update(result.stdout.capture).digest('hex')).toBe(expected)
  })

  it('arrives in chunks that are never overwritten', async () => {
    const kept: Buffer[] = []
    const result = await sh('seq 1 400000', {
      captureBytes: 4_000_000,
      onOutput: (_, chunk) => void kept.push(chunk),
    })
    expect(Buffer.concat(kept).equals(result.stdout.capture)).toBe(true)
  })

  it('is subject to back-pressure from a slow consumer', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let seen = 0
    const running = sh('head -c 20000000 /dev/zero', {
      captureBytes: 0,
      onOutput: async (_, chunk) => {
        seen += chunk.length
        await gate
      },
    })
    await eventually(() => seen > 0, 'the first chunk')
    const before = seen
    await sh('true')
    expect(before).toBeLessThan(1_000_000)
    release()
    const result = await running
    expect(seen).toBe(20_000_000)
    expect(result.stdout.bytes).toBe(20_000_000)
  })

  it('makes the run reject if its consumer fails, and the child is killed', async () => {
    const failing = sh('while :; do echo x; done', {
      onOutput: () => {
        throw new Error('no more')
      },
    })
    await expect(failing).rejects.toThrow('no more')
    const failingLater = sh('while :; do echo x; done', {
      onOutput: () => Promise.reject(new Error('no more later')),
    })
    await expect(failingLater).rejects.toThrow('no more later')
  })
})

describe('a run whose child leaves a process running', () => {
  it('returns while a background process holds the pipe, and does not kill it', async () => {
    const result = await sh('sleep 60 & echo $!', { drainMs: 100 })
    const pid = Number(result.stdout.text())
    killAfterTest(pid)
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 })
    expect(isDead(pid)).toBe(false)
  })

  it('returns while a daemon in its own session holds the pipe', async () => {
    const script = `
      const { spawn } = require('node:child_process')
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'inherit' })
      child.unref()
      console.log(child.pid)`
    const result = await node(script, { drainMs: 100 })
    killAfterTest(Number(result.stdout.text()))
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 })
  })

  it('returns although a background process keeps writing', async () => {
    const result = await sh('(while :; do echo x; sleep 0.02; done) & echo $! >&2', {
      drainMs: 200,
    })
    killAfterTest(Number(result.stderr.text()))
    expect(result.outcome).toBe('exited')
    expect(result.stdout.bytes).toBeGreaterThan(0)
  })

  it('reads what a background process writes soon after the exit', async () => {
    const result = await sh('(sleep 0.2; echo late) & echo early', { drainMs: 5000 })
    expect(result.stdout.text()).toBe('early\nlate\n')
  })
})

describe('many children', () => {
  it('leave no open descriptor after 80 runs', async () => {
    await sh('true')
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 8; round++) {
      const runs = Array.from({ length: 10 }, (_, index) => {
        if (index === 0) return sh('true', { command: 'zee-no-such' })
        if (index === 1) return sh('cat', { stdin: Buffer.alloc(100_000) })
        if (index === 2) return sh('sleep 9', { deadlineMs: 30 })
        return sh('echo x')
      })
      await Promise.all(runs)
    }
    await eventually(
      () => readdirSync('/proc/self/fd').length <= before,
      'the number of descriptors before the runs',
    )
  })

  it('do not mix their output when 50 run at once', async () => {
    const script = 'head -c 300000 /dev/zero; echo'
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => sh(`${script} ${index}`, { tailBytes: 10 })),
    )
    for (const [index, result] of results.entries()) {
      expect(result.stdout.bytes).toBe(300_001 + String(index).length)
      expect(result.stdout.text().endsWith(`\0${index}\n`)).toBe(true)
    }
  })
})
