// Listens, prints its port and stops itself (SIGSTOP). Once the backlog of the kernel is full, a
// further connection is never established.
import { createServer, type AddressInfo } from 'node:net'

const server = createServer()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`, () => {
    process.kill(process.pid, 'SIGSTOP')
  })
})
