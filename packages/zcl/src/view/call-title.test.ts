import { describe, expect, it } from 'vitest'
import { callTitle } from './call-title.ts'

describe('the title of a call', () => {
  it.each([
    [
      'a command as typed in a shell',
      'cli',
      'exec',
      { argv: ['git', 'log', '-n', '3'] },
      'git log -n 3',
    ],
    [
      'words with spaces in quotes',
      'cli',
      'exec',
      { argv: ['sh', '-c', "echo 'a b'"] },
      `sh -c 'echo '\\''a b'\\'''`,
    ],
    ['an empty word', 'cli', 'exec', { argv: ['x', ''] }, "x ''"],
    ['a request', 'http', 'request', { method: 'GET', url: 'http://a/b' }, 'GET http://a/b'],
    [
      'a tool',
      'mcp',
      'tools/call',
      { method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } },
      'add {"a":1}',
    ],
    ['an edit', 'zdx', 'edit', { path: 'a.ts', old: 'x', new: 'y\nz\n' }, 'edit a.ts +2 -1'],
    ['a new file', 'claude', 'Write', { file_path: 'b', content: 'x' }, 'Write b +1'],
    ['anything else', 'native', 'do', { a: 1, b: 2 }, 'do {"a":1,"b":2}'],
  ])('shows %s', (_what, tool, op, input, title) => {
    expect(callTitle({ tool, op, input }).title).toBe(title)
  })

  it('is complete only when it shows the full input', () => {
    const isComplete = (input: Record<string, unknown>) =>
      callTitle({ tool: 'cli', op: 'exec', input }).isComplete
    expect(isComplete({ argv: ['a'] })).toBe(true)
    expect(isComplete({ argv: ['a'], cwd: '/' })).toBe(false)
    expect(isComplete({ argv: ['a\nb'] })).toBe(false)
    expect(isComplete({ argv: ['a'.repeat(1000)] })).toBe(false)
  })
})
