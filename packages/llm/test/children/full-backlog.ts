// Listens, says where, and falls asleep: connections queue up in the system until it takes no more, and
// the next one waits for an answer that does not come.
import { createServer, type AddressInfo } from 'node:net'

const server = createServer()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`, () => {
    process.kill(process.pid, 'SIGSTOP')
  })
})
