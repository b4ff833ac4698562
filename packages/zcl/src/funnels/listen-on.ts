// Makes a server listen on an address.
import type { AddressInfo, Server } from 'node:net'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '../errors/errors.ts'
import type { ListenAddress } from './funnels.ts'

/** The bound address. Rejects with the reason when the address cannot be bound. */
export function listenOn(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    // Stays attached: a later error, such as a failed accept, must not end the proxy.
    server.on('error', (error) => {
      const address = `${host}:${port}`
      reject(zclError('ZCL_E_IO', `cannot listen on ${address}: ${reasonOf(error)}`, error))
    })
    server.listen({ host, port }, () => resolve(server.address() as AddressInfo))
  })
}
