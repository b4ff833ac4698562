// The entry of zino: quick answers first, services without the parser (seven processes pay for what
// they load), the command tree for everything else.
import type { Host } from '@zee/core/exit'
import { startProgram } from '@zee/core/exit'
import type { ServiceName } from './services/services.ts'
import { readServiceArguments, serviceNames } from './services/services.ts'

async function load() {
  const [{ runCommandLine }, { tree }] = await Promise.all([
    import('@zee/core/command-line'),
    import('./cli/cli.ts'),
  ])
  return (args: string[], host: Host) => runCommandLine(tree, args, host)
}

function startService(name: ServiceName) {
  return async (args: string[], host: Host) => {
    const call = readServiceArguments(args)
    if (call === undefined) return (await load())([name, ...args], host)
    const { runService } = await import('./services/command.ts')
    return runService({ name, ...call }, host)
  }
}

void startProgram({
  name: 'zino',
  folder: __dirname,
  withoutArguments: 'help',
  hotCommands: Object.fromEntries(serviceNames.map((name) => [name, startService(name)])),
  // A parser of single letters would read this one as `-c h`.
  rewrite: (args) => {
    const end = args.indexOf('--')
    return args.map((word, at) =>
      end === -1 || at < end ? word.replace(/^-ch(?==|$)/, '--channel') : word,
    )
  },
  load,
})
