import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerOf, lastOf } from '../../test/caller.ts'
import { put } from '../../test/config.ts'
import { Program } from '../../test/program.ts'
import { until } from '../../test/until.ts'
import { findConfig } from '../config/config.ts'

describe('zino init', () => {
  it('writes files with which zino up works from any folder', async () => {
    const zino = new Program()
    const script = put(zino.folder, 'play.jsonl', '{"text":"scripted"}\n{"end":true}\n')
    const init = await zino.run(['init', '--script', script])
    expect(init).toMatchObject({ code: 0, err: '' })
    const home = path.join(zino.folder, '.config/zino')
    expect(statSync(path.join(home, 'ZINO.toml')).mode & 0o777).toBe(0o600)
    const { config } = await findConfig({ env: { HOME: zino.folder }, cwd: '/' })
    for (const file of [config.sys.template, config.tools.dir, config.mem.data_dir]) {
      expect(path.isAbsolute(file)).toBe(true)
    }
    const up = zino.start(['up'], { cwd: '/' })
    await until(() => up.out.includes('zino is up'), 30_000)
    const { socket } = config.daemon
    expect(await answerOf(socket, { message: 'hi' })).toMatchObject([
      { type: 'response', content: 'scripted' },
    ])
    const prompt = String((await lastOf(config.sys.socket, { type: 'get' })).content)
    expect(prompt).toContain('"execute_bash": bash executor')
    expect(prompt).toContain('"shell": bash executor')
    expect(prompt).not.toMatch(/%%[A-Z_]+%%/)
    const hello = { type: 'execute', executor: 'bash', code: 'echo hi' }
    expect(await lastOf(config.exc.socket, hello)).toMatchObject({ stdout: 'hi\n' })
    expect((await up.stop()).code).toBe(0)
  })

  it('keeps existing files without --force', async () => {
    const zino = new Program()
    await zino.run(['init', 'here'])
    const file = path.join(zino.folder, 'here/SYSTEM.md')
    writeFileSync(file, 'mine')
    expect((await zino.run(['init', 'here'])).out).toContain(`kept  ${file}`)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    await zino.run(['init', 'here', '--force'])
    expect(readFileSync(file, 'utf8')).not.toBe('mine')
  })

  it('puts the sockets into XDG_RUNTIME_DIR and refuses a path that is too long', async () => {
    const zino = new Program()
    const runtime = path.join(zino.folder, 'xdg')
    await zino.run(['init', 'here'], '', { XDG_RUNTIME_DIR: runtime })
    const file = path.join(zino.folder, 'here/ZINO.toml')
    const { config } = await findConfig({ requested: file, env: {}, cwd: '/' })
    expect(config.daemon.socket).toBe(path.join(runtime, 'zino/daemon.sock'))
    const long = await zino.run(['init', 'x'.repeat(100)])
    expect(long).toMatchObject({ code: 1 })
    expect(long.err).toMatch(/107/)
  })
})
