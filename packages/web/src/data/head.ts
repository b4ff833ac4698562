// The fields common to all pages.

export interface PageHead {
  schemaVersion: 1
  title: string
  /** RFC 3339, UTC. */
  generatedAt: string
  /** Program and version: `zcl 0.1.0`. */
  madeBy: string
}
