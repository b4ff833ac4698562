// The options of `zcl worker`.
export interface WorkerOptions {
  outRoot: string | undefined
  runId: string | undefined
  parallel: number
  queue: string | undefined
  leaseMs: number
  watch: boolean
  job: string | undefined
  pack: string | undefined
  json: boolean
}
