// Entry point of zee. Without arguments it shows what is on this machine; in a pipe it prints help.
import { startProgram } from '@zee/core/exit'

void startProgram({
  name: 'zee',
  folder: __dirname,
  // Loads the terminal module only for this question: `--version` does not need it.
  withoutArguments:
    process.argv.length === 2 && process.getBuiltinModule('tty').isatty(1) ? 'run' : 'help',
  load: async () => {
    const [{ runCommandLine }, { tree }] = await Promise.all([
      import('@zee/core/command-line'),
      import('./cli/cli.ts'),
    ])
    return (args, host) => runCommandLine(tree, args, host)
  },
})
