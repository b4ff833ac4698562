import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'
import { Slots } from './limits.ts'
import { userOfClient } from './same-user.ts'

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
    '   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2',
  ].join('\n')

  it('is the owner of the end whose local port is the client port', () => {
    expect(userOfClient(table, 0xc350, 0x1f90)).toBe(1001)
    expect(userOfClient(table, 0xc351, 0x1f90)).toBeUndefined()
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
    expect(await slots.run(async () => 5)).toBe(5)
  })
})
