import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Caller, lastOf } from '../../../test/caller.ts'
import { contextIn, put } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Message } from '../../wire/wire.ts'
import { childEnvironment } from './child-environment.ts'
import { startExecutor } from './executor.ts'

type Over = Record<string, unknown>

async function startIn(folder: string, exc: Over = {}, env: Record<string, string> = {}) {
  const scripts = path.join(folder, 'tmp')
  mkdirSync(scripts)
  put(folder, 'tools/bash.json', { meta: { executor: 'bash', file_extension: '.sh' } })
  put(folder, 'tools/node.json', {
    meta: { executor: process.execPath, file_extension: '.mjs', static_analysis: 'lint' },
  })
  put(folder, 'tools/gone.json', { meta: { executor: 'no-such-command-here' } })
  const searchPath = `${path.join(folder, 'bin')}:${process.env.PATH}`
  const context = contextIn(
    folder,
    { exc: { timeout: 5, ...exc }, api: { key: 'sk-file-key-123' } },
    {
      PATH: searchPath,
      TMPDIR: scripts,
      ...env,
    },
  )
  const { socket } = context.config.exc
  const running = await serveHere(await startExecutor(context), socket)
  const bash = (code: string) => lastOf(socket, { type: 'execute', executor: 'bash', code })
  const leftovers = () => readdirSync(scripts)
  return { bash, socket, leftovers, running, log: context.log }
}

function lintTool(folder: string, script: string): void {
  chmodSync(put(folder, 'bin/lint', `#!/bin/bash\n${script}\n`), 0o755)
}

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('exc execute', () => {
  it('runs code from a private file and removes it afterwards', async () => {
    const { bash, leftovers, socket } = await startIn(tempFolder())
    const result = await bash('echo out; echo err >&2; stat -c "%a %n" "$0"; exit 3')
    expect(result).toMatchObject({ type: 'result', exit_code: 3, stderr: 'err\n' })
    expect(result.stdout).toMatch(/^out\n700 .*\.sh\n$/)
    const code =
      'import fs from "fs"; console.log((fs.statSync(process.argv[1]).mode & 0o777).toString(8))'
    const other = await lastOf(socket, { type: 'execute', executor: process.execPath, code })
    expect(other).toMatchObject({ exit_code: 0, stdout: '600\n' })
    expect(leftovers()).toEqual([])
  })

  it('runs a script with an empty stdin in its own session', async () => {
    const { bash } = await startIn(tempFolder())
    const result = await bash('cat; [ "$(ps -o sid= -p $$ | tr -d " ")" = $$ ] && echo own')
    expect(result).toMatchObject({ exit_code: 0, stdout: 'own\n' })
  })

  it.each([
    ['kill -TERM $$', -15],
    ['kill -KILL $$', -9],
    ['exit 255', 255],
    ['', 0],
  ])('runs %j and reports exit code %d', async (code, exitCode) => {
    const { bash } = await startIn(tempFolder())
    expect(await bash(code)).toMatchObject({ type: 'result', exit_code: exitCode })
  })

  it.each(['nope', '__proto__', 'constructor', '../bash', ''])(
    'answers exit code -1 for the unknown executor %j',
    async (executor) => {
      const { socket } = await startIn(tempFolder())
      expect(await lastOf(socket, { type: 'execute', executor, code: 'x' })).toEqual({
        type: 'result',
        exit_code: -1,
        stdout: '',
        stderr: `Unknown executor: ${executor}`,
      })
    },
  )

  it('reports a missing command', async () => {
    const { socket, leftovers } = await startIn(tempFolder())
    const request = { type: 'execute', executor: 'no-such-command-here', code: 'x' }
    expect(await lastOf(socket, request)).toMatchObject({
      type: 'result',
      exit_code: -1,
      stderr: expect.stringContaining('no-such-command-here'),
    })
    expect(leftovers()).toEqual([])
  })

  it('kills the process group at the timeout and keeps the output', async () => {
    const { bash, leftovers } = await startIn(tempFolder(), { timeout: 0.5 })
    const began = performance.now()
    const result = await bash('echo begun; sleep 60 & echo $!; trap "" TERM; sleep 60; sleep 60')
    expect(performance.now() - began).toBeLessThan(5000)
    expect(result.exit_code).toBe(-1)
    expect(result.stdout).toMatch(/^begun\n\d+\n$/)
    expect(String(result.stderr).endsWith('Execution timed out after 0.5s.')).toBe(true)
    const pid = Number(String(result.stdout).split('\n')[1])
    await until(() => !isAlive(pid))
    expect(leftovers()).toEqual([])
  })

  it('does not wait for background processes of a script', async () => {
    const { bash } = await startIn(tempFolder(), { timeout: 30 })
    const began = performance.now()
    const result = await bash('sleep 20 & echo done')
    expect(performance.now() - began).toBeLessThan(5000)
    expect(result).toMatchObject({ exit_code: 0, stdout: 'done\n' })
  })

  it('keeps at least 1 MiB of output, in bounded memory', async () => {
    const { bash } = await startIn(tempFolder(), { timeout: 30 })
    const mebibyte = await bash('head -c 1048576 /dev/zero | tr "\\0" x')
    expect(mebibyte.stdout).toBe('x'.repeat(1 << 20))
    const before = process.memoryUsage().rss
    const flood = await bash('head -c 200000000 /dev/zero | tr "\\0" y; echo e >&2')
    expect(flood).toMatchObject({ exit_code: 0, stderr: 'e\n' })
    expect(String(flood.stdout)).toMatch(/y\n\[cut: the first \d+ of 200000000 bytes\]$/)
    expect(process.memoryUsage().rss - before).toBeLessThan(120 << 20)
  })

  it('decodes characters that are split across writes', async () => {
    const { bash } = await startIn(tempFolder())
    const result = await bash(String.raw`printf '\xe2'; sleep 0.05; printf '\x98\x83 \xff.'`)
    expect(result.stdout).toBe('☃ �.')
  })

  it('passes no secrets in the environment', async () => {
    const { bash } = await startIn(
      tempFolder(),
      {},
      {
        LLM_API_KEY: 'sk-environment-key',
        GITHUB_TOKEN: 'ghp_x',
        DB_PASSWORD: 'x',
        COPY: 'has sk-file-key-123 inside',
        PLAIN: 'stays',
      },
    )
    const result = await bash('env')
    expect(result.stdout).toContain('PLAIN=stays')
    for (const secret of ['LLM_API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'sk-file-key', 'COPY']) {
      expect(result.stdout).not.toContain(secret)
    }
  })

  it('kills a script when the caller disconnects or the service stops', async () => {
    const folder = tempFolder()
    const { socket, running, leftovers } = await startIn(folder, { timeout: 60 })
    const start = async (name: string) => {
      const file = path.join(folder, name)
      const caller = await Caller.open(socket)
      const code = `trap "" TERM; echo $$ > ${file}; sleep 60; sleep 60`
      caller.send({ type: 'execute', executor: 'bash', code })
      await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
      return { caller, pid: Number(readFileSync(file, 'utf8')) }
    }
    const left = await start('one')
    left.caller.socket.destroy()
    await until(() => !isAlive(left.pid), 3000)
    const stopped = await start('two')
    await running.stop()
    expect(await stopped.caller.next()).toMatchObject({ type: 'error' })
    await until(() => !isAlive(stopped.pid), 3000)
    await until(() => leftovers().length === 0)
  })

  it.each([
    { type: 'execute' },
    { type: 'execute', executor: 'bash' },
    { type: 'execute', executor: 5, code: 'x' },
    { type: 'execute', executor: 'bash', code: null },
    { type: 'execute', executor: 'bash', code: ['x'] },
    { type: 'validate', executor: 'bash' },
  ])('answers %j with an error', async (message) => {
    const { socket } = await startIn(tempFolder())
    expect(await lastOf(socket, message)).toMatchObject({ type: 'error' })
  })
})

describe('exc validate', () => {
  const check = (socket: string, executor: string): Promise<Message> =>
    lastOf(socket, { type: 'validate', executor, code: 'x' })

  it('runs the configured analysis tool if it is installed', async () => {
    const folder = tempFolder()
    const { socket, leftovers } = await startIn(folder)
    const node = process.execPath
    expect(await check(socket, 'bash')).toEqual({ type: 'validation', ok: true, errors: '' })
    expect(await check(socket, node)).toEqual({ type: 'validation', ok: true, errors: '' })
    lintTool(folder, 'echo "  bad line  "; echo worse >&2; exit 1')
    expect(await check(socket, node)).toEqual({
      type: 'validation',
      ok: false,
      errors: 'bad line  \nworse',
    })
    lintTool(folder, 'exit 0')
    expect(await check(socket, node)).toMatchObject({ ok: true })
    expect(await check(socket, 'nope')).toMatchObject({ type: 'validation', ok: false })
    expect(leftovers()).toEqual([])
  })

  it('runs before execute and only logs its findings', async () => {
    const folder = tempFolder()
    const { socket, log } = await startIn(folder)
    lintTool(folder, 'echo "line 1: hm"; exit 1')
    const request = { type: 'execute', executor: process.execPath, code: 'console.log(1)' }
    expect(await lastOf(socket, request)).toMatchObject({ exit_code: 0, stdout: '1\n' })
    expect(log.lines.some((line) => line.startsWith('WARNING') && line.includes('hm'))).toBe(true)
  })
})

describe('exc capabilities', () => {
  it('lists the executors and the sandbox in force', async () => {
    const folder = tempFolder()
    lintTool(folder, 'exit 0')
    const { socket } = await startIn(folder)
    const answer = await lastOf(socket, { type: 'capabilities' })
    expect(answer).toMatchObject({
      type: 'capabilities',
      timeout: 5,
      sandbox: { isolation: null, network: true, write: null, limits: {} },
    })
    expect(answer.executors).toMatchObject({
      bash: { command: 'bash', file_extension: '.sh', static_analysis: null, has_validator: false },
      [process.execPath]: { file_extension: '.mjs', static_analysis: 'lint', has_validator: true },
    })
  })
})

describe('the sandbox of exc', () => {
  it.each(['bubblewrap', 'unshare'])(
    'confines scripts as capabilities reports (%s)',
    async (isolator) => {
      const folder = tempFolder()
      mkdirSync(path.join(folder, 'may'))
      if (isolator === 'unshare') chmodSync(put(folder, 'bin/bwrap', '#!/bin/sh\nexit 1\n'), 0o755)
      const { bash, socket } = await startIn(folder, {
        network: false,
        write: [path.join(folder, 'may')],
        open_files: 64,
      })
      const { sandbox } = (await lastOf(socket, { type: 'capabilities' })) as {
        sandbox: { isolation: string | null; limits: Record<string, number> }
      }
      const result = await bash(
        `touch ${folder}/may/a && echo may; touch ${folder}/b 2>/dev/null || echo maynot; ` +
          'cat /proc/net/dev | grep -c :; ulimit -n; mount -o remount,rw / 2>/dev/null && echo broke',
      )
      if (sandbox.isolation === null) return
      expect(String(result.stdout).split('\n').slice(0, 3)).toEqual(['may', 'maynot', '1'])
      expect(result.stdout).not.toContain('broke')
      if (sandbox.limits.open_files === 64) expect(result.stdout).toContain('\n64\n')
      expect(await bash('exit 7')).toMatchObject({ exit_code: 7 })
      expect(await bash('kill -9 $$')).toMatchObject({ exit_code: -9 })
      // A node that was there before; only root can make it, and not in every container.
      const node = path.join(folder, 'may/node')
      spawnSync('mknod', [node, 'b', '7', '0'])
      const devices = await bash(
        `mknod ${folder}/may/new b 7 0; for disk in $(find /dev -type b) ${folder}/may/new ${node}; do ` +
          'head -c 1 "$disk" && echo "reached $disk"; done 2>/dev/null; ' +
          'head -c 3 /dev/zero | wc -c; echo x >/dev/null && echo fine',
      )
      expect(devices.stdout).toBe('3\nfine\n')
    },
  )
})

describe('the environment of a child', () => {
  it('keeps plain variables and named exceptions, never the API key', () => {
    const env = {
      PATH: '/bin',
      PWD: '/x',
      MY_TOKEN: 't',
      ALLOWED_TOKEN: 'a',
      LLM_API_KEY: 'k',
      DATABASE_URL: 'postgres://user:secret@host/db',
      KEYBOARD: 'de',
      MONKEY: 'm',
      NOTHING: undefined,
    }
    expect(childEnvironment(env, [], ['ALLOWED_TOKEN', 'LLM_API_KEY'])).toEqual({
      PATH: '/bin',
      PWD: '/x',
      ALLOWED_TOKEN: 'a',
      KEYBOARD: 'de',
      MONKEY: 'm',
    })
  })
})
