// The shape of what a page embeds. A program fills it in; the viewer only reads it. Everything in it
// has been redacted, and every list is bounded by the program that made it.
import type { ComparisonPage, RunPage } from './run.ts'
import type { SessionPage } from './session.ts'
import type { TrajectoryPage } from './trajectory.ts'

export type * from './head.ts'
export type * from './run.ts'
export type * from './session.ts'
export type * from './trajectory.ts'

/** One page: what it shows, for people and for machines. */
export type PageData = RunPage | ComparisonPage | TrajectoryPage | SessionPage
