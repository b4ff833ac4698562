// Options that several commands share.
import type { OptionTable } from '@zee/core/command-line'

export const globals = {
  config: {
    flags: '-c, --config <file>',
    summary: 'configuration (default: $ZINO_CONFIG, ./ZINO.toml, ~/.config/zino, /etc/zino)',
    complete: 'file',
  },
} as const satisfies OptionTable

/** For commands with machine-readable output. */
export const json = { flags: '--json', summary: 'print one JSON document' } as const
