// `zee ui`: the server of the dashboard, its safety and its data.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { ZeeSandbox } from './sandbox.ts'

const box = new ZeeSandbox()
let child: ChildProcess
let url: URL

beforeAll(async () => {
  await box.answer('round the prices', 'They are rounded now.')
  await box.attempt(['sh', '-c', 'exit 3'])
  child = spawn(builtProgram('zee'), ['ui', '--no-open'], {
    cwd: box.project,
    env: { ...process.env, ...box.env },
  })
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  url = new URL(/http:\S+/.exec(String(chunk))?.[0] ?? '')
}, 60_000)

afterAll(async () => {
  child.kill('SIGINT')
  const [code] = (await once(child, 'close')) as [number]
  box.remove()
  expect(code).toBe(0)
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

interface AskOptions {
  method?: string
  headers?: Record<string, string>
  body?: object
}

function ask(place: string, options: AskOptions = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const asked = request(new URL(place, url), { method, headers, agent: false }, (got) => {
      const pieces: Buffer[] = []
      got.on('data', (piece: Buffer) => pieces.push(piece))
      got.on('end', () =>
        resolve({
          status: got.statusCode ?? 0,
          headers: got.headers,
          body: Buffer.concat(pieces).toString(),
        }),
      )
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const json = async (place: string) => JSON.parse((await ask(place)).body) as Record<string, unknown>

interface Rows {
  sessions: { id: string; title: string; details?: { calls: number } }[]
  runs: { key: string; suiteId: string; details?: object }[]
  pending: number
  version: number
}

async function rows(): Promise<Rows> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const answer = (await json('api/rows?since=0')) as unknown as Rows
    const all = [...answer.sessions, ...answer.runs]
    if (all.length > 1 && all.every(({ details }) => details !== undefined)) return answer
    if (Date.now() > deadline) throw new Error(`no rows: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('the address is on the loopback interface and contains a random token', () => {
  expect(url.hostname).toBe('127.0.0.1')
  expect(url.pathname).toMatch(/^\/[\w-]{24}\/$/)
})

test('the page allows no inline code and no other origin', async () => {
  const { status, headers, body } = await ask('')
  expect(status).toBe(200)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(body).not.toMatch(/<script(?! src=)|<style|\son\w+=/)
  expect((await ask('app.js')).headers['content-type']).toContain('text/javascript')
})

test('requests without the token, for other hosts or from other origins are refused', async () => {
  const last = url.pathname.at(-2)
  const wrong = `${url.pathname.slice(0, -2)}${last === 'x' ? 'y' : 'x'}/api/rows`
  for (const place of ['/', '/x/', '/api/rows', wrong]) {
    expect((await ask(place)).status, place).toBe(404)
  }
  expect((await ask('', { headers: { host: 'evil.example' } })).status).toBe(403)
  const origin = { origin: 'http://evil.example' }
  expect((await ask('api/rows', { headers: origin })).status).toBe(403)
  const post = { method: 'POST', headers: { ...origin, 'content-type': 'application/json' } }
  expect((await ask('api/action', { ...post, body: { action: 'stop', id: 'zino' } })).status).toBe(
    403,
  )
})

test('the address without its last slash leads to the page', async () => {
  const short = url.pathname.slice(0, -1)
  const { status, headers } = await ask(short)
  expect([status, headers.location]).toEqual([308, url.pathname])
  expect((await ask(`${short.slice(0, -1)}`)).status).toBe(404)
})

test('only the action address accepts a POST, and only as JSON', async () => {
  expect((await ask('api/rows', { method: 'POST' })).status).toBe(405)
  expect((await ask('', { method: 'PUT' })).status).toBe(405)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask('api/action', { method: 'POST', headers: form })).status).toBe(415)
})

test('no address leads to a file', async () => {
  const { runs } = await rows()
  const attempt = `page/attempt/${runs[0]?.key}`
  const places = ['package.json', 'ui/app.js', '..%2fcommands.cjs', 'page/session/..%2f..%2fetc']
  const encoded = ['%252e%252e%252fetc', '..%5c..%5cetc', 'app.js%00.html', '__proto__', '%']
  const pages = ['page/run/%2fetc', 'page/trace/%2fetc%2fpasswd', `${attempt}/..%2f..`]
  for (const place of [...places, ...encoded, ...pages, `${attempt}/%2e%2e%2fattempt.json`]) {
    expect((await ask(place)).status, place).toBe(404)
  }
})

/** The status line of the answer to bytes that no HTTP client would send. */
async function askRaw(head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1')
  let text = ''
  socket.on('data', (piece) => (text += String(piece)))
  socket.write(`${[...head, 'Connection: close', '', ''].join('\r\n')}${body}`)
  await once(socket, 'close')
  return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
}

test('names of other hosts, ports and rebound addresses are refused, with and without HTTP/1.1', async () => {
  const { port, pathname } = url
  const get = `GET ${pathname} HTTP/1.1`
  const own = `Host: 127.0.0.1:${port}`
  for (const name of [own, `Host: localhost:${port}`, `Host: [::1]:${port}`]) {
    expect(await askRaw([get, name]), name).toBe('200')
  }
  const names = ['evil.example', '127.0.0.1.evil.example', '0.0.0.0', '2130706433', 'localhost.']
  for (const name of [...names, 'x@127.0.0.1']) {
    expect(await askRaw([get, `Host: ${name}:${port}`]), name).toBe('403')
  }
  expect(await askRaw([get, 'Host: 127.0.0.1'])).toBe('403')
  expect(await askRaw([get, 'Host: 127.0.0.1:1'])).toBe('403')
  expect(await askRaw([get, own, 'Host: evil.example'])).toBe('403')
  expect(await askRaw([`GET ${pathname} HTTP/1.0`])).toBe('403')
  expect(await askRaw([`GET http://evil.example${pathname} HTTP/1.1`, own])).toBe('400')
})

test('preflights, upgrades, large headers and smuggled bodies are refused', async () => {
  const { port, pathname, origin } = url
  const own = `Host: 127.0.0.1:${port}`
  const wanted = 'Access-Control-Request-Method: POST'
  const action = `${pathname}api/action HTTP/1.1`
  expect(await askRaw([`OPTIONS ${action}`, own, 'Origin: http://evil.example', wanted])).toBe(
    '403',
  )
  expect(await askRaw([`OPTIONS ${action}`, own, `Origin: ${origin}`, wanted])).toBe('405')
  for (const from of ['null', 'file://', 'http://localhost:1', '']) {
    expect(await askRaw([`GET ${pathname} HTTP/1.1`, own, `Origin: ${from}`]), from).toBe('403')
  }
  expect(await askRaw([`TRACE ${pathname} HTTP/1.1`, own])).toBe('405')
  expect(await askRaw([`GET ${pathname}${'a'.repeat(20_000)} HTTP/1.1`, own])).toBe('431')
  const both = ['Content-Length: 5', 'Transfer-Encoding: chunked', 'Content-Type: application/json']
  expect(await askRaw([`POST ${action}`, own, ...both], '0\r\n\r\n')).toBe('400')
  const large = ['Content-Type: application/json', 'Content-Length: 99999999']
  expect(await askRaw([`POST ${action}`, own, ...large], '{}')).toBe('413')
})

test('a request without a valid code of a question changes nothing', async () => {
  const { sessions } = await rows()
  const id = sessions[0]?.id
  for (const confirm of [true, ['x'], { toString: 'x' }, '', 'x', '__proto__', 'constructor']) {
    const { body } = await ask('api/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { action: 'undo', id, confirm },
    })
    expect(Object.keys(JSON.parse(body) as object)).not.toContain('result')
  }
})

test('rows list sessions and runs with their details, and later only what changed', async () => {
  const all = await rows()
  expect(all.sessions).toMatchObject([
    { title: 'round the prices', details: { calls: 0, failures: 0 } },
  ])
  expect(all.runs).toMatchObject([{ suiteId: 'shop', details: { attempts: 1, missing: 1 } }])
  expect(await json(`api/rows?since=${all.version}`)).toMatchObject({ sessions: [], runs: [] })
})

test('rows open the pages that the programs make', async () => {
  const { sessions, runs } = await rows()
  for (const place of [`session/${sessions[0]?.id}`, `run/${runs[0]?.key}`]) {
    const page = await ask(`page/${place}`)
    expect(page.status, page.body.slice(0, 200)).toBe(200)
    expect(page.body).toContain('id="zee-data"')
    expect(page.headers['content-security-policy']).toContain("connect-src 'none'")
  }
}, 60_000)

/** The server looks for new records only while a dashboard listens. */
function openEvents(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(new URL('events', url), { agent: false }, resolve).on('error', reject).end()
  })
}

test('the address of the page of a trace stays the same when a newer trace appears', async () => {
  const keys = async (count: number) => {
    let found: string[] = []
    const read = async () => {
      const { traces } = (await json('api/rows?since=0')) as { traces: { key: string }[] }
      found = traces.map(({ key }) => key)
      return found.length
    }
    await expect.poll(read, { timeout: 30_000 }).toBe(count)
    return found
  }
  const trace = (name: string) =>
    box.run('zeno', ['send', '--root', '.', '--log', `${name}.jsonl`, '--op', 'list_files'])
  const events = await openEvents()
  await trace('reading')
  const [first = ''] = await keys(1)
  await trace('later')
  expect(await keys(2)).toContain(first)
  expect((await ask(`page/trace/${first}`)).status).toBe(200)
  events.destroy()
}, 60_000)

test('an action is done only after its question was confirmed, and once', async () => {
  const post = (body: object) =>
    ask('api/action', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { sessions } = await rows()
  const asked = JSON.parse((await post({ action: 'undo', id: sessions[0]?.id })).body) as {
    question: string
    confirm: string
  }
  expect(asked.question).toContain('round the prices')
  const undo = path.join(box.base, 'home/.config/zdx/undo')
  expect(existsSync(undo) ? readdirSync(undo) : []).toEqual([])
  const done = JSON.parse((await post({ confirm: asked.confirm })).body) as { problem?: string }
  expect(done.problem).toMatch(/undo/)
  const again = JSON.parse((await post({ confirm: asked.confirm })).body) as { problem?: string }
  expect(again.problem).toBe('the question is too old: ask again')
  for (const body of [{ action: 'delete', id: 'x' }, { action: 'approve', id: '--deny' }, {}]) {
    expect(JSON.parse((await post(body)).body)).toEqual({ problem: 'there is no such action' })
  }
}, 60_000)

test('an open dashboard receives an event for a new session', async () => {
  const events = await openEvents()
  let text = ''
  events.on('data', (chunk) => (text += String(chunk)))
  const before = (await rows()).version
  await box.answer('a second question', 'An answer.')
  // The first event may come before the prompt is written.
  const titles = async () =>
    ((await json(`api/rows?since=${before}`)) as unknown as Rows).sessions.map(({ title }) => title)
  await expect.poll(() => /event: change/.test(text), { timeout: 30_000 }).toBe(true)
  await expect.poll(titles, { timeout: 30_000 }).toContain('a second question')
  events.destroy()
}, 60_000)

test('the place now names a session as open while its process lives', async () => {
  const play = path.join(box.base, 'slow.jsonl')
  writeFileSync(play, JSON.stringify({ text: 'Later.', delay_ms: 600_000 }))
  const args = ['--provider', 'script', '--model', play, 'exec', '-p', 'wait']
  const env = { ...process.env, ...box.env }
  const talk = spawn(builtProgram('zdx'), args, { cwd: box.project, env, stdio: 'ignore' })
  const open = async () => ((await json('api/now')) as { openSessions: string[] }).openSessions
  const until = async (count: number) => {
    const deadline = Date.now() + 30_000
    for (;;) {
      const ids = await open()
      if (ids.length === count) return ids
      if (Date.now() > deadline) throw new Error(`open: ${ids.join(' ')}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const [id] = await until(1)
  expect(id).toMatch(/^[\da-f-]{36}$/)
  talk.kill('SIGKILL')
  await until(0)
}, 60_000)

test('usage and memory answer, and say what is missing', async () => {
  expect(await json('api/usage')).toMatchObject({
    rows: [{ program: 'zdx', inputTokens: 2400, requests: 2, unpriced: 2 }],
  })
  expect(await json('api/memory?q=x%00y')).toMatchObject({
    rows: [],
    problem: expect.stringMatching(/^zino is not (set up|running)/),
  })
}, 60_000)
