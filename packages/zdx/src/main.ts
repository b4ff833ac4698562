// The entry of zdx: quick answers first, the command tree only when it is needed.
import { oneLine, ZeeError } from '@zee/core/errors'
import { describeError, startProgram } from '@zee/core/exit'

void startProgram({
  name: 'zdx',
  folder: __dirname,
  withoutArguments: 'run',
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./cli/cli.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
  describe: (error) => {
    // Failures carry the chain of what was being done, which says enough by itself.
    if (error instanceof ZeeError && error.exitCode !== 2) {
      // Behind the ^C that a terminal shows.
      const before = error.code === 'interrupted' ? '\n' : ''
      return { line: before + oneLine(error.message), exitCode: error.exitCode }
    }
    return describeError('zdx', error)
  },
})
