// Reads the arguments of a service in the forms that the systemd units and the supervisor use.

export interface ServiceArguments {
  config: string | undefined
  supervised: boolean
}

/** Undefined for any other form, which the command-line parser handles. */
export function readServiceArguments(args: readonly string[]): ServiceArguments | undefined {
  const call: ServiceArguments = { config: undefined, supervised: false }
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as string
    if (word === '--supervised') {
      call.supervised = true
    } else if (
      (word === '--config' || word === '-c') &&
      args[index + 1]?.startsWith('-') === false
    ) {
      index += 1
      call.config = args[index]
    } else if (word.startsWith('--config=')) {
      call.config = word.slice('--config='.length)
    } else return undefined
  }
  return call
}
