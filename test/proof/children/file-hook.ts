// Preload of the built programs: installs the file hook that the variable `ZEE_FILE_HOOK` describes. The
// processes and threads that the program starts run without it.
import { isMainThread } from 'node:worker_threads'
import { installHook } from '../files/hook.ts'
import type { HookOrder } from '../files/operations.ts'

const order = process.env.ZEE_FILE_HOOK
delete process.env.ZEE_FILE_HOOK
delete process.env.NODE_OPTIONS
if (order !== undefined && isMainThread) installHook(JSON.parse(order) as HookOrder)
