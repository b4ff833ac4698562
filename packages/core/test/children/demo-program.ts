// A small program with the entry of the real programs, to test output and exit codes.
import { commandFor, program, runCommandLine } from '../../src/cli/cli.ts'
import { ZeeError } from '../../src/errors/errors.ts'
import { startProgram } from '../../src/exit/exit.ts'

const command = commandFor({})

const tree = program({
  name: 'demo',
  version: '1.0.0',
  summary: 'A demonstration.',
  commands: [
    command({
      name: 'fail',
      summary: 'fail as expected',
      run: async () => {
        throw new ZeeError('demo', 'cannot read x:\n no such file', { exitCode: 3 })
      },
    }),
    command({
      name: 'bug',
      summary: 'fail unexpectedly',
      run: async () => {
        throw new TypeError('nothing is not a function')
      },
    }),
    command({
      name: 'late-bug',
      summary: 'fail outside the command',
      arguments: [{ name: 'how', summary: 'the kind of failure', choices: ['throw', 'reject'] }],
      run: async ({ args }) => {
        const bug = new TypeError('nothing is not a function')
        if (args[0] === 'reject') void Promise.reject(bug)
        else
          setImmediate(() => {
            throw bug
          })
        await new Promise((resolve) => setTimeout(resolve, 60_000))
        return 0
      },
    }),
    command({
      name: 'flood',
      summary: 'write without end',
      run: async ({ host }) => {
        for (;;) {
          if (host.stdout.write('x'.repeat(65_536))) continue
          await new Promise((resolve) => host.stdout.once('drain', resolve))
        }
      },
    }),
    command({
      name: 'bulk',
      summary: 'write 4 MB at once',
      run: async ({ host }) => {
        host.stdout.write('x'.repeat(4_000_000))
        return 7
      },
    }),
    command({
      name: 'timer',
      summary: 'return while a timer is pending',
      run: async ({ host }) => {
        setTimeout(() => {}, 60_000)
        host.stdout.write('done\n')
        return 7
      },
    }),
    command({
      name: 'seven',
      summary: 'exit with 7',
      run: async ({ host }) => {
        host.stdout.write(`${host.cwd}\n`)
        return 7
      },
    }),
  ],
})

void startProgram({
  name: 'demo',
  folder: import.meta.dirname,
  withoutArguments: 'run',
  isDoneAtReturn: true,
  hotCommands: {
    hot: async (args, host) => {
      host.stdout.write(`${JSON.stringify(args)}\n`)
      return 0
    },
  },
  rewrite: (args) => args.map((word) => (word === '-xy' ? 'seven' : word)),
  load: async () => (args, host) => runCommandLine(tree, args, host),
})
