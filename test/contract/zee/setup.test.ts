// `zee setup`: a diff of all changes, nothing written if one of them fails, and bytes restored by --undo.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ZeeSandbox } from './sandbox.ts'

describe('zee setup', () => {
  it.each([
    ['claude', '.mcp.json', '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'],
    ['codex', '.codex/config.toml', 'model = "gpt-5"\n\n[mcp_servers.other]\ncommand = "x"\n'],
    ['opencode', 'opencode.json', '{ "theme": "dark" }\n'],
    ['gemini', '.gemini/settings.json', '{}'],
    ['zed', '.zed/settings.json', '// Zed settings\n{\n  // keys\n  "vim_mode": true,\n}\n'],
  ])(
    'shows a diff, sets up %s, and --undo restores its settings byte for byte',
    async (agent, name, before) => {
      const place = new ZeeSandbox()
      try {
        const file = path.join(place.project, name)
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, before)
        const done = await place.zee(['setup', agent])
        expect(done.code, done.stderr).toBe(0)
        expect(done.stdout).toMatch(/^\+.*zeno/m)
        expect(done.stdout).toContain(`registered the MCP server in ${file}`)
        expect(readFileSync(file, 'utf8')).toContain('zeno')
        const recorder = agent === 'zed' ? 'exec zcl mcp proxy --' : "added zcl's hooks to"
        expect(done.stdout).toContain(recorder)
        const again = await place.zee(['setup', agent])
        expect(again.stdout).toBe(`Nothing to change: zeno is set up for ${agent}.\n`)
        const undone = await place.zee(['setup', agent, '--undo'])
        expect(undone.stdout).toMatch(/^-.*zeno/m)
        expect(readFileSync(file, 'utf8')).toBe(before)
        expect(readdirSync(place.project, { recursive: true }).toSorted()).toEqual(
          path.dirname(name) === '.' ? [name] : [path.dirname(name), name],
        )
      } finally {
        place.remove()
      }
    },
  )

  it.each([
    ['gemini', '.gemini/settings.json', ''],
    ['gemini', '.gemini/settings.json', ' \n'],
    ['claude', '.claude/settings.json', ''],
    ['claude', '.mcp.json', '\n'],
    ['codex', '.codex/hooks.json', ''],
    ['opencode', 'opencode.json', ''],
  ])('--undo restores blank settings of %s in %s: %j', async (agent, name, before) => {
    const place = new ZeeSandbox()
    try {
      const file = path.join(place.project, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, before)
      const done = await place.zee(['setup', agent])
      expect(done.code, done.stderr).toBe(0)
      expect(() => JSON.parse(readFileSync(file, 'utf8')) as unknown).not.toThrow()
      await place.zee(['setup', agent, '--undo'])
      expect(readFileSync(file, 'utf8')).toBe(before)
    } finally {
      place.remove()
    }
  })

  it('writes nothing if the settings of one program lie behind a link out of the project', async () => {
    const place = new ZeeSandbox()
    try {
      const outside = path.join(place.base, 'settings.json')
      writeFileSync(outside, '{}')
      mkdirSync(path.join(place.project, '.claude'))
      symlinkSync(outside, path.join(place.project, '.claude/settings.json'))
      for (const more of [[], ['--undo']]) {
        const { code, stdout, stderr } = await place.zee(['setup', 'claude', ...more])
        expect([code, stderr]).toEqual(
          more.length === 0 ? [1, expect.stringContaining('leads out of')] : [0, ''],
        )
        expect(stdout).not.toContain('wrote')
      }
      expect(readFileSync(outside, 'utf8')).toBe('{}')
      expect(readdirSync(place.project, { recursive: true }).toSorted()).toEqual([
        '.claude',
        '.claude/settings.json',
      ])
    } finally {
      place.remove()
    }
  })

  it.each([
    ['.mcp.json', '{ "a": '],
    ['.claude/settings.json', '// a comment\n{}'],
  ])('names %s and writes nothing if it cannot be edited', async (name, before) => {
    const place = new ZeeSandbox()
    try {
      mkdirSync(path.join(place.project, '.claude'))
      writeFileSync(path.join(place.project, name), before)
      const { code, stderr } = await place.zee(['setup', 'claude'])
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`${name} is not a JSON object.*by hand\n$`))
      expect(readFileSync(path.join(place.project, name), 'utf8')).toBe(before)
      expect(existsSync(path.join(place.project, '.claude/skills'))).toBe(false)
    } finally {
      place.remove()
    }
  })

  it('zcl hooks uninstall keeps a file that has no hooks of zcl', async () => {
    const place = new ZeeSandbox()
    try {
      const file = path.join(place.project, '.claude/settings.json')
      mkdirSync(path.dirname(file))
      writeFileSync(file, '{}\n\n')
      await place.run('zcl', ['hooks', 'uninstall', '--for', 'claude'])
      expect(readFileSync(file, 'utf8')).toBe('{}\n\n')
    } finally {
      place.remove()
    }
  })
})
