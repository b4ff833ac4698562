// `zcl view --serve` and `zeno view --serve`: a live page on loopback.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, renameSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { cleanEnvironment, Project, type StartedAttempt } from '../zcl/project.ts'
import { readPage } from './page-file.ts'

const project = new Project()
let attempt: StartedAttempt
beforeAll(async () => {
  attempt = await project.complete()
})
afterAll(() => project.remove())

const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  running.clear()
})

interface Served {
  url: URL
  child: ChildProcess
  ended: Promise<number | null>
}

async function serve(
  args = ['view', '--serve', attempt.folder],
  program: 'zcl' | 'zeno' = 'zcl',
): Promise<Served> {
  const env = { ...cleanEnvironment(), HOME: project.home }
  const child = spawn(builtProgram(program), args, { cwd: project.folder, env, stdio: 'pipe' })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  const [url = ''] = /http:[^\s"]+/.exec(String(chunk)) ?? []
  return { url: new URL(url), child, ended }
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

function ask(url: URL | string, options: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host }
    const asked = request(
      url,
      { method: options.method ?? 'GET', headers, agent: false },
      (got) => {
        const body: Buffer[] = []
        got.on('data', (chunk: Buffer) => body.push(chunk))
        got.on('end', () => {
          const { statusCode: status = 0, headers } = got
          resolve({ status, headers, body: Buffer.concat(body).toString() })
        })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

/** Sends the path unchanged; an HTTP client would normalize it. */
function askRaw({ port, host }: URL, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => (got += String(chunk)))
    socket.on('end', () => resolve(got))
    socket.on('error', reject)
    socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  })
}

describe('a served page', () => {
  it('has a loopback address with a long random token', async () => {
    const [one, two] = [await serve(), await serve()]
    expect(one.url.hostname).toBe('127.0.0.1')
    expect(one.url.pathname).toMatch(/^\/[\w-]{24}\/$/)
    expect(one.url.pathname).not.toBe(two.url.pathname)
  })

  it('has a strict CSP and cannot be framed, cached or sniffed', async () => {
    const { url } = await serve()
    const { status, headers, body } = await ask(url)
    expect(status).toBe(200)
    expect(readPage(body).data.kind).toBe('attempt')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('rejects other Host headers (DNS rebinding)', async () => {
    const { url } = await serve()
    for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1', '127.0.0.1:1']) {
      expect((await ask(url, { host })).status, host).toBe(403)
    }
    expect((await ask(url, { host: `localhost:${url.port}` })).status).toBe(200)
  })

  it('answers 404 without its token', async () => {
    const { url } = await serve()
    for (const place of ['/', '/x/', '/data.json', `${url.pathname.slice(0, -2)}/`]) {
      const { status, body } = await ask(new URL(place, url))
      expect(status, place).toBe(404)
      expect(body).toBe('there is nothing here\n')
    }
  })

  it('serves no other file and no parent folder', async () => {
    const { url } = await serve()
    const token = url.pathname
    const places = [
      'attempt.json',
      '../',
      '../../etc/passwd',
      '%2e%2e/%2e%2e/etc/passwd',
      './x',
      '/',
    ]
    for (const place of places) {
      expect(await askRaw(url, `${token}${place}`), place).toMatch(/^HTTP\/1\.1 404 /)
    }
  })

  it('rejects methods other than GET and HEAD', async () => {
    const { url } = await serve()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await ask(url, { method })).status, method).toBe(405)
    }
    const head = await ask(url, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '' })
  })

  it('reports a new call as a change event and includes it in its data', async () => {
    const { url } = await serve()
    let ended: Promise<unknown> | undefined
    const heard = new Promise<void>((resolve, reject) => {
      const asked = request(new URL('events', url), { agent: false }, (got) => {
        let text = ''
        got.on('data', (chunk) => {
          if (text === '') ended = project.run(attempt, ['echo', 'news'])
          text += String(chunk)
          if (!text.includes('event: change')) return
          got.destroy()
          resolve()
        })
      })
      asked.on('error', reject)
      asked.end()
    })
    await ask(url)
    await heard
    // The first event may be the start of the call.
    await ended
    const { body } = await ask(new URL('data.json', url))
    expect(body).toContain('"title":"echo news"')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('exits 0 on %s', async (signal) => {
    const { url, child, ended } = await serve()
    await ask(url)
    child.kill(signal)
    expect(await ended).toBe(0)
  })

  it('prints its address as JSON with --json', async () => {
    const { url } = await serve(['view', '--serve', '--json', attempt.runFolder])
    expect((await ask(url)).status).toBe(200)
  })

  it('shows a zeno trace and follows it', async () => {
    const event = { ts: '2026-01-01T00:00:00Z', event: 'request', id: '1', op: 'summary', args: {} }
    const log = project.write('trace.jsonl', `${JSON.stringify(event)}\n`)
    const { url } = await serve(['view', '--log', log, '--serve'], 'zeno')
    expect(readPage((await ask(url)).body).data.kind).toBe('trajectory')
    appendFileSync(log, `${JSON.stringify({ ...event, id: '2', op: 'peek' })}\n`)
    expect((await ask(new URL('data.json', url))).body).toContain('"name":"peek"')
  })

  it('survives the removal of its files and shows them again after they return', async () => {
    const gone = await project.complete()
    const { url } = await serve(['view', '--serve', gone.runFolder])
    renameSync(gone.runFolder, `${gone.runFolder}.moved`)
    expect((await ask(url)).status).toBeLessThan(600)
    renameSync(`${gone.runFolder}.moved`, gone.runFolder)
    expect((await ask(url)).body).toContain(gone.attemptId)
  })
})
