// The entry of zdx. Help and version come from prerendered text; other calls load the command tree.
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
    // These messages already start with the steps that led to the failure.
    if (error instanceof ZeeError && error.exitCode !== 2) {
      // A terminal has echoed ^C into the current line.
      const before = error.code === 'interrupted' ? '\n' : ''
      return { line: before + oneLine(error.message), exitCode: error.exitCode }
    }
    return describeError('zdx', error)
  },
})
