// The configuration: its path, its template, and the precedence of its sources.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withServer } from './with-server.ts'

const at = withServer()

describe('zdx config', () => {
  it.each([
    [{ ZDX_HOME: '/a', XDG_CONFIG_HOME: '/b' }, '/a/config.toml'],
    [{ ZDX_HOME: '', XDG_CONFIG_HOME: '/b' }, '/b/zdx/config.toml'],
    [{ ZDX_HOME: undefined, XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/zdx/config.toml'],
  ])('path prefers ZDX_HOME, then XDG_CONFIG_HOME, then HOME: %j', async (env, expected) => {
    expect((await at.box.zdx(['config', 'path'], { env })).stdout).toBe(`${expected}\n`)
  })

  it('init writes a template that loads, and never overwrites a file', async () => {
    const home = path.join(at.box.base, 'new/home')
    const env = { ZDX_HOME: home }
    const file = path.join(home, 'config.toml')
    const made = await at.box.zdx(['config', 'init'], { env })
    expect(made).toMatchObject({ code: 0, stdout: `Created config at ${file}\n` })
    const text = readFileSync(file, 'utf8')
    for (const line of [
      /^model = "claude-haiku-4-5"/m,
      /^# max_tokens = /m,
      /^tool_timeout_secs = 600/m,
      /^# ?system_prompt =/m,
      /^# ?system_prompt_file =/m,
      /^# ?anthropic_base_url =/m,
    ]) {
      expect(text).toMatch(line)
    }
    const again = await at.box.zdx(['config', 'init'], { env })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain(`Config file already exists at ${file}`)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(await at.box.zdx(['exec', '-p', 'hi'], { env })).toMatchObject({ code: 0 })
  })

  it('show prints the origin of every value', async () => {
    at.box.config('# mine\nmax_tokens = 77\n')
    const { stdout } = await at.box.zdx(['config', 'show', '--model', 'other'])
    expect(stdout).toContain(`max_tokens = 77  # ${path.join(at.box.zdxHome, 'config.toml')}:2\n`)
    expect(stdout).toContain('model = "other"  # flag --model\n')
    expect(stdout).toContain('tool_timeout_secs = 600  # default\n')
    expect(stdout).toContain('# environment ANTHROPIC_BASE_URL\n')
  })
})

describe('zdx config path', () => {
  it('prints an absolute path, also without HOME', async () => {
    const env = { ZDX_HOME: '', XDG_CONFIG_HOME: '', HOME: '' }
    const { stdout } = await at.box.zdx(['config', 'path'], { env })
    expect(stdout).toMatch(/^\/.*\.config\/zdx\/config\.toml\n$/)
  })
})

describe('setting precedence', () => {
  const body = () => at.server.requests.at(-1)?.body

  it('puts the flag before the file before the default', async () => {
    at.box.config('model = "from-file"\nmax_tokens = 5\n')
    await at.box.exec('hi')
    expect(body()).toMatchObject({ model: 'from-file', max_tokens: 5 })
    await at.box.exec('hi', '--model', 'from-flag', '--max-tokens', '9')
    expect(body()).toMatchObject({ model: 'from-flag', max_tokens: 9 })
  })

  it('puts the environment before the file for the base URL and ignores trailing slashes', async () => {
    at.box.config('anthropic_base_url = "http://127.0.0.1:1"\n')
    const env = { ANTHROPIC_BASE_URL: `${at.server.url}/prefix//` }
    await at.box.zdx(['exec', '-p', 'hi'], { env })
    expect(at.server.requests[0]?.path).toBe('/prefix/v1/messages')
    at.box.config(`anthropic_base_url = "${at.server.url}"\n`)
    await at.box.zdx(['exec', '-p', 'hi'], { env: { ANTHROPIC_BASE_URL: '  ' } })
    expect(at.server.requests[1]?.path).toBe('/v1/messages')
  })

  it('puts system_prompt_file before system_prompt and the flag before both', async () => {
    const file = path.join(at.box.base, 'prompt.md')
    writeFileSync(file, '\n from file \n')
    at.box.config(`system_prompt = "from key"\nsystem_prompt_file = "${file}"\n`)
    await at.box.exec('hi')
    expect(body()?.system).toBe('from file')
    await at.box.exec('hi', '--system-prompt', 'from flag')
    expect(body()?.system).toBe('from flag')
    await at.box.exec('hi', '--system-prompt', ' ')
    expect(body()).not.toHaveProperty('system')
  })

  it('treats a blank system prompt as none', async () => {
    at.box.config('system_prompt = "  "\n')
    await at.box.exec('hi')
    expect(body()).not.toHaveProperty('system')
  })
})

describe('zdx without a task', () => {
  it('writes no file for help, version, config path and usage errors', async () => {
    const env = { ZDX_HOME: path.join(at.box.base, 'untouched') }
    for (const args of [['--help'], ['--version'], ['config', 'path'], ['bogus'], ['exec']]) {
      await at.box.zdx(args, { env })
    }
    expect(existsSync(env.ZDX_HOME)).toBe(false)
    mkdirSync(env.ZDX_HOME)
  })
})
