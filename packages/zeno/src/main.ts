// The entry of zeno: quick answers first, the server without the parser, the command tree only when it
// is needed.
import type { Host } from '@zee/core/exit'
import { startProgram } from '@zee/core/exit'
import { plainServeFlags } from './serve-flags.ts'

async function loadTree(): Promise<(args: string[], host: Host) => Promise<number>> {
  const [{ runCommandLine }, { tree }] = await Promise.all([
    import('@zee/core/command-line'),
    import('./commands.ts'),
  ])
  return (args, host) => runCommandLine(tree, args, host)
}

void startProgram({
  name: 'zeno',
  folder: __dirname,
  bare: 'help',
  hot: {
    serve: async (args, host) => {
      const flags = plainServeFlags(args)
      if (flags === undefined) return (await loadTree())(['serve', ...args], host)
      return (await import('./serve.ts')).runServe(flags, host)
    },
  },
  load: loadTree,
})
