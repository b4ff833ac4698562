// The queue between a plan and its workers: at least once, in order, and never twice at a time as long
// as a holder is alive. What is done twice all the same counts once, because a slot has one answer.

export interface QueuedJob {
  runId: string
  slot: number
  missionId: string
}

export interface Lease {
  job: QueuedJob
  /** How often this job was handed out before. */
  deliveries: number
  /** False when others had reason to believe that this holder was gone. */
  heartbeat(): Promise<boolean>
  /** The job is over: it has its answer, or nobody can give one. */
  complete(): Promise<void>
  /** The job goes back to the queue, for somebody else. */
  fail(): Promise<void>
}

/** `busy`: others hold what is left. `empty`: nothing is left. */
export type Leased = Lease | 'busy' | 'empty'

export interface JobQueue {
  /** For people: where it is. */
  readonly place: string
  enqueue(jobs: Iterable<QueuedJob>): Promise<void>
  lease(): Promise<Leased>
  /** Takes back everything that nobody has begun. */
  drain(): Promise<void>
  /** Removes it, unless somebody has put something into it meanwhile. */
  removeIfEmpty(): Promise<boolean>
  close(): Promise<void>
}
