// A pause without giving up the thread, for the few synchronous parts that wait milliseconds.

const cell = new Int32Array(new SharedArrayBuffer(4))

export function sleepNow(ms: number): void {
  Atomics.wait(cell, 0, 0, ms)
}
