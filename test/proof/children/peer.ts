// A hostile peer: `peer MODE BEHAVIOUR PROTOCOL LOG [more]`. It appends one JSON line per event to the log,
// because its standard output may be the connection.
//   stdio                    its own standard input and output are the wire
//   listen                   each TCP connection is a wire
//   connect ADDRESS [TOKEN]  one connection to a port or to the path of a socket
//   host COMMAND...          starts the program; its standard input and output are the wire
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { behaviours, type Behaviour } from '../peers/behaviours.ts'
import { protocols, type Protocol, type ProtocolName } from '../peers/protocols.ts'

const [mode = '', behaviour = '', protocolName = '', log = '', ...more] = process.argv.slice(2)
const protocol: Protocol = protocols[protocolName as ProtocolName]

const modes: Record<string, () => void> = {
  stdio: () => act(process.stdin, process.stdout, protocol),
  listen: () => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      if (behaviour === 'never reads') act(socket.pause(), socket, protocol)
      else socket.once('data', () => act(socket, socket, protocol))
      socket.on('error', () => {})
    })
    server.listen(0, '127.0.0.1', () => note({ port: (server.address() as AddressInfo).port }))
  },
  connect: () => {
    const [address = '', token = ''] = more
    const place = /^\d+$/.test(address) ? { port: Number(address) } : { path: address }
    const socket = net.connect({ host: '127.0.0.1', ...place, allowHalfOpen: true })
    socket.on('connect', () => act(socket, socket, withToken(token)))
    // The program may close the connection: that is one way to defend itself.
    setInterval(() => {}, 60_000)
  },
  host: () => {
    const [program = '', ...args] = more
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    note({ pid: child.pid })
    child.on('exit', (code, signal) => note({ code, signal }))
    act(child.stdout, child.stdin, protocol)
  },
}

modes[mode]?.()

function act(input: Readable, output: Writable, spoken: Protocol): void {
  input.on('error', () => {})
  output.on('error', () => {})
  behaviours[behaviour as Behaviour]({ input, output }, spoken)
  // Node ends a process whose standard input is not read and that waits for nothing.
  setInterval(() => {}, 60_000)
  note({ engaged: true })
}

function withToken(token: string): Protocol {
  const entries = Object.entries(protocol).map(([key, text]) => [
    key,
    text.replaceAll('{token}', token),
  ])
  return Object.fromEntries(entries) as unknown as Protocol
}

function note(event: object): void {
  appendFileSync(log, `${JSON.stringify(event)}\n`)
}
