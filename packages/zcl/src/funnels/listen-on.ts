// Opens a server at the address that a command line names, or says why it cannot be.
import type { AddressInfo, Server } from 'node:net'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '../errors/errors.ts'
import type { ListenAddress } from './funnels.ts'

export function listenOn(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    // Also afterwards: a connection that could not be taken is no reason to end.
    server.on('error', (error) => {
      const place = `${host}:${port}`
      reject(zclError('ZCL_E_IO', `cannot listen on ${place}: ${reasonOf(error)}`, error))
    })
    server.listen({ host, port }, () => resolve(server.address() as AddressInfo))
  })
}
