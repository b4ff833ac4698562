// Which faults the sweep causes for an operation.
import type { Fault, Operation, OperationKind } from '../files/operations.ts'
import { isMutating } from '../files/operations.ts'

/** Errors that the kernel returns for operations of this kind. */
const errnos: Readonly<Record<OperationKind, readonly string[]>> = {
  open: ['EMFILE', 'EIO'],
  create: ['EMFILE', 'ENOSPC', 'EROFS'],
  read: ['EIO'],
  write: ['ENOSPC', 'EIO'],
  sync: ['EIO', 'ENOSPC'],
  entry: ['EIO', 'EROFS'],
  folder: ['ENOSPC', 'EROFS'],
  resize: ['EIO'],
  mode: ['EIO'],
  look: ['EIO'],
}

/** States of a disk that stay: full, read-only, broken, or no descriptor left. */
const lastingErrnos: Readonly<Record<OperationKind, readonly string[]>> = {
  open: ['EMFILE'],
  create: ['ENOSPC', 'EROFS', 'EMFILE'],
  read: ['EIO'],
  write: ['ENOSPC', 'EROFS', 'EIO'],
  sync: ['EIO'],
  entry: ['EROFS'],
  folder: ['ENOSPC'],
  resize: ['EROFS'],
  mode: [],
  look: [],
}

export function faultsFor({ index, kind, name }: Operation): Fault[] {
  const faults: Fault[] = errnos[kind].map((errno) => ({ index, how: 'error', errno }))
  faults.push(...lastingErrnos[kind].map((errno) => ({ index, how: 'from-here' as const, errno })))
  if (!isMutating(kind)) return faults
  // An open that succeeds leaves a descriptor, which no kernel does when it reports an error.
  if (name !== 'open') faults.push({ index, how: 'late-error', errno: 'EIO' })
  if (kind === 'write') faults.push({ index, how: 'short' })
  // A kill before an operation leaves the same files as a kill after the one before it.
  if (index === 0) faults.push({ index, how: 'kill-before' })
  for (const how of ['kill-after', 'delay'] as const) faults.push({ index, how })
  return faults
}

export function describeFault({ how, errno }: Fault, { name, kind, path }: Operation): string {
  return `${how}${errno === undefined ? '' : ` ${errno}`} at ${name} (${kind}) of ${path}`
}
