// Warns about a pipe on standard input that nothing reads. Node cannot ask for the number of waiting
// bytes without reading them, so a small Perl or Python program asks the system (FIONREAD).
import { fstatSync } from 'node:fs'
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'

const unreadNotice = 'stdin was not read; add --stdin'

/** Adds the warning to the events of a turn, once the answer has begun. */
export async function* warnAboutUnreadInput(
  events: AsyncIterable<AgentEvent>,
  host: Host,
): AsyncGenerator<AgentEvent> {
  let hasInput: Promise<boolean> | undefined
  let isKnown = false
  for await (const event of events) {
    if (hasInput === undefined && isAnswer(event)) {
      hasInput = isPipe() ? hasWaitingInput(host.env) : Promise.resolve(false)
      void hasInput.then(() => (isKnown = true))
    }
    // The turn does not wait for the check, except at its end.
    if (hasInput !== undefined && (isKnown || event.type === 'turn_end')) {
      if (await hasInput) yield { type: 'notice', text: unreadNotice }
      hasInput = Promise.resolve(false)
    }
    yield event
  }
}

function isAnswer({ type }: AgentEvent): boolean {
  return type === 'assistant_delta' || type === 'thinking_delta' || type === 'tool_requested'
}

function isPipe(): boolean {
  try {
    const stats = fstatSync(0)
    return stats.isFIFO() || stats.isSocket()
  } catch {
    return false
  }
}

/** Programs that exit with 0 if bytes are waiting on their standard input. */
const probes: readonly (readonly [string, ...string[]])[] = [
  [
    'perl',
    '-e',
    '$n = pack("l", 0); ioctl(STDIN, FIONREAD, $n); exit(unpack("l", $n) > 0 ? 0 : 1)',
  ],
  [
    'python3',
    '-c',
    'import fcntl, struct, sys, termios\nn = fcntl.ioctl(0, termios.FIONREAD, struct.pack("i", 0))\nsys.exit(0 if struct.unpack("i", n)[0] > 0 else 1)',
  ],
]

const probeTimeoutMs = 2000

async function hasWaitingInput(env: Host['env']): Promise<boolean> {
  const { runProcess } = await import('@zee/core/process')
  for (const [command, ...args] of probes) {
    const { outcome, exitCode } = await runProcess({
      command,
      args: args.map((arg) => arg.replace('FIONREAD, $n', `${ioctlNumber()}, $n`)),
      env,
      stdin: 'inherit',
      captureBytes: 0,
      deadlineMs: probeTimeoutMs,
      pipes: 'sockets',
    })
    if (outcome === 'exited') return exitCode === 0
  }
  return false
}

/** The number of FIONREAD; Perl has no name for it without its header files. */
function ioctlNumber(): string {
  return process.platform === 'linux' ? '0x541B' : '0x4004667f'
}
