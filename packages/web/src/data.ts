// The shape of what a page embeds. A program fills it in; the viewer only reads it. Everything in it
// has been redacted, and every list is bounded by the program that made it.
import type { ComparisonPage, RunPage } from './data-run.ts'
import type { SessionPage } from './data-session.ts'
import type { TrajectoryPage } from './data-trajectory.ts'

export type * from './data-head.ts'
export type * from './data-run.ts'
export type * from './data-session.ts'
export type * from './data-trajectory.ts'

/** One page: what it shows, for people and for machines. */
export type PageData = RunPage | ComparisonPage | TrajectoryPage | SessionPage
