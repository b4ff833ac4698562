// Enters a locked section repeatedly and checks that no other process is inside. Starts on a byte from
// stdin. Every `abandonEvery` entries it abandons the lock as if its process had died.
import { randomBytes } from 'node:crypto'
import { readFileSync, readSync, renameSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { acquireLock } from '../../src/lock/lock.ts'
import { currentProcess, isAlive } from '../../src/identity/identity.ts'

const [lockPath = '', name = '', entries = '1', abandonEvery = '0'] = process.argv.slice(2)
const inside = `${lockPath}.inside`

writeSync(1, 'ready\n')
readSync(0, Buffer.alloc(1), 0, 1, null)
void contend()

async function contend(): Promise<void> {
  for (let entry = 1; entry <= Number(entries); entry++) {
    const lock = await acquireLock(lockPath)
    enter()
    await setImmediate()
    if (!lock.isHeld()) fail('the lock was taken away')
    unlinkSync(inside)
    writeSync(1, `entered ${name} ${entry}\n`)
    if (Number(abandonEvery) > 0 && entry % Number(abandonEvery) === 0) abandon()
    await lock.release()
  }
}

/** A mark of a killed process is not an overlap: it died inside. */
function enter(): void {
  const { pid, started } = currentProcess()
  const mark = JSON.stringify({ pid, started })
  try {
    writeFileSync(inside, mark, { flag: 'wx' })
  } catch {
    const other: unknown = JSON.parse(readFileSync(inside, 'utf8') || '{"pid":1,"started":"0"}')
    if (isAlive(other as { pid: number; started: string })) fail('overlap')
    writeFileSync(inside, mark)
  }
}

/** The same pid with another start time: a dead process whose pid was reused. */
function abandon(): void {
  const dead = { ...currentProcess(), started: '1', host: 'here', nonce: nonce() }
  const aside = `${lockPath}.${name}`
  writeFileSync(aside, JSON.stringify(dead))
  renameSync(aside, lockPath)
}

function nonce(): string {
  return randomBytes(16).toString('hex')
}

function fail(what: string): never {
  writeSync(1, `FAILED ${name} ${what}\n`)
  process.exit(1)
}
