// `zdx trust`: records that the user trusts the configuration of this project, or takes that back.
import { projectRoot } from '@zee/agent/project'
import type { Call } from '@zee/core/command-line'
import { oneLine, ZeeError } from '@zee/core/errors'
import { isTrusted, trust, trustedFiles, untrust } from '@zee/core/trust'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import {
  baseFolder,
  projectConfigPath,
  readProjectConfig,
  workingFolder,
} from '../settings/settings.ts'

export interface TrustCall extends Pick<Call, 'host'> {
  globals: Globals
  options: { revoke: boolean; list: boolean }
}

export async function runTrust({ host, globals, options }: TrustCall): Promise<number> {
  const base = baseFolder(host.env, host.cwd)
  if (options.list) {
    const files = trustedFiles(base)
    host.stdout.write(files.map(({ path, ts }) => `${oneLine(path)}  ${ts}\n`).join(''))
    return 0
  }
  const file = projectConfigPath(projectRoot(workingFolder(host, globals)))
  if (options.revoke) {
    const wasTrusted = await untrust(base, file)
    host.stdout.write(`${wasTrusted ? 'No longer trusted' : 'Not trusted'}: ${oneLine(file)}\n`)
    return 0
  }
  const config = await withErrorContext('trust', () => readProjectConfig(file))
  if (config === undefined) {
    throw new ZeeError('no_project_config', `this project has no ${oneLine(file)}`)
  }
  if (await isTrusted(base, file, config.bytes)) {
    host.stdout.write(`Already trusted: ${oneLine(file)}\n`)
    return 0
  }
  await withErrorContext('trust', () => trust(base, file, config.bytes, host.clock))
  const keys = config.sensitiveKeys.join(', ')
  const effect = keys === '' ? '' : ` (it sets ${keys})`
  host.stdout.write(`Trusted ${oneLine(file)}${effect}\n`)
  return 0
}
