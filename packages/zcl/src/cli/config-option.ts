// `--config`, which every command takes. Handlers, and the programs that they start, find the file in
// their environment as ZCL_CONFIG.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command, OptionTable } from '@zee/core/command-line'
import type { Host } from '@zee/core/exit'
import { zclError } from '../errors/errors.ts'

export const globals = {
  config: {
    flags: '--config <file>',
    summary: 'configuration of the project, instead of zcl.config.json; needs no trust',
    complete: 'file',
  },
} as const satisfies OptionTable

/** The command whose handlers get the file of `--config`; `init` creates the file and has its own option. */
export function withConfigOption(command: Command): Command {
  const { run, commands } = command
  return {
    ...command,
    commands: commands.map(withConfigOption),
    ...(run === undefined || command.name === 'init'
      ? {}
      : { run: (call) => run({ ...call, host: hostWithConfig(call.host, call.globals.config) }) }),
  }
}

/** The host with `file` as its configuration, which must exist. */
function hostWithConfig(host: Host, file: unknown): Host {
  if (typeof file !== 'string') return host
  const named = path.resolve(host.cwd, file)
  if (!existsSync(named)) throw zclError('ZCL_E_IO', `--config: there is no file ${file}`)
  return { ...host, env: { ...host.env, ZCL_CONFIG: named } }
}
