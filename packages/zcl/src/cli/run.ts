// `zcl run` in the command tree: for its help and for completions.
import { commandFor, wholeNumber } from '@zee/core/command-line'

export const run = commandFor({})({
  name: 'run',
  summary: 'Run a command through the funnel: one line of evidence',
  description:
    'Runs the command without a shell; its input, output and exit code pass unchanged. It has a ' +
    'session of its own, so that it cannot ask questions on the terminal. Exit 124 when the ' +
    'deadline of the attempt ends it, 126 and 127 when it cannot be started, 128+N for signal N.',
  usage:
    '[--capture [--capture-raw] [--capture-max-bytes <n>]] [--envelope --json] -- <cmd> [args...]',
  options: {
    capture: { flags: '--capture', summary: 'keep the output beside the trace, redacted' },
    captureRaw: { flags: '--capture-raw', summary: 'keep it as it is; refused in ci' },
    captureMaxBytes: {
      flags: '--capture-max-bytes <n>',
      summary: 'most bytes kept of each stream (4 MiB unless said otherwise)',
      parse: wholeNumber(1),
    },
    envelope: { flags: '--envelope', summary: 'print one JSON object instead of the output' },
    json: { flags: '--json', summary: 'goes with --envelope' },
  },
  arguments: [{ name: 'cmd', summary: 'the command and its arguments', variadic: true }],
  examples: [{ line: 'zcl run -- git status --short', note: 'as without zcl, and traced' }],
  // The entry has taken `run` before the tree was loaded.
  run: async ({ host }) => (await import('../run/command.ts')).runEntry([], host),
})
