// The environment that every server gets: what a program needs to run at all, and nothing that might
// be a secret. Everything else must be named by whoever configures the server.
import type { Host } from '@zee/core/exit'

const plainVariables =
  /^(HOME|LOGNAME|USER|SHELL|PATH|TERM|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|DISPLAY|NODE_EXTRA_CA_CERTS)$/

export function plainEnvironment(env: Host['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => plainVariables.test(name)))
}
