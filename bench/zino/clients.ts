// The two compared clients: one calls the model directly, the other calls zino.
import http from 'node:http'
import { createConnection } from 'node:net'

export interface Answered {
  firstMs: number
}

const agent = new http.Agent({ keepAlive: true })

export function askDirectly(url: string, message: string): Promise<Answered> {
  const messages = [{ role: 'user', content: message }]
  const body = JSON.stringify({ model: 'm', messages, temperature: 0.7, top_p: 1, stream: true })
  const headers = { 'content-type': 'application/json' }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/chat/completions`, { method: 'POST', agent, headers })
    request.on('error', reject)
    request.on('response', (response) => {
      let firstMs = 0
      response.on('data', () => (firstMs ||= performance.now() - began))
      response.on('end', () => resolve({ firstMs }))
      response.on('error', reject)
    })
    request.end(body)
  })
}

export function askZino(socketPath: string, message: string): Promise<Answered> {
  const body = Buffer.from(JSON.stringify({ message, stream: true }))
  const header = Buffer.alloc(4)
  header.writeUInt32BE(body.length)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path: socketPath })
    let firstMs = 0
    let rest = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (piece) => {
      firstMs ||= performance.now() - began
      rest = Buffer.concat([rest, piece])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const end = 4 + rest.readUInt32BE(0)
        const packet = JSON.parse(rest.toString('utf8', 4, end)) as { type: string }
        rest = rest.subarray(end)
        if (packet.type === 'chunk') continue
        socket.destroy()
        if (packet.type === 'done') resolve({ firstMs })
        else reject(new Error(JSON.stringify(packet)))
      }
    })
    socket.write(Buffer.concat([header, body]))
  })
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
