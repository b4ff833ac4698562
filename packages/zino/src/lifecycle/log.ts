// A service's log: `zino.<service> LEVEL message` on stderr, the level by environment, then file.
import type { Host } from '@zee/core/exit'
import type { Logger } from '@zee/core/log'
import { createLogger, parseLevel } from '@zee/core/log'
import { createRedactor } from '@zee/core/redact'
import type { ZinoConfig } from '../config/config.ts'

export interface ServiceLogOptions {
  name: string
  config: ZinoConfig
  env: Host['env']
  write(line: string): void
}

export function serviceLogger({ name, config, env, write }: ServiceLogOptions): Logger {
  return createLogger({
    name: `zino.${name}`,
    level: parseLevel(env.ZINO_LOG_LEVEL || config.logging.level),
    write,
    redactor: createRedactor({ environment: secretsOf(config, env) }),
  })
}

/** Lines to stderr; a reader of the log that leaves does not end the service. */
export function stderrWriter(host: Host): (line: string) => void {
  const { stderr } = host
  stderr.on('error', () => {})
  return (line) => void stderr.write(line)
}

/** The keys of the file count as secrets too, under names that say so. */
function secretsOf(config: ZinoConfig, env: Host['env']): Record<string, string | undefined> {
  const keys = [config.api.key, ...config.rtr.fallback.map((route) => route.key)]
  const named = keys.map((key, index) => [`ZINO_API_KEY_${index}`, key] as const)
  return { ...env, ...Object.fromEntries(named) }
}
