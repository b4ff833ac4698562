import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openDatabase } from './database.ts'

const ready = 'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I'
/** Announces a row description of 2 GiB. */
const endless = 'T\x7f\xff\xff\xff\0\x01'

let server: net.Server
afterEach(() => server.close())

/** Starts a server that answers a query with these bytes and then with zeros until the client leaves. */
async function serve(answer: string): Promise<{ url: string; sentBytes: () => number }> {
  let sent = 0
  server = net.createServer((socket) => {
    const zeros = Buffer.alloc(1 << 16)
    const flood = () => {
      while (socket.writable && socket.write(zeros)) sent += zeros.length
      socket.once('drain', flood)
    }
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(ready, 'latin1')
      socket.once('data', () => {
        socket.write(answer, 'latin1')
        flood()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  return { url: `postgresql://zeno@127.0.0.1:${port}/code`, sentBytes: () => sent }
}

it('a connection to PostgreSQL ends when a message of the server exceeds 72 MiB', async () => {
  const { url, sentBytes } = await serve(endless)
  const database = openDatabase(url, { timeoutMs: 20_000 })
  await expect(database.query('select 1')).rejects.toThrow(
    /^127\.0\.0\.1:\d+\/code: the server sent a message of more than 72 MiB$/,
  )
  expect(sentBytes()).toBeLessThan(128 << 20)
  await database.close()
})
