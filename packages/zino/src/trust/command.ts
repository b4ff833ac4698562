// `zino trust`: records that the user trusts a configuration in a working directory, by its hash.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { trust, untrust } from '@zee/core/trust'
import { readContent, userFolder } from '../config/config.ts'

export interface TrustCall {
  file: string | undefined
  remove: boolean
}

export async function runTrust(call: TrustCall, host: Host): Promise<number> {
  const folder = userFolder(host.env)
  if (folder === undefined) {
    throw new ZeeError('no_home', 'there is no place for the record: set HOME or XDG_CONFIG_HOME')
  }
  const file = path.resolve(host.cwd, call.file ?? 'ZINO.toml')
  if (call.remove) {
    const wasTrusted = await untrust(folder, file)
    host.stdout.write(wasTrusted ? `${file} is no longer trusted\n` : `${file} was not trusted\n`)
    return 0
  }
  await trust(folder, file, readContent(file), host.clock)
  host.stdout.write(`${file} is trusted until it changes\n`)
  return 0
}
