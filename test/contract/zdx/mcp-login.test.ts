// `zdx mcp login`: OAuth at an MCP server over HTTP, by browser and by device code.
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { OAuthServer } from './mcp-oauth-server.ts'
import { startOAuthServer } from './mcp-oauth-server.ts'
import { scriptCalls } from './script-calls.ts'
import { withServer } from './with-server.ts'

const at = withServer()

let far: OAuthServer
afterEach(() => far.close())

const configure = () =>
  at.box.config(
    `tools = ["mcp:far"]\n[mcp.far]\nurl = "${far.url}"\nheaders = { X-Team = "of-the-server" }\n`,
  )

/** Logs in and opens the printed page, as a browser would. */
async function logIn(...args: string[]): Promise<{ code: number; stderr: string; page: URL }> {
  const child = at.box.start(['mcp', 'login', 'far', '--no-browser', ...args])
  const closed = once(child, 'close')
  let stderr = ''
  const page = await new Promise<URL>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
      const address = /^ {2}(http:\S+)\n/m.exec(stderr)?.[1]
      if (address !== undefined) resolve(new URL(address))
    })
    child.once('close', () => resolve(new URL('about:blank')))
  })
  if (page.pathname === '/authorize') {
    const redirect = page.searchParams.get('redirect_uri') ?? ''
    expect((await fetch(`${redirect}?code=stolen&state=wrong`)).status).toBe(404)
    expect(await (await fetch(page)).text()).toBe('You are logged in. You can close this page.\n')
  }
  const [code] = (await closed) as [number]
  return { code, stderr, page }
}

const call = async () => {
  const results = scriptCalls(at, [{ tool: 'far__key', input: {} }])
  const ran = await at.box.exec('go')
  return { ...ran, results: results() }
}

/** Files below the folders of the test that contain a token. */
function filesWithTokens(): string[] {
  return readdirSync(at.box.base, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(at.box.base, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .filter((file) => far.tokens.some((token) => readFileSync(file, 'utf8').includes(token)))
}

describe('zdx mcp login', () => {
  it('logs in by browser with PKCE, refreshes tokens, hides them everywhere and logs out', async () => {
    far = await startOAuthServer()
    configure()
    const before = await at.box.exec('go')
    expect(before.stderr).toContain(
      'MCP server far: it requires a login, run: zdx mcp login far; its tools are not offered\n',
    )
    const { code, stderr, page } = await logIn()
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, 'Logged in to far'])
    expect(page.searchParams.get('code_challenge_method')).toBe('S256')
    expect(page.searchParams.get('scope')).toBe('tools')
    expect(page.searchParams.get('resource')).toBe(far.url)
    const file = path.join(at.box.zdxHome, 'mcp-logins.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const first = await call()
    expect(first.results).toEqual([{ ok: true, data: { text: 'You sent Bearer [redacted].' } }])
    far.expire()
    const second = await call()
    expect(second.results).toEqual(first.results)
    expect(far.requests.filter((each) => each === 'POST /token refresh_token')).toHaveLength(1)
    const listed = await at.box.zdx(['mcp', 'list'])
    expect(listed.stdout).toBe(`far  ${far.url}  logged in\n`)
    far.revoke()
    const third = await at.box.exec('go')
    expect(third.stderr).toContain('it requires a login, run: zdx mcp login far')
    expect(far.authorizationHeaders.join('')).not.toContain('of-the-server')
    await logIn()
    expect(filesWithTokens()).toEqual([file])
    const outputs = [stderr, first, second, third, listed].map((each) => JSON.stringify(each))
    for (const token of far.tokens) expect(outputs.join('')).not.toContain(token)
    const logout = await at.box.zdx(['mcp', 'logout', 'far'])
    expect(logout).toMatchObject({ code: 0, stderr: 'Removed the login of far\n' })
    expect(filesWithTokens()).toEqual([])
  })

  it('shows a code for another device where the server offers nothing else', async () => {
    far = await startOAuthServer({ grants: ['urn:ietf:params:oauth:grant-type:device_code'] })
    configure()
    const { code, stderr } = await logIn()
    expect(stderr).toContain('Open this page and enter the code WXYZ-1234:\n  http://')
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, 'Logged in to far'])
    expect((await call()).results).toMatchObject([{ ok: true }])
  })

  it('fails for an unknown server, a program and an address where nothing listens', async () => {
    far = await startOAuthServer()
    at.box.config('[mcp.here]\ncommand = "x"\n')
    const logIn = (name: string) => at.box.zdx(['mcp', 'login', name, '--no-browser'])
    expect(await logIn('none')).toMatchObject({ code: 2 })
    expect(await logIn('here')).toMatchObject({ code: 2 })
    await far.close()
    const gone = await logIn(far.url)
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toMatch(/^cannot log in to http:.*: nothing is listening there\n$/)
  })
})
