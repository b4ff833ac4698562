// `zeno skill`: installs the skill and the MCP server for coding agents, and takes both back byte for byte.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  mkdirSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const zeno = (...args: string[]) => box.zeno(['skill', ...args], { cwd: box.root })
const read = (file: string): string => readFileSync(path.join(box.root, file), 'utf8')

const agents = [
  ['claude', '.claude/skills/zeno/SKILL.md', '.mcp.json'],
  ['codex', '.codex/skills/zeno/SKILL.md', '.codex/config.toml'],
  ['opencode', '.opencode/skills/zeno/SKILL.md', 'opencode.json'],
  ['gemini', '.gemini/skills/zeno/SKILL.md', '.gemini/settings.json'],
  ['agents', '.agents/skills/zeno/SKILL.md', '.mcp.json'],
] as const

describe('zeno skill', () => {
  it.each(agents)(
    'installs for %s and uninstalls without a trace',
    async (agent, skill, config) => {
      expect(await zeno('install', '--for', agent)).toMatchObject({ code: 0, stderr: '' })
      expect(read(skill)).toContain('===ZENO_EVIDENCE_LEDGER_JSONL===')
      expect(Buffer.byteLength(read(skill))).toBeLessThan(6000)
      expect(read(config)).toMatch(/zeno[\s\S]*mcp[\s\S]*--root/)
      const before = read(config)
      expect((await zeno('install', '--for', agent)).stdout).toContain('unchanged')
      expect(read(config)).toBe(before)
      expect(await zeno('uninstall', '--for', agent)).toMatchObject({ code: 0 })
      expect(readdirSync(box.root)).toEqual([])
    },
  )

  it.each([
    ['.mcp.json', 'claude', '{"mcpServers": {"x": {"command": "y"}},  "other": [1,2]}'],
    ['.mcp.json', 'claude', '{\n\t"mcpServers": {}\n}\n'],
    ['.mcp.json', 'claude', '{\n  "a": "mcpServers"\n}\n'],
    ['opencode.json', 'opencode', '{ "mcp": { "a": {"b": "}"} } }'],
    ['.codex/config.toml', 'codex', 'model = "x"'],
    ['.codex/config.toml', 'codex', ''],
    ['opencode.json', 'opencode', '{}'],
    ['.codex/config.toml', 'codex', '[mcp_servers.other]\ncommand = "x"\n'],
    ['.mcp.json', 'claude', ''],
    ['.gemini/settings.json', 'gemini', ' \r\n'],
    ['.mcp.json', 'agents', '{\n  "mcpServers": {\n  }\n}\n'],
    ['opencode.json', 'opencode', '\uFEFF{\r\n  "mcp": {\r\n  }\r\n}\r\n'],
  ])('restores the bytes of %s for %s', async (config, agent, text) => {
    box.put({ [config]: text })
    await zeno('install', '--for', agent)
    expect(read(config)).not.toBe(text)
    const json = read(config).replace(/^\uFEFF/, '')
    if (config.endsWith('.json')) expect(() => JSON.parse(json) as unknown).not.toThrow()
    await zeno('uninstall', '--for', agent)
    expect(read(config)).toBe(text)
  })

  it('prints both with --print and writes nothing', async () => {
    const { stdout } = await zeno('install', '--for', 'claude', '--print')
    expect(stdout).toContain('SKILL.md')
    expect(stdout).toContain('"mcpServers"')
    expect(readdirSync(box.root)).toEqual([])
  })

  it('leaves edited files alone and does not follow links out of the project', async () => {
    await zeno('install', '--for', 'claude')
    box.put({ '.claude/skills/zeno/SKILL.md': `${read('.claude/skills/zeno/SKILL.md')}mine\n` })
    expect((await zeno('uninstall', '--for', 'claude')).stdout).toContain('kept')
    expect(existsSync(path.join(box.root, '.claude/skills/zeno/SKILL.md'))).toBe(true)
    const outside = path.join(box.base, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, path.join(box.root, '.gemini'))
    expect(await zeno('install', '--for', 'gemini')).toMatchObject({ code: 1 })
    expect(readdirSync(outside)).toEqual([])
  })

  const refused = { code: 1, stdout: '', stderr: expect.stringContaining('leads out of') }
  const skipped = { code: 0, stdout: expect.stringContaining('skipped claude'), stderr: '' }
  it.each([
    ['install', refused],
    ['install --print', refused],
    ['install --json', refused],
    ['uninstall', skipped],
    ['uninstall --json', { code: 0, stdout: '', stderr: '' }],
  ])('%s reads neither a pipe nor a file outside the project', async (words, outcome) => {
    execFileSync('mkfifo', [path.join(box.root, '.mcp.json')])
    const ran = await zeno(...words.split(' '), '--for', 'claude')
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining('.mcp.json: it is not a regular file'),
    ])
    const secret = path.join(box.base, 'outside.json')
    writeFileSync(secret, '{"password": "of the user"}')
    rmSync(path.join(box.root, '.mcp.json'))
    symlinkSync(secret, path.join(box.root, '.mcp.json'))
    const followed = await zeno(...words.split(' '), '--for', 'claude')
    expect(followed).toMatchObject(outcome)
    expect(readdirSync(box.root)).toEqual(['.mcp.json'])
  })

  it.each([
    ['mcp_servers = { other = { command = "x" } }\n', 'add zeno by hand'],
    ['mcp_servers.zeno.command = "x"\n', 'add zeno by hand'],
    ['[mcp_servers.zeno.env]\nA = "b"\n', 'already has zeno'],
  ])('does not append a second definition to %j', async (text, reason) => {
    box.put({ '.codex/config.toml': text })
    expect((await zeno('install', '--for', 'codex')).stdout).toContain(reason)
    expect(read('.codex/config.toml')).toBe(text)
    await zeno('uninstall', '--for', 'codex')
    expect(read('.codex/config.toml')).toBe(text)
  })

  it('does not change a configuration that is not UTF-8', async () => {
    const bytes = Buffer.from('{ "name": "caf\xe9" }', 'latin1')
    writeFileSync(path.join(box.root, '.mcp.json'), bytes)
    const { code, stderr } = await zeno('install', '--for', 'claude')
    expect([code, stderr]).toEqual([1, expect.stringContaining('.mcp.json is not UTF-8 text')])
    expect(readFileSync(path.join(box.root, '.mcp.json'))).toEqual(bytes)
    expect(readdirSync(box.root)).toEqual(['.mcp.json'])
  })

  it('does not change a configuration that is not JSON', async () => {
    box.put({ '.mcp.json': '{ // comment\n}' })
    expect((await zeno('install', '--for', 'claude')).stdout).toContain('add zeno by hand')
    expect(read('.mcp.json')).toBe('{ // comment\n}')
  })
})
