// The entry of zeno: quick answers first, the command tree only when it is needed.
import { startProgram } from '@zee/core/exit'

void startProgram({
  name: 'zeno',
  folder: __dirname,
  withoutArguments: 'help',
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./cli/cli.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
})
