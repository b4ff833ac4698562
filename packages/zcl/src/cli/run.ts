// `zcl run` in the command tree, for help and completions only.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { attemptOption, injectOptions } from './options.ts'

export const run = commandFor({})({
  name: 'run',
  summary: 'Run a command and record it as one trace event',
  description:
    'Runs the command without a shell; its input, output and exit code pass unchanged. It runs in ' +
    'its own session, so it cannot prompt on the terminal. Exit 124 when the deadline of the ' +
    'attempt ends it, 126 or 127 when it cannot be started, 128+N for signal N.',
  usage:
    '[--attempt <dir>] [--ignore-argv <pattern>] [--serve-trace <attemptDir>] [--inject <fault>] [--capture [--capture-raw] ' +
    '[--capture-max-bytes <n>]] [--envelope --json] -- <cmd> [args...]',
  options: {
    attempt: attemptOption,
    ignoreArgv: {
      flags: '--ignore-argv <pattern>',
      summary: 'count the call apart when this regular expression matches its command line',
      repeatable: true,
    },
    serveTrace: {
      flags: '--serve-trace <attemptDir>',
      summary: 'print the recorded answer of this attempt instead of running the command',
      complete: 'folder',
    },
    serveState: {
      flags: '--serve-state <file>',
      summary: 'with --serve-trace outside an attempt: remember here what was answered',
      complete: 'file',
    },
    ...injectOptions,
    capture: { flags: '--capture', summary: 'store the output beside the trace, redacted' },
    captureRaw: {
      flags: '--capture-raw',
      summary: 'store the output unredacted; refused in ci mode',
    },
    captureMaxBytes: {
      flags: '--capture-max-bytes <n>',
      summary: 'maximum bytes stored per stream (default 4 MiB)',
      parse: wholeNumber(1),
    },
    envelope: { flags: '--envelope', summary: 'print one JSON object instead of the output' },
    json: { flags: '--json', summary: 'required with --envelope' },
  },
  arguments: [{ name: 'cmd', summary: 'the command and its arguments', variadic: true }],
  examples: [
    {
      line: 'zcl run -- git status --short',
      note: 'same output and exit code, plus a trace event',
    },
  ],
  // main.ts handles `run` before it loads the tree.
  run: async ({ host }) => (await import('../run/command.ts')).runEntry([], host),
})
