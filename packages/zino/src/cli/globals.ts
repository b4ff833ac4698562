// What the commands of zino have in common.
import type { OptionTable } from '@zee/core/command-line'

export const globals = {
  config: {
    flags: '-c, --config <file>',
    summary: 'configuration (else $ZINO_CONFIG, ./ZINO.toml, ~/.config/zino, /etc/zino)',
    complete: 'file',
  },
} as const satisfies OptionTable

/** Of every command that can answer a program. */
export const json = { flags: '--json', summary: 'print one JSON document' } as const
