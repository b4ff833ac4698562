// Entry point of zeno. The command tree is loaded lazily: `--version` and `--help` do not need it.
import { startProgram } from '@zee/core/exit'

void startProgram({
  name: 'zeno',
  folder: __dirname,
  withoutArguments: 'help',
  isDoneAtReturn: true,
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./cli/cli.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
})
