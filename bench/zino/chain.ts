// The floor of a turn: five Node processes over Unix sockets in the order of zino's services. They neither record nor
// decide anything.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RunningProgram } from './running.ts'
import { startProgram } from './running.ts'

/**
 * One process of the chain: asks the socket `first`, then passes the request to `next`, a socket or the URL of the
 * model, and copies the answer back. `-` stands for none. Connections are opened in advance, as in zino.
 */
const linkSource = `
const net = require('node:net')
const http = require('node:http')
const [, , own, first, next] = process.argv
const agent = new http.Agent({ keepAlive: true })
const spares = new Map()
const frame = (packet) => {
  const body = Buffer.from(JSON.stringify(packet))
  const header = Buffer.alloc(4)
  header.writeUInt32BE(body.length)
  return Buffer.concat([header, body])
}
const connect = (socketPath) => {
  const spare = spares.get(socketPath)
  spares.delete(socketPath)
  return spare ?? net.connect(socketPath)
}
const openSpare = (socketPath) => {
  if (socketPath.startsWith('/') && !spares.has(socketPath)) spares.set(socketPath, net.connect(socketPath))
}
const askFirst = (request) => new Promise((resolve) => {
  const socket = connect(first)
  socket.once('data', (answer) => {
    socket.destroy()
    resolve(JSON.parse(answer.subarray(4)))
  })
  socket.write(frame(request))
})
const askModel = (message, client) => {
  const headers = { 'content-type': 'application/json' }
  const request = http.request(next + '/chat/completions', { method: 'POST', agent, headers }, (response) => {
    response.on('data', (piece) => client.write(frame({ type: 'chunk', delta: String(piece) })))
    response.on('end', () => client.write(frame({ type: 'done' })))
  })
  request.end(JSON.stringify({ messages: [message], stream: true }))
}
const server = net.createServer((client) => {
  client.on('error', () => {})
  client.once('data', async (piece) => {
    const request = JSON.parse(piece.subarray(4))
    if (first !== '-') await askFirst(request)
    if (next === '-') client.write(frame({ messages: [] }))
    else if (next.startsWith('http')) askModel(request, client)
    else {
      const service = connect(next)
      service.on('data', (answer) => client.write(answer))
      service.write(frame(request))
    }
    setTimeout(() => [first, next].forEach(openSpare), 5)
  })
})
server.listen(own, () => console.log('ready'))
`

/** Starts a model and a chain that calls it, and stops both afterwards. */
export async function withChain<Result>(
  scratch: string,
  work: (running: { model: string; daemon: string }) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-bz-'))
  const socketOf = (name: string) => path.join(folder, name)
  writeFileSync(path.join(scratch, 'link.cjs'), linkSource)
  const started: RunningProgram[] = []
  const start = async (file: string, ...args: string[]) => {
    const program = await startProgram(scratch, file, ...args)
    started.push(program)
    return program.line()
  }
  try {
    const model = await start('model.cjs')
    await start('link.cjs', socketOf('mem'), '-', '-')
    await start('link.cjs', socketOf('ctx'), socketOf('mem'), '-')
    await start('link.cjs', socketOf('rtr'), '-', model)
    await start('link.cjs', socketOf('agr'), '-', socketOf('rtr'))
    await start('link.cjs', socketOf('daemon'), socketOf('ctx'), socketOf('agr'))
    return await work({ model, daemon: socketOf('daemon') })
  } finally {
    for (const program of started) program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
