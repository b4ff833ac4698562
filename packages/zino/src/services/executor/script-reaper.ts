// Sees to it that no script outlives exc. A killed exc has no moment to end what it runs, so a shell
// beside it knows the sessions and files of all scripts and clears them away when exc is gone.
import type { Logger } from '@zee/core/log'
import type { RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'

/** Of script files; anything else that is kept is the number of a session. */
export const scriptPrefix = 'zino-'

/**
 * Sessions are found as core finds them. One that was being started when exc died was not told of: it is
 * known by the file in its command line, which it has after a moment at the latest.
 */
const shellScript = `
trap '' HUP INT TERM
PATH=/usr/bin:/bin:/run/current-system/sw/bin
folder=$1
kept=' '
while read -r order name; do
  case "$order$kept" in
    keep*) kept="$kept$name " ;;
    drop*" $name "*) kept="\${kept%% "$name" *} \${kept#* "$name" }" ;;
  esac
done
[ "$kept" = ' ' ] && exit
look() {
  read -r line <"/proc/$1/stat" || return
  fields=\${line##*) }
  fields=\${fields#* * }
  group=\${fields%% *}
  fields=\${fields#* }
  session=\${fields%% *}
}
untold() {
  for name in $kept; do
    case "$name" in ${scriptPrefix}*) ;; *) continue ;; esac
    for file in $(grep -lsF -- "$name" /proc/[0-9]*/cmdline); do
      pid=\${file%/cmdline}
      pid=\${pid#/proc/}
      look "$pid" && [ "$session" = "$pid" ] && kept="$kept$pid "
    done
  done
}
signal() {
  for name in $kept; do
    case "$name" in ${scriptPrefix}*) ;; *) kill "-$1" "-$name" ;; esac
  done
  for process in /proc/[0-9]*; do
    look "\${process#/proc/}" || continue
    case "$kept" in *" $session "*) kill "-$1" "-$group" ;; esac
  done
}
untold
signal TERM
sleep 0.3 || sleep 1
untold
signal KILL
for name in $kept; do
  case "$name" in ${scriptPrefix}*) rm -f -- "$folder/$name" ;; esac
done
`

export class ScriptReaper {
  readonly #folder: string
  readonly #log: Logger
  readonly #tracked = new Set<string>()
  #shell: RunningProcess | undefined
  #starting: Promise<void> | undefined

  /** `folder` is where script files lie. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /** Resolves when something can be kept; without a shell scripts run all the same. */
  async ready(): Promise<void> {
    if (this.#shell !== undefined) return
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  /** From now on this file or session goes when exc does. */
  track(name: string): void {
    this.#tracked.add(name)
    this.#send('keep', name)
  }

  /** It was seen to its end. */
  untrack(name: string): void {
    if (this.#tracked.delete(name)) this.#send('drop', name)
  }

  close(): void {
    this.#shell?.release()
    this.#shell = undefined
  }

  async #start(): Promise<void> {
    const { process: shell, failure } = await startProcess({
      command: '/bin/sh',
      args: ['-c', shellScript, 'sh', this.#folder],
      env: {},
      pipes: 'sockets',
      stdin: 'pipe',
      stdout: 'null',
      stderr: 'null',
    })
    if (shell === undefined) {
      this.#log.warn(`scripts would outlive a killed exc: ${failure.error ?? 'no shell'}`)
      return
    }
    this.#shell = shell
    for (const name of this.#tracked) this.#send('keep', name)
    void shell.exited.then(() => {
      if (this.#shell === shell) this.close()
    })
  }

  #send(order: 'keep' | 'drop', name: string): void {
    this.#shell?.stdin?.write(`${order} ${name}\n`)
  }
}
