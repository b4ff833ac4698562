// How this very program is started again: the supervisor's children are the same program.

export const launcher: readonly string[] = [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
]
