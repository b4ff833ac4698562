// The arguments of a service as units and the supervisor write them; anything else is for the parser.

export interface ServiceArguments {
  config: string | undefined
  supervised: boolean
}

export function readServiceArguments(args: readonly string[]): ServiceArguments | undefined {
  const call: ServiceArguments = { config: undefined, supervised: false }
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as string
    if (word === '--supervised') {
      call.supervised = true
    } else if ((word === '--config' || word === '-c') && args[at + 1]?.startsWith('-') === false) {
      at += 1
      call.config = args[at]
    } else if (word.startsWith('--config=')) {
      call.config = word.slice('--config='.length)
    } else return undefined
  }
  return call
}
