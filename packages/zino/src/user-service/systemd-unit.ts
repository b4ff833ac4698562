// The unit of zino for the systemd manager of a user.
import type { ServiceSpec } from './user-service.ts'

export function systemdUnit({ program, workingFolder, envFile, path, mark }: ServiceSpec): string {
  const environment = path === undefined ? [] : [`Environment=${quoted(`PATH=${path}`)}`]
  return [
    `# ${mark}`,
    '[Unit]',
    'Description=zino, an always-on local agent',
    '',
    '[Service]',
    'Type=exec',
    `WorkingDirectory=${specifierSafe(workingFolder)}`,
    ...environment,
    `EnvironmentFile=-${specifierSafe(envFile)}`,
    `ExecStart=${program.map(argument).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    'KillMode=mixed',
    'TimeoutStopSec=10',
    'Restart=on-failure',
    'RestartSec=5',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
}

/** In a command line, `$` begins a variable. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$')
}

function quoted(text: string): string {
  return `"${specifierSafe(text).replaceAll(/["\\]/g, (found) => `\\${found}`)}"`
}

/** systemd expands `%` in all values. */
function specifierSafe(text: string): string {
  return text.replaceAll('%', '%%')
}
