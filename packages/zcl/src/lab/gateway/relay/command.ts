// `zcl relay`: runs inside the network namespace of an attempt. It forwards loopback connections to the Unix
// sockets of a folder, on which the harness listens for its funnels. `8080.sock` is port 8080.
import { readdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { joinSockets } from '../join-sockets.ts'

/** Serves until a signal ends it, and creates the file `ready` when it listens on all ports. */
export async function runRelay(folder: string): Promise<never> {
  for (const name of readdirSync(folder)) {
    const port = /^(\d+)\.sock$/.exec(name)?.[1]
    if (port !== undefined) await listen(Number(port), path.join(folder, name))
  }
  writeFileSync(path.join(folder, 'ready'), '')
  return new Promise<never>(() => {})
}

function listen(port: number, target: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
    joinSockets(client, connect({ path: target, allowHalfOpen: true })),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port }, resolve)
  })
}
