// The queue between a plan and its workers: in order, at least once, one live holder per job.
// A job that runs twice still counts once, because a slot has one answer.

export interface QueuedJob {
  runId: string
  slot: number
  missionId: string
}

export interface Lease {
  job: QueuedJob
  /** How often this job was leased before. */
  deliveries: number
  /** False when the lease expired and another worker may hold the job. */
  heartbeat(): Promise<boolean>
  /** Removes the job from the queue. */
  complete(): Promise<void>
  /** Returns the job to the queue. */
  fail(): Promise<void>
}

/** `busy`: other workers hold all remaining jobs. `empty`: no jobs are left. */
export type LeaseResult = Lease | 'busy' | 'empty'

export interface JobQueue {
  /** A folder or a queue name, for messages. */
  readonly location: string
  enqueue(jobs: Iterable<QueuedJob>): Promise<void>
  lease(): Promise<LeaseResult>
  /** Removes all jobs that are not leased. */
  drain(): Promise<void>
  /** Removes the queue unless it has jobs; true when it is gone. */
  removeIfEmpty(): Promise<boolean>
  close(): Promise<void>
}
