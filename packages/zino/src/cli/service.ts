// The `zino service` branch of the command tree.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor } from '@zee/core/command-line'
import { usageError } from '@zee/core/errors'
import { globals } from './globals.ts'
import { launcher } from './launcher.ts'

const command = commandFor(globals)
const load = () => import('../user-service/command.ts')

const options = {
  manager: {
    flags: '--manager <name>',
    summary: 'systemd or launchd (default: that of this machine)',
    parse: (text: string) => {
      if (text === 'systemd' || text === 'launchd') return text
      throw usageError(`'${text}' is neither systemd nor launchd`)
    },
  },
} as const satisfies OptionTable

export const service = command({
  name: 'service',
  summary: 'Let your session manager run zino',
  commands: [
    command({
      name: 'install',
      summary: 'Start zino now and at every login, with systemd or launchd',
      options: { ...options, print: { flags: '--print', summary: 'only print the file' } },
      run: async ({ options: given, globals: { config }, host }) =>
        (await load()).installService({ config, launcher, ...given }, host),
    }),
    command({
      name: 'remove',
      summary: 'Stop zino and remove it from the session manager',
      options,
      run: async ({ options: given, globals: { config }, host }) =>
        (await load()).removeService({ config, ...given }, host),
    }),
  ],
  examples: [
    { line: 'zino service install', note: 'run zino while you are logged in' },
    { line: 'zino service install --print', note: 'show the unit' },
  ],
})
