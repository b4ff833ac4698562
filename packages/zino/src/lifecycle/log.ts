// The log of a service: lines of the form `zino.<service> LEVEL message`. ZINO_LOG_LEVEL overrides the
// level of the file.
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

/** Writes lines to stderr; a closed stderr does not end the service. */
export function stderrWriter(host: Host): (line: string) => void {
  const { stderr } = host
  stderr.on('error', () => {})
  return (line) => void stderr.write(line)
}

/** The values of the file that no log may show. */
export function configSecrets(config: ZinoConfig): string[] {
  const servers = Object.values(config.mcp ?? {}).flatMap(({ env: given = {}, headers = {} }) => [
    ...Object.values(given),
    ...Object.values(headers),
  ])
  return [config.api.key, ...config.rtr.fallback.map((route) => route.key), ...servers]
}

/** Adds the keys of the file under secret-looking names, so that the redactor hides their values. */
function secretsOf(config: ZinoConfig, env: Host['env']): Record<string, string | undefined> {
  const named = configSecrets(config).map((key, index) => [`ZINO_API_KEY_${index}`, key] as const)
  return { ...env, ...Object.fromEntries(named) }
}
