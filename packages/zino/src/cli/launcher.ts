// The command line that starts this program again. The supervisor starts its services with it.

export const launcher: readonly string[] = [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
]
