import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { runFile } from '../../../../test/support/run-program.ts'
import { ZeeError } from '../errors/errors.ts'
import { describeError } from './exit.ts'

const program = childProgram('core', 'demo-program')
const run = (args: string[], env: Record<string, string | undefined> = {}) =>
  runFile(process.execPath, [program, ...args], { cwd: os.tmpdir(), env })

describe('a program', () => {
  it('exits with the code of its command', async () => {
    expect(await run(['seven'])).toMatchObject({ code: 7, stdout: `${os.tmpdir()}\n`, stderr: '' })
  })

  it('turns an expected failure into one line and its exit code', async () => {
    const ran = await run(['fail'])
    expect(ran).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'demo: cannot read x: no such file\n',
    })
  })

  it('never shows a stack trace unless ZEE_DEBUG=1', async () => {
    const plain = await run(['bug'], { ZEE_DEBUG: undefined })
    expect(plain).toMatchObject({ code: 1, stdout: '' })
    expect(plain.stderr).toMatch(/^demo: unexpected error: nothing is not a function .*\n$/)
    const debug = await run(['bug'], { ZEE_DEBUG: '1' })
    expect(debug.stderr).toContain('    at ')
  })

  it.each(['throw', 'reject'])(
    'prints one line for an uncaught %s outside its command',
    async (how) => {
      const plain = await run(['late-bug', how], { ZEE_DEBUG: undefined })
      expect(plain).toMatchObject({ code: 1, stdout: '' })
      expect(plain.stderr).toMatch(/^demo: unexpected error: nothing is not a function .*\n$/)
      const debug = await run(['late-bug', how], { ZEE_DEBUG: '1' })
      expect(debug.stderr).toContain('    at ')
    },
  )

  it('rejects an unknown command with exit 2 and one line', async () => {
    const ran = await run(['bogus'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^demo: unknown command 'bogus'[^\n]*\n$/)
  })

  it('passes all arguments after its name to a hot command, unparsed', async () => {
    const ran = await run(['hot', '--', 'ls', '--help', '--version'])
    expect(ran.stdout).toBe('["--","ls","--help","--version"]\n')
  })

  it('rewrites arguments before parsing them', async () => {
    expect((await run(['-xy'])).code).toBe(7)
  })

  it('renders help and version itself when the prerendered texts are missing', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: 'demo 1.0.0\n', stderr: '' })
    const help = await run(['fail', '--help'])
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: demo fail/) })
  })

  it('reports a working folder that was removed', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-gone-'))
    const script = 'cd "$0" && rmdir "$0" && exec "$@"'
    const ran = await runFile('sh', ['-c', script, folder, process.execPath, program, 'seven'])
    const stderr = 'demo: cannot use the working folder: no such file or folder\n'
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr })
  })

  it('exits with its command although a timer is pending', async () => {
    expect(await run(['timer'])).toMatchObject({ code: 7, stdout: 'done\n', stderr: '' })
  })

  it('exits after a slow reader has received all output', async () => {
    const script = '"$0" "$@" | { sleep 0.2; wc -c; }'
    const ran = await runFile('sh', ['-c', script, process.execPath, program, 'bulk'])
    expect(ran.stdout.trim()).toBe('4000000')
  })

  it('exits silently when the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [program, 'flood'], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.each(['flood', '--help'])(
    'reports that the output of %s could not be written',
    async (word) => {
      const ran = await runFile('sh', [
        '-c',
        'exec "$0" "$@" >/dev/full',
        process.execPath,
        program,
        word,
      ])
      const stderr = 'demo: cannot write to standard output: the disk is full\n'
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr })
    },
  )
})

describe('describeError', () => {
  it('returns the message and exit code of a ZeeError', () => {
    const error = new ZeeError('x', 'a\nb', { exitCode: 5 })
    expect(describeError('p', error)).toEqual({ line: 'p: a b', exitCode: 5 })
  })

  it('translates a system error into words', () => {
    const error = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' })
    expect(describeError('p', error)).toEqual({ line: 'p: the disk is full', exitCode: 1 })
    Object.assign(error, { path: '/a/b\n' })
    expect(describeError('p', error).line).toBe('p: /a/b: the disk is full')
  })

  it('describes thrown values that are not errors', () => {
    expect(describeError('p', undefined).line).toContain('unexpected error')
    expect(describeError('p', 'text').line).toContain('text')
  })
})
