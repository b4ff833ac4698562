// What a session manager has to know to run zino for a user, and the managers by name.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { ZeeError } from '@zee/core/errors'
import { launchdLabel, launchdPlist } from './launchd-plist.ts'
import { systemdUnit } from './systemd-unit.ts'

export interface ServiceSpec {
  /** The command line of `zino up`. */
  program: readonly string[]
  workingFolder: string
  /** Variables such as LLM_API_KEY, which may be missing. */
  envFile: string
  path: string | undefined
  logFile: string
  /** Tells our file from one that the user wrote. */
  mark: string
}

export const mark = "Written by 'zino service install'; 'zino service remove' removes it."

export type ManagerName = 'systemd' | 'launchd'

interface Step {
  command: string
  args: readonly string[]
  /** A failure is not reported. */
  mayFail?: boolean
}

export interface Manager {
  file(env: Host['env']): string
  content(spec: ServiceSpec): string
  install(file: string): readonly Step[]
  /** Before the file is removed. */
  stop(): readonly Step[]
  /** After the file is removed. */
  forget(): readonly Step[]
  hint: string
}

const systemctl = (...args: string[]): Step => ({ command: 'systemctl', args: ['--user', ...args] })
const launchctl = (...args: string[]): Step => ({ command: 'launchctl', args })
const session = () => `gui/${process.getuid?.() ?? 0}`

const managers: Readonly<Record<ManagerName, Manager>> = {
  systemd: {
    file: (env) => path.join(configFolder(env), 'systemd/user/zino.service'),
    content: systemdUnit,
    install: () => [systemctl('daemon-reload'), systemctl('enable', '--now', 'zino.service')],
    stop: () => [{ ...systemctl('disable', '--now', 'zino.service'), mayFail: true }],
    forget: () => [{ ...systemctl('daemon-reload'), mayFail: true }],
    hint:
      'Logs:   journalctl --user -u zino\n' +
      'Linger: loginctl enable-linger keeps it running while you are logged out\n',
  },
  launchd: {
    file: (env) => path.join(home(env), 'Library/LaunchAgents', `${launchdLabel}.plist`),
    content: launchdPlist,
    install: (file) => [launchctl('bootstrap', session(), file)],
    stop: () => [{ ...launchctl('bootout', `${session()}/${launchdLabel}`), mayFail: true }],
    forget: () => [],
    hint: '',
  },
}

/** The manager of this name, or of this machine. */
export function managerFor(name: ManagerName | undefined): Manager {
  if (name !== undefined) return managers[name]
  if (process.platform === 'linux') return managers.systemd
  if (process.platform === 'darwin') return managers.launchd
  throw new ZeeError('no_manager', `there is no session manager for ${process.platform}`)
}

export function configFolder(env: Host['env']): string {
  const { XDG_CONFIG_HOME } = env
  const isSet = XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME)
  return isSet ? XDG_CONFIG_HOME : path.join(home(env), '.config')
}

function home({ HOME }: Host['env']): string {
  if (HOME !== undefined && path.isAbsolute(HOME)) return HOME
  throw new ZeeError('no_manager', 'HOME is not set: there is no folder for the service')
}
