// The entry of zcl: quick answers first, `run` without the parser, the command tree for the rest.
import { startProgram } from '@zee/core/exit'
import { describe } from './describe-error.ts'

void startProgram({
  name: 'zcl',
  folder: __dirname,
  bare: 'help',
  hot: {
    run: async (args, host) => {
      const { runEntry } = await import('./run-entry.ts')
      // All is written by then: taking Node apart in order would cost a call a millisecond.
      return process.exit(await runEntry(args, host))
    },
  },
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./commands.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
  describe,
})
