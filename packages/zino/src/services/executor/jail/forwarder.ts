// A Node.js program inside the jail: passes connections to the proxy's port on to the Unix socket of the
// proxy outside. Ports of this machine that are allowed by number are offered as they are.
// Arguments: the socket, then `host:port` of each offered port. Prints its own port and closes stdout.

export const forwarderScript = `
const net = require('net'), fs = require('fs')
const [socket, ...offered] = process.argv.slice(1)
const join = (a, b) => {
  a.pipe(b)
  b.pipe(a)
  a.on('error', () => b.destroy()).on('close', () => b.destroy())
  b.on('error', () => a.destroy()).on('close', () => a.destroy())
}
const open = () => net.connect({ path: socket, allowHalfOpen: true })
const options = { allowHalfOpen: true }
const offer = (target) => {
  const server = net.createServer(options, (client) => {
    client.pause().on('error', () => {})
    const tunnel = open().on('error', () => client.destroy())
    tunnel.write('CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\n')
    tunnel.once('data', (head) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) return client.destroy()
      const rest = head.subarray(head.indexOf('\\r\\n\\r\\n') + 4)
      if (rest.length > 0) client.write(rest)
      join(client, tunnel)
    })
  })
  return new Promise((done) => {
    server.on('error', done).listen(Number(target.split(':').pop()), '127.0.0.1', done)
  })
}
const proxy = net.createServer(options, (client) => join(client, open()))
Promise.all(offered.map(offer)).then(() => {
  proxy.listen(0, '127.0.0.1', () => {
    fs.writeSync(1, String(proxy.address().port))
    fs.closeSync(1)
    // Node uses descriptor 1 later: it must not be a socket.
    fs.openSync('/dev/null', 'w')
  })
})
`
