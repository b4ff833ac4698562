// The sections about what is around the services: logs, MCP servers and the HTTP bridge.
import { section, setting } from '@zee/core/config'
import * as z from 'zod/mini'
import type { ConfigDefaults } from './keys.ts'
import { key, optionalKey, text, path, flag } from './keys.ts'

export const loggingSection = (defaults: ConfigDefaults) =>
  section(
    {
      level: key(text, 'INFO', 'DEBUG, INFO, WARNING or ERROR; ZINO_LOG_LEVEL overrides it'),
      dir: optionalKey(
        defaults.logs,
        'Log folder of a detached zino; empty: "logs" next to the daemon socket',
      ),
    },
    { description: 'Logs' },
  )

const textMap = z.record(text, text)

export const mcpSection = setting(
  z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Za-z0-9_-]{1,32}$/)),
      z.object({
        command: setting(z.optional(path), {
          description: 'Program of a local server; a server has either this or a url',
        }),
        args: setting(z.optional(z.array(text)), { description: 'Arguments of the program' }),
        env: setting(z.optional(textMap), {
          description: 'Environment variables of the server with their values',
          secret: true,
        }),
        env_vars: setting(z.optional(z.array(path)), {
          description: 'Names of environment variables to pass on, for example a token',
        }),
        url: setting(z.optional(path), { description: 'URL of a server reached over HTTP' }),
        headers: setting(z.optional(textMap), {
          description: 'HTTP headers of every request with their values',
          secret: true,
        }),
        header_env: setting(z.optional(textMap), {
          description: 'HTTP headers whose values come from these environment variables',
        }),
        key_env: setting(z.optional(path), {
          description: 'Environment variable that holds its key, sent as a bearer token',
        }),
      }),
    ),
  ),
  {
    description: 'MCP servers by name; the model can call their tools',
    example: { files: { command: 'mcp-server-filesystem', args: ['/srv/docs'] } },
  },
)

export const httpSection = (defaults: ConfigDefaults) =>
  section(
    {
      enabled: key(flag, false, 'Run the bridge with zino up'),
      socket: optionalKey('', 'Socket for pings of the supervisor; empty: http.sock beside daemon'),
      host: key(path, '127.0.0.1', 'Address to listen at; other machines can reach 0.0.0.0'),
      port: key(z.int().check(z.nonnegative(), z.maximum(65_535)), 8377, 'Port; 0: a free one'),
      token_file: key(
        path,
        defaults.tokenFile,
        'File with the bearer token, mode 0600; created when missing',
      ),
      hosts: key(
        z.array(path),
        [],
        'Host names, such as that of a proxy, that clients may use to reach the bridge',
      ),
    },
    { description: 'The HTTP bridge of zino http' },
  )
