import http from 'node:http'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
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
})
