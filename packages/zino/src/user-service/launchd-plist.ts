// The property list of zino for launchd. launchd has no file of variables, so a shell reads it first:
// keys stay out of the property list.
import type { ServiceSpec } from './user-service.ts'

export const launchdLabel = 'org.zee.zino'

const withVariables = 'set -a; [ ! -r "$1" ] || . "$1"; set +a; shift; exec "$@"'

export function launchdPlist(spec: ServiceSpec): string {
  const { program, workingFolder, envFile, path, logFile, mark } = spec
  const words = ['/bin/sh', '-c', withVariables, 'zino', envFile, ...program]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" ' +
      '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${mark} -->`,
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', text(launchdLabel)),
    ...entry('ProgramArguments', '<array>', ...words.map((word) => `  ${text(word)}`), '</array>'),
    ...entry('WorkingDirectory', text(workingFolder)),
    ...(path === undefined
      ? []
      : entry('EnvironmentVariables', '<dict>', '  <key>PATH</key>', `  ${text(path)}`, '</dict>')),
    ...entry('RunAtLoad', '<true/>'),
    ...entry('KeepAlive', '<dict>', '  <key>SuccessfulExit</key>', '  <false/>', '</dict>'),
    ...entry('ThrottleInterval', '<integer>5</integer>'),
    ...entry('StandardOutPath', text(logFile)),
    ...entry('StandardErrorPath', text(logFile)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

function entry(key: string, ...value: string[]): string[] {
  return [`  <key>${key}</key>`, ...value.map((line) => `  ${line}`)]
}

function text(value: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return `<string>${value.replaceAll(/[&<>]/g, (found) => escapes[found] ?? found)}</string>`
}
