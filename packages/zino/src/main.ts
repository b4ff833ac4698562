// The entry of zino. Services start without the command-line parser, because seven processes pay for
// every module they load. Everything else goes through the command tree.
import type { Host } from '@zee/core/exit'
import { startProgram } from '@zee/core/exit'
import type { ServiceName } from './services/services.ts'
import { allServiceNames, commandNames, readServiceArguments } from './services/services.ts'

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
    const isService = call?.supervised === true || commandNames.includes(name)
    if (call === undefined || !isService) return (await load())([name, ...args], host)
    const { runService } = await import('./services/command.ts')
    return runService({ name, ...call }, host)
  }
}

void startProgram({
  name: 'zino',
  folder: __dirname,
  withoutArguments: 'help',
  hotCommands: Object.fromEntries(allServiceNames.map((name) => [name, startService(name)])),
  // The reader takes single letters as flags and would read `-ch` as `-c h`.
  rewrite: (args) => {
    const end = args.indexOf('--')
    return args.map((word, index) =>
      end === -1 || index < end ? word.replace(/^-ch(?==|$)/, '--channel') : word,
    )
  },
  load,
})
