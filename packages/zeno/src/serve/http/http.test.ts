import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'
import { Slots } from './limits.ts'
import { addressOf, ConnectionUsers, userOfClient } from './same-user.ts'

describe('parseAddress', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['localhost:80', { host: 'localhost', port: 80 }],
    ['9000', { host: '127.0.0.1', port: 9000 }],
  ])('reads %s', (text, address) => expect(parseAddress(text)).toEqual(address))

  it.each(['', 'example.org:80', '127.0.0.1', '127.0.0.1:70000', 'http://127.0.0.1:1', '::1:80'])(
    'rejects %j',
    (text) => expect(() => parseAddress(text)).toThrow('is not an address'),
  )
})

describe('userOfClient', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 1',
    '   1: 0200007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 2',
    '   2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 3',
  ].join('\n')
  const user = (address: string, port: number): number | undefined =>
    userOfClient(table, addressOf(address, port) ?? '', addressOf('127.0.0.1', 0x1f90) ?? '')

  it('is the owner of the end whose local address and port are those of the client', () => {
    expect(user('127.0.0.1', 0xc350)).toBe(1001)
    expect(user('127.0.0.2', 0xc350)).toBe(1002)
    expect(user('127.0.0.3', 0xc350)).toBeUndefined()
    expect(user('127.0.0.1', 0xc351)).toBeUndefined()
  })

  it.each([
    ['127.0.0.1', '0100007F:0050'],
    ['::ffff:127.0.0.1', '0100007F:0050'],
    ['::1', '00000000000000000000000001000000:0050'],
    ['2001:db8::a:b', 'B80D012000000000000000000B000A00:0050'],
    ['example', undefined],
  ])('finds %s as the kernel writes it', (address, text) => {
    expect(addressOf(address, 80)).toBe(text)
  })
})

describe('the users of connections', () => {
  it('are found for connections from this process', async () => {
    const users = new ConnectionUsers()
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    for (let connection = 0; connection < 3; connection++) {
      const accepted = once(server, 'connection') as Promise<[net.Socket]>
      const client = net.connect(port, '127.0.0.1')
      const [socket] = await accepted
      users.accept(socket)
      expect(users.isSameUser(socket)).toBe(true)
      client.destroy()
      socket.destroy()
    }
    server.close()
  })
})

describe('the slots of a client', () => {
  it('run a number of requests at a time, the others in order, and are full with too many', async () => {
    const slots = new Slots(1)
    const order: number[] = []
    let finish = (): void => {}
    const first = slots.run(() => new Promise<void>((resolve) => (finish = resolve)))
    const others = Array.from({ length: 64 }, (_, n) => slots.run(async () => void order.push(n)))
    expect(slots.isFull).toBe(true)
    expect(order).toEqual([])
    finish()
    await Promise.all([first, ...others])
    expect(order).toEqual(Array.from({ length: 64 }, (_, n) => n))
    expect(slots.isFull).toBe(false)
    await expect(slots.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await slots.run(async () => {})).toBe(true)
  })

  it('refuse a request whose turn does not come in time, and run the next', async () => {
    const slots = new Slots(1, 1)
    let finish = (): void => {}
    const first = slots.run(() => new Promise<void>((resolve) => (finish = resolve)))
    let hasRun = false
    expect(await slots.run(async () => void (hasRun = true))).toBe(false)
    expect(hasRun).toBe(false)
    finish()
    expect(await first).toBe(true)
    expect(await slots.run(async () => void (hasRun = true))).toBe(true)
    expect(hasRun).toBe(true)
  })
})
