// The entry of zdx. Help and version come from prerendered text; other calls load the command tree.
import { startProgram } from '@zee/core/exit'
import { describe } from './describe-error.ts'

void startProgram({
  name: 'zdx',
  folder: __dirname,
  withoutArguments: 'run',
  isDoneAtReturn: true,
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./cli/cli.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
  describe,
})
