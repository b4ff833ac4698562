// `zdx config path|init|show`. Only `show` reads the configuration file.
import type { Call } from '@zee/core/command-line'
import { oneLine, ZeeError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { terminalSafeWriter } from '@zee/core/lossless'
import { baseFolder, configPath } from '../settings.ts'
import type { Globals } from '../../cli/cli.ts'
import { withErrorContext } from '../../errors/errors.ts'
import { inspectSettings } from '../settings.ts'

export async function runConfigPath({ host }: Pick<Call, 'host'>): Promise<number> {
  host.stdout.write(`${configPath(baseFolder(host.env, host.cwd))}\n`)
  return 0
}

export async function runConfigInit({ host }: Pick<Call, 'host'>): Promise<number> {
  const { configTemplate } = await import('@zee/core/config-template')
  const { zdxConfig } = await import('../schema.ts')
  const { createFileExclusive } = await import('@zee/core/atomic-file')
  const base = baseFolder(host.env, host.cwd)
  const file = configPath(base)
  await withErrorContext(`init config at ${file}`, async () => {
    ensureDurableFolder(base, 0o700)
    try {
      await createFileExclusive(file, configTemplate(zdxConfig), { mode: 0o600 })
    } catch (error) {
      if (!(error instanceof ZeeError) || error.code !== 'eexist') throw error
      throw new ZeeError('eexist', `Config file already exists at ${file}`, { cause: error })
    }
  })
  host.stdout.write(`Created config at ${file}\n`)
  return 0
}

export async function runConfigShow(
  call: Pick<Call, 'host'> & { globals: Globals },
): Promise<number> {
  const { originText } = await import('@zee/core/config')
  const config = await inspectSettings(call.host, call.globals)
  const write = terminalSafeWriter(call.host.stdout)
  for (const { key, value, origin } of config.settings()) {
    const shown = value === undefined ? '(not set)' : JSON.stringify(value)
    await write(`${key} = ${shown}  # ${oneLine(originText(origin))}\n`)
  }
  for (const warning of config.warnings) call.host.stderr.write(`Warning: ${oneLine(warning)}\n`)
  return 0
}
