// `zcl update status` reports the installed and the newest version, for valid and invalid release
// locations.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runProgram } from '../../support/run-program.ts'

const { version: current } = JSON.parse(
  readFileSync(path.join(repository, 'packages/zcl/package.json'), 'utf8'),
) as { version: string }
const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee-update-'))
let answer: (response: ServerResponse) => void = (response) => response.end()
const server = createServer((_request, response) => answer(response))
let url = ''
let requestCount = 0
let project = ''

beforeAll(async () => {
  server.on('request', () => (requestCount += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(temporary, { recursive: true, force: true })
})
beforeEach(() => {
  project = mkdtempSync(path.join(temporary, 'p-'))
  requestCount = 0
})

function runUpdateStatus(args: string[] = [], env: Record<string, string> = {}) {
  return runProgram('zcl', ['update', 'status', '--json', ...args], {
    cwd: project,
    env: { HOME: project, ZCL_RELEASES: undefined, XDG_CONFIG_HOME: undefined, ...env },
  })
}

async function status(args: string[] = [], env: Record<string, string> = {}) {
  const before = readdirSync(project)
  const ran = await runUpdateStatus(args, env)
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
  expect(readdirSync(project)).toEqual(before)
  return JSON.parse(ran.stdout) as Record<string, unknown>
}

function put(name: string, content: unknown): void {
  const file = path.join(project, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

describe('zcl update status', () => {
  it('sends no request when no location is configured', async () => {
    expect(await status()).toEqual({
      ok: true,
      current,
      releases: null,
      newest: null,
      updateAvailable: null,
      reason: expect.stringContaining('ZCL_RELEASES'),
    })
    expect(requestCount).toBe(0)
  })

  it.each([
    [current, false],
    ['0.0.9', false],
    ['99.0.0', true],
    ['99.0.0-rc.1', true],
  ])('reports release %s of a folder', async (version, updateAvailable) => {
    put('r/release.json', { version })
    expect(await status(['--from', 'r'])).toEqual({
      ok: true,
      current,
      releases: 'r',
      newest: version,
      updateAvailable,
    })
  })

  it('finds the newest of several releases and skips invalid ones', async () => {
    for (const version of ['90.9.0', '90.10.0', '0.2.0'])
      put(`r/${version}/release.json`, { version })
    put('r/99.9.9/release.json', 'not json')
    put('r/98.8.8/release.json', { version: '../../etc' })
    put('r/97.7.7', 'a file')
    put('r/notes/release.json', { version: '199.0.0' })
    expect(await status([], { ZCL_RELEASES: 'r' })).toMatchObject({ newest: '90.10.0' })
  })

  it('reads the location from the flag, then the variable, then the configuration', async () => {
    put('config/release.json', { version: '1.0.0' })
    put('variable/release.json', { version: '2.0.0' })
    put('flag/release.json', { version: '3.0.0' })
    put('zcl.config.json', { schemaVersion: 1, releases: 'config' })
    const env = { ZCL_RELEASES: 'variable' }
    // A configuration that came with the folder names no place before it is trusted.
    const untrusted = await runUpdateStatus()
    expect(JSON.parse(untrusted.stdout)).toMatchObject({ releases: null })
    expect(untrusted.stderr).toMatch(/^ZCL_W_UNTRUSTED_CONFIG: [^\n]*releases is ignored[^\n]*\n$/)
    expect(await status([], { ZCL_CONFIG: 'zcl.config.json' })).toMatchObject({ newest: '1.0.0' })
    expect(await status(['--config', 'zcl.config.json'])).toMatchObject({ newest: '1.0.0' })
    await runProgram('zcl', ['trust'], { cwd: project, env: { HOME: project } })
    expect(await status()).toMatchObject({ newest: '1.0.0' })
    expect(await status([], env)).toMatchObject({ newest: '2.0.0' })
    expect(await status(['--from', 'flag'], env)).toMatchObject({ newest: '3.0.0' })
  })

  it('reads a URL, follows a redirect and prints no password', async () => {
    answer = (response) => {
      if (requestCount === 1) return response.writeHead(302, { location: '/elsewhere' }).end()
      return response.end('{"version":"93.0.0"}')
    }
    const withPassword = url.replace('//', '//me:hunter2@')
    const seen = await status(['--from', withPassword])
    expect(seen).toMatchObject({ newest: '93.0.0', updateAvailable: true, releases: url })
    expect(JSON.stringify(seen)).not.toContain('hunter2')
  })

  it.each([
    ['an error status', (r: ServerResponse) => r.writeHead(500).end(), /HTTP 500/],
    ['invalid JSON', (r: ServerResponse) => r.end('<html>'), /no release\.json/],
    ['a response of 1 MiB', (r: ServerResponse) => r.end('x'.repeat(1 << 20)), /too large/],
    [
      'a redirect loop',
      (r: ServerResponse) => r.writeHead(302, { location: '/' }).end(),
      /redirects/,
    ],
    ['a closed connection', (r: ServerResponse) => r.destroy(), /release\.json: /],
  ])('gives the reason when the server sends %s', async (_what, reply, words) => {
    answer = reply
    const seen = await status(['--from', url])
    expect(seen).toMatchObject({ newest: null, updateAvailable: null })
    expect(seen.reason).toMatch(words)
  })

  it('gives the reason when the folder is missing or has no release', async () => {
    expect((await status(['--from', 'nowhere'])).reason).toMatch(/nowhere: no such file or folder/)
    mkdirSync(path.join(project, 'empty'))
    expect((await status(['--from', 'empty'])).reason).toMatch(/no release in /)
  })

  it('prints a short table without --json', async () => {
    put('r/release.json', { version: '92.0.0' })
    const { stdout } = await runProgram('zcl', ['update', 'status', '--from', 'r'], {
      cwd: project,
    })
    expect(stdout).toMatch(/^current {3}\S+\nnewest {4}92\.0\.0\nreleases {2}r\nupdate {4}/)
  })
})
