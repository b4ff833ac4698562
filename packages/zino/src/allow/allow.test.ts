import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deadlineOf,
  hostsOf,
  isHostAllowed,
  pathsOf,
  readAllows,
  refusedTime,
  refusedTokens,
  refusedTool,
  tokensOf,
} from './allow.ts'

const scope = { cwd: '/work/dir', home: '/home/me' }
const read = (value: unknown) => readAllows(value, scope)

describe('an allow', () => {
  it('is absent, one object or a list of objects', () => {
    expect(read(undefined)).toEqual([])
    expect(read(null)).toEqual([])
    expect(read({ tokens: 5 })).toEqual([{ tokens: 5 }])
    expect(read([{ tools: ['a'] }, {}])).toEqual([{ tools: ['a'] }, {}])
  })

  it('has absolute paths without patterns at the end', () => {
    const paths = ['a', './b/../c', '/x/**', '/y/*', '~/z', '~', '/']
    expect(read({ paths })[0]?.paths).toEqual([
      '/work/dir/a',
      '/work/dir/c',
      '/x',
      '/y',
      '/home/me/z',
      '/home/me',
      '/',
    ])
  })

  it('has hosts in lower case, without a scheme', () => {
    const hosts = ['API.Example.com', 'https://a.b/', '*.c.d', 'e:8080', '[::1]:80', '*']
    expect(read({ hosts })[0]?.hosts).toEqual([
      'api.example.com',
      'a.b',
      '*.c.d',
      'e:8080',
      '[::1]:80',
      '*',
    ])
  })

  it.each([
    5,
    'bash',
    true,
    { tool: ['bash'] },
    { __proto__x: 1 },
    { tools: 'bash' },
    { tools: [5] },
    { tools: [''] },
    { paths: ['/a/*/b'] },
    { paths: ['/a\0b'] },
    { paths: ['/a\nb'] },
    { hosts: ['a b'] },
    { hosts: ['a/b'] },
    { hosts: ['*.'] },
    { tokens: 1.5 },
    { tokens: -1 },
    { tokens: '5' },
    { until: 'tomorrow' },
    { until: 5 },
    Array.from({ length: 17 }, () => ({})),
  ])('is refused when it is %j', (value) => {
    expect(() => read(value)).toThrow()
  })

  it('has a date that stands for its end', () => {
    expect(read({ until: '2026-03-01' })[0]?.until).toBe('2026-03-01T23:59:59.999Z')
    expect(read({ until: '2026-03-01T10:00:00+02:00' })[0]?.until).toBe('2026-03-01T08:00:00.000Z')
  })
})

describe('a turn that may use only python3', () => {
  const allows = read({ tools: ['python3'] })

  it.each([
    'bash',
    'execute_bash',
    'Python3',
    'PYTHON3',
    'python3 ',
    ' python3',
    'python',
    'python3\0',
    'python3*',
    'python33',
    'python3/../bash',
    '/usr/bin/python3',
    './python3',
    'execute_python3_',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '*',
    'files__write',
    'ｐｙｔｈｏｎ３',
  ])('may not use %j', (name) => {
    expect(refusedTool(allows, [name, `execute_${name}`])).toContain('[allow.tools]')
  })
})

describe('several capabilities', () => {
  it('must all permit a tool', () => {
    const allows = read([
      { tools: ['bash', 'mcp_*'] },
      {},
      { tools: ['execute_bash', 'mcp_files_read'] },
    ])
    expect(refusedTool(allows, ['bash', 'execute_bash'])).toBeUndefined()
    expect(refusedTool(allows, ['mcp_files_read'])).toBeUndefined()
    expect(refusedTool(allows, ['mcp_files_write'])).toMatch(/^\[allow\.tools\] .*mcp_files_write/)
    expect(refusedTool(read({ tools: [] }), ['bash'])).toContain('[allow.tools]')
    expect(refusedTool([], ['bash'])).toBeUndefined()
  })

  it('permit the common paths, and no path below another one', () => {
    expect(pathsOf([])).toBeUndefined()
    expect(pathsOf(read([{ paths: ['/a', '/b/c'] }, { paths: ['/a/x', '/b', '/q'] }]))).toEqual([
      '/a/x',
      '/b/c',
    ])
    expect(pathsOf(read({ paths: ['/a', '/a/b', '/ab', '/a'] }))).toEqual(['/a', '/ab'])
    expect(pathsOf(read([{ paths: ['/a'] }, { paths: ['/b'] }]))).toEqual([])
    expect(pathsOf(read([{ paths: ['/'] }, { paths: ['/b'] }]))).toEqual(['/b'])
  })

  it('permit a path only if each of them does', () => {
    const segment = fc.constantFrom('a', 'b', 'ab')
    const path = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .map((parts) => `/${parts.join('/')}`)
    const list = fc.array(path, { maxLength: 4 })
    const below = (file: string, folders: readonly string[]) =>
      folders.some((folder) => file === folder || file.startsWith(`${folder}/`))
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), path, (lists, file) => {
        const granted = pathsOf(read(lists.map((paths) => ({ paths })))) ?? []
        expect(below(file, granted)).toBe(lists.every((paths) => below(file, paths)))
      }),
    )
  })

  it('use the lowest number of tokens and the earliest end', () => {
    const allows = read([
      { tokens: 100, until: '2026-05-05' },
      { tokens: 50, until: '2026-04-04' },
    ])
    expect(tokensOf(allows)).toBe(50)
    expect(deadlineOf(allows)).toBe(Date.parse('2026-04-04T23:59:59.999Z'))
    expect(refusedTokens(allows, 49)).toBeUndefined()
    expect(refusedTokens(allows, 50)).toContain('[allow.tokens]')
    expect(refusedTime(allows, new Date('2026-04-04T12:00:00Z'))).toBeUndefined()
    expect(refusedTime(allows, new Date('2026-04-05T00:00:00Z'))).toContain('[allow.until]')
    expect(refusedTime([{ until: 'damaged' }], new Date())).toContain('[allow.until]')
  })

  it('match hosts with ports and subdomains', () => {
    const lists =
      hostsOf(read({ hosts: ['a.example', 'b.example:8080', '*.c.example', '[::1]'] })) ?? []
    const isAllowed = (host: string, port = 443) => isHostAllowed(lists, host, port)
    expect(isAllowed('a.example')).toBe(true)
    expect(isAllowed('A.Example.')).toBe(true)
    expect(isAllowed('x.a.example')).toBe(false)
    expect(isAllowed('a.example.evil.test')).toBe(false)
    expect(isAllowed('b.example')).toBe(false)
    expect(isAllowed('b.example', 8080)).toBe(true)
    expect(isAllowed('x.c.example')).toBe(true)
    expect(isAllowed('c.example')).toBe(false)
    expect(isAllowed('xc.example')).toBe(false)
    expect(isAllowed('::1')).toBe(true)
    expect(hostsOf(read({ hosts: ['*'] }))).toBeUndefined()
    expect(hostsOf(read([{ hosts: ['*'] }, { hosts: [] }]))).toEqual([[]])
  })
})
