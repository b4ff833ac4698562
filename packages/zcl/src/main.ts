// The entry of zcl. `zcl run` starts without the command-line parser; other commands load the tree.
import { startProgram, type Host } from '@zee/core/exit'
import { describe } from './describe-error.ts'

const load = async () => {
  const [{ runCommandLine }, { tree }] = await Promise.all([
    import('@zee/core/command-line'),
    import('./cli/cli.ts'),
  ])
  return async (args: string[], host: Host) => {
    const [first, ...rest] = configAfterCommand(args)
    if (first === 'run' && !requestsHelp(rest)) return runTraced(rest, host)
    await requireFloor(host)
    return runCommandLine(tree, args, host)
  }
}

/** `--config <file> run ...` as `run --config <file> ...`. */
function configAfterCommand(args: readonly string[]): readonly string[] {
  const count = args[0] === '--config' ? 2 : args[0]?.startsWith('--config=') === true ? 1 : 0
  const [command, ...rest] = args.slice(count)
  return command === undefined ? args : [command, ...args.slice(0, count), ...rest]
}

/** Refuses to work below the version that the environment asks for, before anything happens. */
async function requireFloor({ env }: Host): Promise<void> {
  const floor = env.ZCL_MIN_VERSION
  if (floor === undefined || floor === '') return
  const { requireVersion } = await import('./versions/versions.ts')
  requireVersion(floor)
}

async function runTraced(args: string[], host: Host): Promise<number> {
  await requireFloor(host)
  const { runEntry } = await import('./run/command.ts')
  // Exit at once: output queued for a stalled socket would keep the event loop alive.
  return process.exit(await runEntry(args, host))
}

/** Whether a help flag comes before `--`; after it, the flag belongs to the wrapped command. */
function requestsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((word) => /^(?:--help|-h)$/.test(word))
}

void startProgram({
  name: 'zcl',
  folder: __dirname,
  withoutArguments: 'help',
  hotCommands: {
    run: async (args, host) => {
      if (requestsHelp(args)) return (await load())(['run', '--help'], host)
      return runTraced(args, host)
    },
  },
  load,
  describe,
})
