// `zcl trust`: records that the user trusts the zcl.config.json of the working folder, or takes it back.
import { readBoundedFile } from '@zee/core/bounded-file'
import { errnoOf, fileError, oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isTrusted, trust, trustedFiles, untrust } from '@zee/core/trust'
import { trustFolder } from '../config/config.ts'
import { zclError } from '../errors/errors.ts'
import { printLines } from '../output/output.ts'
import { projectConfigFile } from '../redaction/redaction.ts'

export interface TrustOptions {
  revoke: boolean
  list: boolean
}

export async function runTrust({ revoke, list }: TrustOptions, host: Host): Promise<number> {
  const folder = trustFolder(host)
  if (folder === undefined)
    throw zclError('ZCL_E_USAGE', 'trust is recorded in HOME, which is not set')
  if (list) {
    printLines(
      host,
      trustedFiles(folder).map(({ path, ts }) => `${oneLine(path)}  ${ts}`),
    )
    return 0
  }
  const file = projectConfigFile(host)
  if (revoke) {
    const wasTrusted = await untrust(folder, file)
    printLines(host, [`${wasTrusted ? 'No longer trusted' : 'Not trusted'}: ${oneLine(file)}`])
    return 0
  }
  const content = readConfig(file)
  if (await isTrusted(folder, file, content)) {
    printLines(host, [`Already trusted: ${oneLine(file)}`])
    return 0
  }
  await trust(folder, file, content, host.clock)
  printLines(host, [`Trusted ${oneLine(file)}`])
  return 0
}

function readConfig(file: string): Uint8Array {
  try {
    return readBoundedFile(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') {
      throw zclError('ZCL_E_USAGE', `there is no ${oneLine(file)}`)
    }
    throw fileError('read', file, error)
  }
}
