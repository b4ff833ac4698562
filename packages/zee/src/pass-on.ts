// Entry point of `zee zdx ...` where zdx is a process of its own. zee interprets no argument: `zee zdx --help` prints
// the help of zdx.
import { startProgram } from '@zee/core/exit'
import type { ProgramName } from './programs/programs.ts'

void startProgram({
  name: 'zee',
  withoutArguments: 'run',
  load: async () => {
    const { runInTerminal } = await import('./programs/programs.ts')
    return ([program, ...args], host) => runInTerminal(program as ProgramName, args, host)
  },
})
