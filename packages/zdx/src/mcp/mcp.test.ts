import { describe, expect, it } from 'vitest'
import { configDefaults } from '../settings/defaults.ts'
import { allowedServers } from './mcp.ts'

const config = {
  ...configDefaults,
  mcp: {
    here: { command: 'serve', args: ['-x'], env: { A: 'b' }, env_vars: ['TOKEN', 'MISSING'] },
    far: {
      url: 'https://example.com/mcp',
      headers: { 'X-Plain': 'p' },
      header_env: { 'X-Key': 'FAR_HEADER' },
      key_env: 'FAR_KEY',
    },
  },
}
const environment = {
  PATH: '/bin',
  HOME: '/home/me',
  TOKEN: 'token-of-the-server',
  ELSE: 'not for it',
  HTTPS_PROXY: 'http://user:password@proxy',
  ANTHROPIC_API_KEY: 'sk-model',
  FAR_KEY: ' key-of-far \n',
  FAR_HEADER: 'header-of-far',
}
const context = { root: '/project', commandEnv: environment, fullEnv: environment }

describe('allowedServers', () => {
  it.each([
    [['here'], undefined],
    [['here/a'], new Set(['a'])],
    [['here/a', 'here/b/c'], new Set(['a', 'b/c'])],
    [['here/a', 'here'], undefined],
    [['here', 'here/a'], undefined],
  ])('allows the right tools for the entries %j', (entries, only) => {
    expect(allowedServers(config, entries, context)).toMatchObject([{ name: 'here', only }])
  })

  it('gives a server the safe environment and the variables that its section names', () => {
    expect(allowedServers(config, ['here'], context)[0]?.endpoint).toEqual({
      command: 'serve',
      args: ['-x'],
      cwd: '/project',
      env: {
        PATH: '/bin',
        HOME: '/home/me',
        TOKEN: 'token-of-the-server',
        MISSING: undefined,
        A: 'b',
      },
    })
  })

  it('reads the secrets of an HTTP server from the environment and lists them for redaction', () => {
    expect(allowedServers(config, ['far'], context)[0]?.endpoint).toEqual({
      url: new URL('https://example.com/mcp'),
      headers: {
        'X-Plain': 'p',
        'X-Key': 'header-of-far',
        authorization: 'Bearer key-of-far',
      },
      secrets: ['header-of-far', 'key-of-far'],
      environment: context.fullEnv,
    })
  })

  it.each(['constructor', '__proto__', 'none', ''])(
    'rejects %j, which is not configured',
    (name) => {
      expect(() => allowedServers(config, [name], context)).toThrow('is configured')
    },
  )
})
