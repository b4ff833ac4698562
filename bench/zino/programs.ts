// Sources of small programs that run in separate `node` processes.

/**
 * A model that answers with two chunks; a request for "chunks N GAP" gets N chunks, GAP
 * milliseconds apart.
 */
export const modelSource = `
const chunk = (delta, reason) => 'data: ' + JSON.stringify({
  id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm',
  choices: [{ index: 0, delta, finish_reason: reason }],
}) + '\\n\\n'
const end = chunk({}, 'stop') + 'data: [DONE]\\n\\n'
const server = require('node:http').createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => (body += piece))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const requested = /chunks (\\d+) ([\\d.]+)/.exec(body)
    const count = Number(requested?.[1] ?? 2)
    const gap = Number(requested?.[2] ?? 0)
    const began = performance.now()
    let sent = 0
    const step = () => {
      if (sent === count) return response.end(end)
      sent += 1
      response.write(chunk({ content: 'token ' }, null))
      const wait = gap * sent - (performance.now() - began)
      if (gap === 0) setImmediate(step)
      else setTimeout(step, Math.max(0, wait))
    }
    step()
  })
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/v1'))
`

/** Copies chunks from a source process to a sink process; starts both. */
export const relaySource = `
const net = require('node:net')
const { spawn } = require('node:child_process')
const [, self, count, gap, role, sockets] = process.argv
const frame = Buffer.from('\\0\\0\\0\\x20{"type":"chunk","delta":"token "}')
if (role === 'source') {
  const server = net.createServer((socket) => {
    const began = performance.now()
    let sent = 0
    const step = () => {
      if (sent === Number(count)) return socket.end()
      sent += 1
      socket.write(frame)
      setTimeout(step, Math.max(0, gap * sent - (performance.now() - began)))
    }
    step()
  })
  server.listen(sockets + '/source', () => console.log('ready'))
} else if (role === 'sink') {
  process.stdin.once('data', () => {
    net.connect(sockets + '/relay').on('data', () => {}).on('end', () => console.log('done'))
  })
  console.log('ready')
} else {
  const folder = require('node:fs').mkdtempSync(require('node:os').tmpdir() + '/zee-relay-')
  const start = (name) => spawn(process.execPath, [self, count, gap, name, folder])
  const source = start('source')
  const server = net.createServer((to) => {
    net.connect(folder + '/source').on('data', (piece) => to.write(piece)).on('end', () => to.end())
  })
  source.stdout.once('data', () => server.listen(folder + '/relay', () => {
    const sink = start('sink')
    sink.stdout.once('data', () => {
      console.log('ready')
      process.stdin.once('data', () => sink.stdin.write('go\\n'))
      sink.stdout.once('data', () => console.log('done'))
    })
    const end = () => {
      source.kill()
      sink.kill()
      require('node:fs').rmSync(folder, { recursive: true, force: true })
      process.exit()
    }
    process.on('SIGTERM', end)
  }))
}
`
