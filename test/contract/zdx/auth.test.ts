// `zdx auth`: stores keys safely, finds them again, never prints them.
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeAnthropic, say } from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const secret = 'stored-key-0123456789'

let box: Sandbox
let keyFile: string
beforeEach(() => {
  box = createSandbox()
  keyFile = path.join(box.zdxHome, 'credentials.json')
})
afterEach(() => box.remove())

const login = (...args: string[]) =>
  box.zdx(['auth', 'login', 'anthropic', '--stdin', ...args], { input: `${secret}\n` })

/** Replaces the keyring module by `code`, or makes it missing. */
function keyringFrom(code: string | undefined): Record<string, string> {
  const file = path.join(box.base, 'keyring.cjs')
  const preload = path.join(box.base, 'preload.cjs')
  writeFileSync(file, code ?? '')
  writeFileSync(
    preload,
    `const Module = require('node:module')
const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  if (name !== '@napi-rs/keyring') return resolve.call(this, name, ...rest)
  if (${code === undefined}) throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' })
  return ${JSON.stringify(file)}
}
`,
  )
  return { NODE_OPTIONS: `--require ${preload}` }
}

/** A keyring that stores its entries in a file. */
function fakeKeyring(): Record<string, string> {
  return keyringFrom(
    `const fs = require('node:fs')
const file = ${JSON.stringify(path.join(box.base, 'keyring.json'))}
const read = () => { try { return JSON.parse(fs.readFileSync(file, 'utf8')) } catch { return {} } }
exports.Entry = class {
  constructor(service, account) { this.name = service + '/' + account }
  getPassword() { return read()[this.name] ?? null }
  setPassword(value) { fs.writeFileSync(file, JSON.stringify({ ...read(), [this.name]: value })) }
  deletePassword() { const all = read(); delete all[this.name]; fs.writeFileSync(file, JSON.stringify(all)); return true }
}
`,
  )
}

describe('zdx auth', () => {
  it('stores no key without a working keyring and names the alternatives', async () => {
    const ran = await login()
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(
      /^no keyring is available: the system keyring does not respond \(.+\); nothing was stored\. Set ANTHROPIC_API_KEY instead, .*--insecure-file\n$/,
    )
    expect(existsSync(keyFile)).toBe(false)
    const status = await box.zdx(['auth', 'status', 'anthropic'])
    expect(status).toMatchObject({ code: 0, stdout: 'anthropic: none\n', stderr: '' })
    const logout = await box.zdx(['auth', 'logout', 'anthropic'])
    expect(logout).toMatchObject({ code: 0, stderr: 'No key of anthropic was stored\n' })
  })

  it('reports that the keyring module is not installed', async () => {
    const ran = await box.zdx(['auth', 'login', 'openai', '--stdin'], {
      input: secret,
      env: keyringFrom(undefined),
    })
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('the package @napi-rs/keyring is not installed')
  })

  it('stores a key in a file of mode 0600 with --insecure-file, uses it and removes it', async () => {
    const server = await fakeAnthropic(say('ok'))
    const env = { ANTHROPIC_BASE_URL: server.url }
    expect(await login('--insecure-file')).toMatchObject({ code: 0 })
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(await box.zdx(['exec', '-p', 'hi'], { env })).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(server.requests[0]?.headers['x-api-key']).toBe(secret)
    const own = { ...env, ANTHROPIC_API_KEY: 'from-environment' }
    await box.zdx(['exec', '-p', 'hi'], { env: own })
    expect(server.requests[1]?.headers['x-api-key']).toBe('from-environment')
    await server.close()
    expect((await box.zdx(['auth', 'status', 'anthropic'])).stdout).toBe(`anthropic: ${keyFile}\n`)
    expect((await box.zdx(['auth', 'status', 'anthropic'], { env: own })).stdout).toBe(
      'anthropic: environment ANTHROPIC_API_KEY\n',
    )
    expect(await box.zdx(['auth', 'logout', 'anthropic'])).toMatchObject({ code: 0 })
    expect((await box.zdx(['auth', 'status', 'anthropic'])).stdout).toBe('anthropic: none\n')
  })

  it('stores a key in the system keyring if there is one', async () => {
    const env = fakeKeyring()
    const args = ['auth', 'login', 'anthropic', '--stdin']
    const ran = await box.zdx(args, { input: secret, env })
    expect(ran.code).toBe(0)
    expect(existsSync(keyFile)).toBe(false)
    const status = await box.zdx(['auth', 'status', 'anthropic'], { env })
    expect(status.stdout).toBe('anthropic: the system keyring\n')
    await box.zdx(['auth', 'logout', 'anthropic'], { env })
    const after = await box.zdx(['auth', 'status', 'anthropic'], { env })
    expect(after.stdout).toBe('anthropic: none\n')
  })

  it('stores one key for both wires of a vendor', async () => {
    const file = ['--stdin', '--insecure-file']
    await box.zdx(['auth', 'login', 'openai', ...file], { input: secret })
    const { stdout } = await box.zdx(['auth', 'status', 'openai-responses'])
    expect(stdout).toBe(`openai-responses: ${keyFile}\n`)
    expect(await box.zdx(['auth', 'logout', 'openai-responses'])).toMatchObject({ code: 0 })
    expect((await box.zdx(['auth', 'status', 'openai'])).stdout).toBe('openai: none\n')
  })

  it('never prints a key and writes it to no other file', async () => {
    const outputs = [
      await login('--insecure-file'),
      await box.zdx(['auth', 'status']),
      await box.zdx(['config', 'show']),
    ]
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(secret)
    const files = readdirSync(box.zdxHome, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(box.zdxHome, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes(secret))
    expect(files).toEqual([keyFile])
  })

  it('stores nothing for an invalid key or a provider without keys', async () => {
    const args = ['auth', 'login', 'anthropic', '--stdin', '--insecure-file']
    expect(await box.zdx(args, { input: '\n' })).toMatchObject({ code: 1 })
    expect(await box.zdx(args, { input: 'two words\n' })).toMatchObject({ code: 1 })
    expect(existsSync(keyFile)).toBe(false)
    expect(await box.zdx(['auth', 'login', 'script', '--stdin'])).toMatchObject({ code: 2 })
  })
})

describe('zdx auth login openrouter', () => {
  it('exchanges the code of the login page for a key with PKCE', async () => {
    let challenge = ''
    const bodies: Record<string, string>[] = []
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += chunk))
      request.on('end', () => {
        const body = JSON.parse(text) as Record<string, string>
        bodies.push(body)
        const proof = createHash('sha256')
          .update(body.code_verifier ?? '')
          .digest('base64url')
        const fits = body.code === 'the-code' && proof === challenge
        response.writeHead(fits ? 200 : 403, { 'content-type': 'application/json' })
        response.end(JSON.stringify(fits ? { key: secret } : { error: { message: 'no' } }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = ['auth', 'login', 'openrouter', '--insecure-file', '--no-browser']
    const child = box.start(args, { OPENROUTER_BASE_URL: `${url}/api/v1` })
    let stderr = ''
    const page = await new Promise<URL>((resolve) => {
      child.stderr?.on('data', (chunk) => {
        stderr += chunk
        const address = /(http:\S+\/auth\?\S+)\n/.exec(stderr)?.[1]
        if (address !== undefined) resolve(new URL(address))
      })
    })
    expect(page.pathname).toBe('/auth')
    expect(page.searchParams.get('code_challenge_method')).toBe('S256')
    challenge = page.searchParams.get('code_challenge') ?? ''
    const callback = new URL(page.searchParams.get('callback_url') ?? '')
    const wrong = await fetch(`${callback.origin}/elsewhere?code=evil`)
    expect(wrong.status).toBe(404)
    callback.searchParams.set('code', 'the-code')
    const closed = once(child, 'close')
    expect(await (await fetch(callback)).text()).toContain('You are logged in')
    const [code] = (await closed) as [number]
    server.close()
    server.closeAllConnections()
    expect(code).toBe(0)
    expect(bodies).toHaveLength(1)
    expect(JSON.parse(readFileSync(keyFile, 'utf8'))).toEqual({ openrouter: secret })
    expect(stderr).not.toContain(secret)
  })
})
