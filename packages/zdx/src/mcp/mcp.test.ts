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
const place = { root: '/project', env: environment, environment }

describe('the servers that tools allow', () => {
  it.each([
    [['here'], undefined],
    [['here/a'], new Set(['a'])],
    [['here/a', 'here/b/c'], new Set(['a', 'b/c'])],
    [['here/a', 'here'], undefined],
    [['here', 'here/a'], undefined],
  ])('%j', (wanted, only) => {
    expect(allowedServers(config, wanted, place)).toMatchObject([{ name: 'here', only }])
  })

  it('run with a plain environment and what their section names', () => {
    expect(allowedServers(config, ['here'], place)[0]?.endpoint).toEqual({
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

  it('over HTTP get their secrets from the environment, known as such', () => {
    expect(allowedServers(config, ['far'], place)[0]?.endpoint).toEqual({
      url: new URL('https://example.com/mcp'),
      headers: {
        'X-Plain': 'p',
        'X-Key': 'header-of-far',
        authorization: 'Bearer key-of-far',
      },
      secrets: ['header-of-far', 'key-of-far'],
    })
  })

  it.each(['constructor', '__proto__', 'none', ''])('must be configured: %j', (name) => {
    expect(() => allowedServers(config, [name], place)).toThrow('is configured')
  })
})
