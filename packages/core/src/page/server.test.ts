import http from 'node:http'
import { once } from 'node:events'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { servePage, type PageServer } from './server.ts'

const viewer =
  `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">` +
  '@@zee:title@@ @@zee:data@@ @@zee:parts@@'

let server: PageServer | undefined
afterEach(() => server?.close())

/** The current data of the page, or an error for reading it. */
let shown: number | Error

async function serve(): Promise<string> {
  shown = 1
  const look = (): number => {
    if (shown instanceof Error) throw shown
    return shown
  }
  server = await servePage({
    viewer,
    read: async () => ({ title: 'A page', json: JSON.stringify(look()) }),
    fingerprint: () => String(look()),
  })
  return server.url
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const call = http.request(url, { method, headers })
  call.end()
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

describe('a served page', () => {
  it('has the current contents and a policy that allows its own server only', async () => {
    const url = await serve()
    const page = await get(url)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('A page 1') })
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'")
    shown = 2
    expect((await get(url)).text).toContain('A page 2')
    expect(JSON.parse((await get(`${url}data.json`)).text)).toEqual({ page: 2, parts: [] })
  })

  it('is served for its own host, its token and the methods GET and HEAD only', async () => {
    const url = await serve()
    const { port, origin } = new URL(url)
    expect((await get(url, { host: `evil.example:${port}` })).status).toBe(403)
    expect((await get(url, { host: `localhost:${port}` })).status).toBe(200)
    for (const other of [`${origin}/`, `${origin}/wrong/`, `${url}x`, `${url}events/x`]) {
      expect((await get(other)).status).toBe(404)
    }
    expect(await get(url, {}, 'POST')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
    expect(await get(url, {}, 'HEAD')).toMatchObject({ status: 200, text: '' })
  })

  it('is notified of changes, also while its contents cannot be read', async () => {
    const url = await serve()
    await get(url)
    const call = http.get(`${url}events`)
    const [events] = (await once(call, 'response')) as [http.IncomingMessage]
    events.setEncoding('utf8')
    let heard = ''
    events.on('data', (text: string) => (heard += text))
    const changes = async (count: number): Promise<void> => {
      while (heard.split('event: change').length <= count) await once(events, 'data')
    }
    shown = new Error('too many links')
    await changes(1)
    expect(await get(url)).toMatchObject({
      status: 500,
      text: 'cannot make the page: too many links\n',
    })
    shown = 3
    await changes(2)
    expect((await get(url)).text).toContain('A page 3')
    call.destroy()
  })

  it('answers every request with its headers and whole text', async () => {
    const url = await serve()
    const { port, origin, pathname } = new URL(url)
    const answer = async (target: string, headers = {}, method = 'GET') => {
      const { status, text, headers: got } = await get(target, headers, method)
      return [status, got['content-type'], got['content-security-policy'], text]
    }
    const strict = "default-src 'none'"
    const plain = 'text/plain; charset=utf-8'
    expect(pathname).toMatch(/^\/[\w-]{24}\/$/)
    expect(await answer(url)).toEqual([
      ...[200, 'text/html; charset=utf-8', "connect-src 'self'; frame-ancestors 'none'"],
      `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">A page 1 `,
    ])
    expect(await answer(`${url}data.json`)).toEqual([
      ...[200, 'application/json; charset=utf-8', strict, '{"page":1,"parts":[]}'],
    ])
    const nothing = [404, plain, strict, 'there is nothing here\n']
    for (const target of [`${origin}/`, `${origin}/x/`, `${url}x`, url.slice(0, -1), `${url}/`]) {
      expect(await answer(target)).toEqual(nothing)
    }
    expect(await answer(url, { host: `evil:${port}` })).toEqual([
      ...[403, plain, strict, 'open this page by its own address\n'],
    ])
    expect(await answer(url, {}, 'PUT')).toEqual([405, plain, strict, 'this page is read-only\n'])
    expect(await answer(`${url}data.json`, {}, 'HEAD')).toEqual([
      ...[200, 'application/json; charset=utf-8', strict, ''],
    ])
    expect(await answer(`${url}events`, {}, 'HEAD')).toEqual([
      ...[200, 'text/event-stream; charset=utf-8', strict, ''],
    ])
    expect((await get(url)).headers['cache-control']).toBe('no-store')
  })

  it('greets a listener, and reads its contents once per fingerprint', async () => {
    let reads = 0
    let print = 'a'
    server = await servePage({
      viewer,
      read: async () => {
        reads += 1
        if (print === 'broken') throw new Error('no contents')
        return { title: 'T', json: String(reads) }
      },
      fingerprint: () => print,
    })
    const { url } = server
    const call = http.get(`${url}events`)
    const [events] = (await once(call, 'response')) as [http.IncomingMessage]
    const [hello] = (await once(events, 'data')) as [Buffer]
    expect(hello.toString()).toBe('retry: 1000\nevent: hello\ndata:\n\n')
    const page = async () => (await get(`${url}data.json`)).text
    expect([await page(), await page()]).toEqual(Array(2).fill('{"page":1,"parts":[]}'))
    print = 'b'
    expect(await page()).toBe('{"page":2,"parts":[]}')
    print = 'broken'
    const failure = 'cannot make the page: no contents\n'
    expect([await page(), await page(), reads]).toEqual([failure, failure, 4])
    const ended = once(events, 'end')
    await server.close()
    await ended
  })

  it('looks for changes only while it has a listener', async () => {
    const url = await serve()
    const [setting, clearing] = [
      vi.spyOn(globalThis, 'setInterval'),
      vi.spyOn(globalThis, 'clearInterval'),
    ]
    onTestFinished(() => {
      setting.mockRestore()
      clearing.mockRestore()
    })
    const cleared = () => clearing.mock.calls.filter(([timer]) => timer !== undefined).length
    const listen = async () => {
      const call = http.get(`${url}events`)
      call.on('error', () => {})
      await once(call, 'response')
      return call
    }
    const [one, other] = [await listen(), await listen()]
    expect(setting.mock.calls.map(([, ms]) => ms)).toEqual([500])
    one.destroy()
    // The answer comes after the end of the first listener.
    await get(url)
    await new Promise((resolve) => setImmediate(resolve))
    expect(cleared()).toBe(0)
    other.destroy()
    await vi.waitFor(() => expect(cleared()).toBe(1))
    const third = await listen()
    expect(setting).toHaveBeenCalledTimes(2)
    third.destroy()
    await vi.waitFor(() => expect(cleared()).toBe(2))
  })
})
