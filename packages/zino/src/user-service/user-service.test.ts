import { describe, expect, it } from 'vitest'
import { launchdPlist } from './launchd-plist.ts'
import { systemdUnit } from './systemd-unit.ts'
import type { ServiceSpec } from './user-service.ts'
import { managerFor, mark } from './user-service.ts'

const spec: ServiceSpec = {
  program: ['/usr/bin/node', '/opt/my zino/zino.cjs', 'up', '--config', '/home/a/50% "q" $HOME\\x'],
  workingFolder: '/home/a/50%',
  envFile: '/home/a/.config/zino/env',
  path: '/usr/bin:/x&<y>',
  logFile: '/home/a/.config/zino/zino.log',
  mark,
}

describe('the systemd unit', () => {
  it('quotes every argument, so that no character of a path has a meaning', () => {
    const lines = systemdUnit(spec).split('\n')
    expect(lines).toContain(
      'ExecStart="/usr/bin/node" "/opt/my zino/zino.cjs" "up" "--config" ' +
        '"/home/a/50%% \\"q\\" $$HOME\\\\x"',
    )
    expect(lines).toContain('WorkingDirectory=/home/a/50%%')
    expect(lines).toContain('EnvironmentFile=-/home/a/.config/zino/env')
    expect(lines).toContain('Environment="PATH=/usr/bin:/x&<y>"')
    expect(lines).toContain('Restart=on-failure')
    expect(lines).toContain('WantedBy=default.target')
  })

  it('lies in the configuration folder of the user', () => {
    const { file } = managerFor('systemd')
    expect(file({ HOME: '/home/a' })).toBe('/home/a/.config/systemd/user/zino.service')
    expect(file({ HOME: '/home/a', XDG_CONFIG_HOME: '/c' })).toBe('/c/systemd/user/zino.service')
    expect(() => file({})).toThrow('HOME is not set')
  })
})

describe('the launchd property list', () => {
  it('escapes markup and reads the variables with a shell', () => {
    const text = launchdPlist(spec)
    expect(text).toContain('<key>PATH</key>\n    <string>/usr/bin:/x&amp;&lt;y&gt;</string>')
    expect(text).toContain('<string>/home/a/.config/zino/env</string>')
    expect(text).toContain('<key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>')
    expect(text).toContain('exec "$@"</string>')
    expect(text).not.toContain('/x&<y>')
  })

  it('lies in the folder of launch agents', () => {
    const { file } = managerFor('launchd')
    expect(file({ HOME: '/Users/a' })).toBe('/Users/a/Library/LaunchAgents/org.zee.zino.plist')
  })
})
